// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/store"
)

// committer does the commits of an index, group by group, in one goroutine.
type committer struct {
	*env
	writer   *writer
	pacer    store.Pacer // the store, if it is one
	requests chan *request
	grouped  int // how many commits the last group had
}

// newCommitter returns a committer that has nothing to do yet.
func newCommitter(w *writer) *committer {
	c := &committer{env: w.env, writer: w, requests: make(chan *request, 1024)}
	c.pacer, _ = w.source.Store.(store.Pacer)
	return c
}

// commit is Commit, and returns the IDs of the batch's keys as well.
func (c *committer) commit(ctx context.Context, b *Batch) (ids []uint64, sequence uint64, err error) {
	if err := b.check(c.source); err != nil {
		return nil, 0, err
	}
	for {
		snap := c.source.Snapshot()
		ids, sequence, err = c.tryCommit(ctx, snap, b, nil)
		snap.Close()
		if err != errStale {
			return ids, sequence, err
		}
	}
}

// errStale says that the snapshot of a request is too old. It cannot tell which of the request's
// records were deleted since.
var errStale = fmt.Errorf("%w: records, after they were looked up", model.ErrDeleted)

// tryCommit is commit for a batch that was made from a snapshot. absent says which of its keys are
// not there, as far as that is known.
func (c *committer) tryCommit(ctx context.Context, snap reader.Snapshot, b *Batch, absent []bool) (ids []uint64,
	sequence uint64,
	err error) {
	if c.readOnly() {
		return nil, 0, model.ErrReadOnly
	}
	r, err := c.newRequest(ctx, snap, b, absent)
	if err != nil {
		return nil, 0, err
	}
	if len(b.keys) > 0 && b.Len() == 0 && !slices.Contains(r.known, false) {
		return r.ids, snap.St.Sequence, nil // a load met keys that all have IDs: there is nothing to write
	}
	sequence, err = c.submit(ctx, r)
	return r.ids, sequence, err
}

// newRequest returns the request of a batch that was made from a snapshot.
func (c *committer) newRequest(ctx context.Context, snap reader.Snapshot, b *Batch, absent []bool) (*request, error) {
	r := &request{batch: b, version: snap.St.Version, deletions: snap.St.Deletions, sequence: snap.St.Sequence,
		done: make(chan result, 1)}
	if err := r.lookup(ctx, snap, absent); err != nil {
		return nil, err
	}
	r.prepare(c.source)
	return r, nil
}

// grace is how long a commit may go on after its caller has given it up, before the caller is told
// that nobody knows: longer than a disk takes, unless it lies on other machines.
const grace = time.Second

// submit has a request done, or gives it up when ctx ends: before its turn nothing was written;
// while the store has it, it may come to be there.
func (c *committer) submit(ctx context.Context, r *request) (sequence uint64, err error) {
	ctx, step := trace.Begin(ctx, "commit")
	defer step.EndWith(&err)
	step.Int("uproar.edits", int64(r.batch.Len()))
	res := c.await(ctx, r)
	if res.void && res.err == nil {
		res.err = c.confirm(ctx)
	}
	return res.sequence, res.err
}

// await hands a request over, and returns what comes of it.
func (c *committer) await(ctx context.Context, r *request) result {
	select {
	case <-c.stopping.Done():
		return result{err: model.ErrClosed}
	case <-ctx.Done():
		return result{err: c.gaveUp(ctx)}
	case c.requests <- r:
	}
	select {
	case res := <-r.done:
		return res
	case <-ctx.Done():
		if r.taken.CompareAndSwap(false, true) {
			return result{err: c.gaveUp(ctx)}
		}
		<-r.stored // the batch is the caller's again
		select {
		case res := <-r.done:
			return res
		case <-time.After(grace):
			return result{err: fmt.Errorf("%w: %w: the commit was sent, and may come to be there", ctx.Err(),
				store.ErrUnavailable)}
		}
	case <-c.stopping.Done():
		if r.taken.CompareAndSwap(false, true) {
			return result{err: model.ErrClosed}
		}
	}
	return <-r.done
}

// gaveUp returns the error of a commit that was not taken before ctx ended: also that there was no
// room to flush, if it may have waited for that.
func (c *committer) gaveUp(ctx context.Context) error {
	if full := c.writer.full.Load(); full != nil {
		return fmt.Errorf("%w: nothing was written: %w", ctx.Err(), *full)
	}
	return ctx.Err()
}

// run does the commits that wait, group by group, until the index is closed.
func (c *committer) run() {
	usual := 0 // how many requests a group has had of late
	for {
		select {
		case <-c.stopping.Done():
			return
		case r := <-c.requests:
			if 1+len(c.requests) < usual {
				// the callers that the last group answered are about to come again: one sync for
				// all of them
				runtime.Gosched()
			}
			c.awaitRoom()
			c.awaitOthers()
			c.commitGroup(r)
			usual = max(c.grouped, usual*3/4)
		}
	}
}

// awaitRoom waits where the store has writers wait. It would do so by itself, but then the commits
// have been taken, and their callers can no longer give up.
func (c *committer) awaitRoom() {
	if c.pacer != nil {
		_ = c.pacer.Await(c.stopping) // the only error is that of closing, which the commits are told
	}
}

// group is commits that share one batch of the store.
type group struct {
	wal.Pending
	requests []*request // one for each commit
	answered []answered
	deleted  []wal.Deletion
}

// answer answers what needs no commit.
func (g *group) answer() {
	for _, a := range g.answered {
		a.done <- result{sequence: a.seen, err: a.err, void: true}
	}
}

// commitGroup commits a request together with the requests that wait behind it.
func (c *committer) commitGroup(r *request) {
	w := c.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	for c.outrun() || w.paused && w.failure == nil && c.stopping.Err() == nil {
		w.flushEnded.Wait()
	}
	var g group
	stored := make(chan struct{})
	for r != nil {
		r.stored = stored
		if r.taken.CompareAndSwap(false, true) {
			switch err := c.replan(r); {
			case err != nil || r.plan != nil && r.batch.Len() == 0:
				g.answered = append(g.answered, answered{r, err, w.sequence})
			default:
				if err := c.add(&g, r); err != nil {
					r.done <- result{err: err}
				}
			}
		}
		r = nil
		if len(g.requests)+len(g.answered) < groupEntries && g.Size() < groupBytes && !c.crowded() {
			select {
			case r = <-c.requests:
			default:
			}
		}
	}
	close(stored)
	if len(g.requests) == 0 {
		g.answer()
		return
	}
	if err := w.appendLog(&g.Pending); err != nil {
		for _, r := range g.requests {
			r.done <- result{err: err}
		}
		for _, a := range g.answered {
			a.done <- result{err: err}
		}
		return
	}
	c.grouped = len(g.requests)
	w.publish(c.source.State.Load().Version, c.source.State.Load().Frozen)
	if w.deleted != nil {
		for _, d := range g.deleted {
			w.deleted.Add(d.Record)
		}
	}
	for i, r := range g.requests {
		r.done <- result{sequence: g.First + uint64(i)}
	}
	g.answer()
	if w.active.Outgrows(c.config.DeltaBytes) {
		wake(c.flushDue)
	}
}

// outrun reports whether writers are to wait for a flush, and has it begin. The caller holds
// c.writer.mu.
func (c *committer) outrun() bool {
	if c.writer.failure != nil || c.stopping.Err() != nil || !c.crowded() {
		return false
	}
	wake(c.flushDue)
	if c.source.Memory.Crowded(0) {
		c.source.Memory.RequestFlushes()
	}
	return true
}

// crowded reports whether the deltas are as large as they may be. It looks at those of this index
// and of all indexes that share the memory. The caller holds c.writer.mu.
func (c *committer) crowded() bool {
	return c.writer.active.Outgrows(2*c.config.DeltaBytes) ||
		c.source.Memory.Crowded(c.writer.active.Bytes+c.source.State.Load().Frozen.Size()-c.writer.held)
}

// add numbers a commit and gives IDs to its new keys. It puts the commit into the group and its
// edits into the active delta. A batch of no effect is no commit.
func (c *committer) add(g *group, r *request) error {
	w := c.writer
	if w.failure != nil {
		return w.failure
	}
	if c.stopping.Err() != nil {
		return model.ErrClosed
	}
	if c.following.Load() {
		return model.ErrReadOnly
	}
	if r.deletions != w.deletions && r.version != c.source.State.Load().Version {
		return errStale // what was deleted may be in pages by now, and is no longer known
	}
	entry, sections := r.entry, r.sections
	if entry == nil || w.removes() {
		entry = new(wal.Entry)
		if err := w.complete(entry, r); err != nil {
			return err
		}
		sections = nil
	}
	entry.Time = uint64(time.Now().UnixMilli())
	if err := w.follow(entry); err != nil {
		return err
	}
	if entry.IsVoid() {
		g.answered = append(g.answered, answered{r, nil, w.sequence})
		return nil
	}
	if sections == nil {
		sections = entry.AppendSections(nil)
	}
	before := g.Size()
	if err := g.Pending.Add(w.sequence+1, entry, sections); err != nil {
		return err
	}
	if err := w.apply(entry); err != nil {
		g.Drop()
		return err
	}
	w.active.Logged += int64(g.Size() - before)
	records, all := entry.Changed(w.source.Inverse)
	w.changes.recent.Add(w.sequence, records, all)
	g.requests, g.deleted = append(g.requests, r), append(g.deleted, entry.Deleted...)
	return nil
}

// awaitOthers waits for commits that may share the sync of the next one. It waits only if some came
// together last time or are there now. It returns early when the index closes.
//
// Waiting pays when commits arrive independently. It hurts writers that wait for one commit before
// they send the next. So the default is off, as for PostgreSQL's commit_delay.
func (c *committer) awaitOthers() {
	delay := c.config.delay()
	if delay == 0 || max(c.grouped, 1+len(c.requests)) < c.config.siblings() {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-c.stopping.Done():
	case <-timer.C:
	}
}
