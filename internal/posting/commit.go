// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// A group of commits shares one batch of the store, and one sync. It is bounded so that none waits
// long for the others.
const (
	groupEntries = store.MaxOps - 24
	groupBytes   = 8 << 20
)

// commit is Commit, and returns the IDs of the batch's keys as well.
func (ix *Index) commit(ctx context.Context, b *Batch) (ids []uint64, sequence uint64, err error) {
	if err := ix.check(b); err != nil {
		return nil, 0, err
	}
	for {
		snap := ix.Snapshot()
		ids, sequence, err = ix.tryCommit(ctx, snap, b, nil)
		snap.Close()
		if err != errStale {
			return ids, sequence, err
		}
	}
}

// errStale says that what a request was looked up in is too old to tell which of its records were
// deleted since.
var errStale = fmt.Errorf("%w: records, after they were looked up", model.ErrDeleted)

// tryCommit is commit for a batch that was made from a snapshot. absent says which of its keys are
// not there, as far as that is known.
func (ix *Index) tryCommit(ctx context.Context, snap reader.Snapshot, b *Batch, absent []bool) (ids []uint64,
	sequence uint64,
	err error) {
	if ix.config.ReadOnly {
		return nil, 0, model.ErrReadOnly
	}
	r := &request{batch: b, ids: make([]uint64, len(b.keys)), known: make([]bool, len(b.keys)),
		version: snap.St.Version, deletions: snap.St.Deletions,
		done: make(chan result, 1)}
	for i, k := range b.keys {
		if i%reader.KeysPerLook == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if i < len(absent) && absent[i] || b.replaced[model.KeyRef|model.Ref(i)] {
			continue
		}
		if r.ids[i], r.known[i], err = snap.Lookup(k.Space, k.Key); err != nil {
			return nil, 0, err
		}
	}
	r.prepare(ix)
	select {
	case <-ix.stopping.Done():
		return nil, 0, model.ErrClosed
	case <-ctx.Done():
		return nil, 0, ix.gaveUp(ctx)
	case ix.requests <- r:
	}
	select {
	case res := <-r.done:
		return r.ids, res.sequence, res.err
	case <-ctx.Done():
		if r.taken.CompareAndSwap(false, true) {
			return nil, 0, ix.gaveUp(ctx)
		}
	case <-ix.stopping.Done():
		if r.taken.CompareAndSwap(false, true) {
			return nil, 0, model.ErrClosed
		}
	}
	res := <-r.done
	return r.ids, res.sequence, res.err
}

// gaveUp returns the error of a commit that was not taken before ctx ended: also that there was no
// room to flush, if it may have waited for that.
func (ix *Index) gaveUp(ctx context.Context) error {
	if full := ix.full.Load(); full != nil {
		return fmt.Errorf("%w: nothing was written: %w", ctx.Err(), *full)
	}
	return ctx.Err()
}

// commitAll is the committer: it does the commits that wait, group by group, until the index is
// closed.
func (ix *Index) commitAll() {
	usual := 0 // how many requests a group has had of late
	for {
		select {
		case <-ix.stopping.Done():
			return
		case r := <-ix.requests:
			if 1+len(ix.requests) < usual {
				// those whom the last group has answered are about to come again: one sync for all
				// of them
				runtime.Gosched()
			}
			ix.awaitRoom()
			ix.awaitOthers()
			ix.commitGroup(r)
			usual = max(ix.grouped, usual*3/4)
		}
	}
}

// awaitRoom waits where the store has writers wait. It would do so by itself, but then the commits
// have been taken, and their callers can no longer give up.
func (ix *Index) awaitRoom() {
	if ix.pacer != nil {
		_ = ix.pacer.Await(ix.stopping) // the only error is that of closing, which the commits are told
	}
}

// group is commits that share one batch of the store.
type group struct {
	wal.Pending
	requests []*request // one for each commit
	deleted  []wal.Deletion
}

// commitGroup does a commit, and those that wait behind it.
func (ix *Index) commitGroup(r *request) {
	ix.write.Lock()
	defer ix.write.Unlock()
	for ix.outrun() || ix.paused && ix.failure == nil && ix.stopping.Err() == nil {
		ix.relieved.Wait()
	}
	var g group
	for r != nil {
		if r.taken.CompareAndSwap(false, true) {
			if err := ix.add(&g, r); err != nil {
				r.done <- result{err: err}
			}
		}
		r = nil
		if len(g.requests) < groupEntries && g.Size() < groupBytes && !ix.crowded() {
			select {
			case r = <-ix.requests:
			default:
			}
		}
	}
	if len(g.requests) == 0 {
		return
	}
	if err := ix.appendLog(&g); err != nil {
		for _, r := range g.requests {
			r.done <- result{err: err}
		}
		return
	}
	ix.grouped = len(g.requests)
	ix.publish(ix.State.Load().Version, ix.State.Load().Frozen)
	if ix.deleted != nil {
		for _, d := range g.deleted {
			ix.deleted.Add(d.Record)
		}
	}
	for i, r := range g.requests {
		r.done <- result{sequence: g.First + uint64(i)}
	}
	if ix.active.Outgrows(ix.config.DeltaBytes) {
		wake(ix.flusher)
	}
}

// outrun reports whether writers are to wait for a flush, and has it begin. The caller holds
// ix.write.
func (ix *Index) outrun() bool {
	if ix.failure != nil || ix.stopping.Err() != nil || !ix.crowded() {
		return false
	}
	wake(ix.flusher)
	if ix.Memory.Crowded(0) {
		ix.Memory.RequestFlushes()
	}
	return true
}

// crowded reports whether the deltas, of this index or of all that share the memory, are as large
// as they may be. The caller holds ix.write.
func (ix *Index) crowded() bool {
	return ix.active.Outgrows(2*ix.config.DeltaBytes) ||
		ix.Memory.Crowded(ix.active.Bytes+ix.State.Load().Frozen.Size()-ix.held)
}

// add numbers a commit, gives IDs to its new keys, and puts it into the group and its edits into
// the active delta.
func (ix *Index) add(g *group, r *request) error {
	if ix.failure != nil {
		return ix.failure
	}
	if ix.stopping.Err() != nil {
		return model.ErrClosed
	}
	if r.deletions != ix.deletions && r.version != ix.State.Load().Version {
		return errStale // what was deleted may be in pages by now, and is no longer known
	}
	entry, sections := r.entry, r.sections
	if entry == nil || ix.removes() {
		entry = new(wal.Entry)
		if err := ix.complete(entry, r); err != nil {
			return err
		}
		sections = nil
	}
	entry.Time = uint64(time.Now().UnixMilli())
	if err := ix.follow(entry); err != nil {
		return err
	}
	if sections == nil {
		sections = entry.AppendSections(nil)
	}
	before := g.Size()
	if err := g.Pending.Add(ix.sequence+1, entry, sections); err != nil {
		return err
	}
	if err := ix.apply(entry); err != nil {
		g.Drop()
		return err
	}
	ix.active.Logged += int64(g.Size() - before)
	g.requests, g.deleted = append(g.requests, r), append(g.deleted, entry.Deleted...)
	return nil
}

// awaitOthers waits for commits that may share the sync of the one that is about to be done, if
// some came together last time or are there now. It returns early when the index is being closed.
//
// Waiting pays when commits arrive independently, as the clients of a server send them: a sync
// writes a page of the disk, of which a commit needs a hundred bytes. It hurts closed-loop writers:
// each waits for its own commit before it sends the next, so a delay stalls all of them. So it is
// off unless it is asked for, as PostgreSQL's commit_delay is.
func (ix *Index) awaitOthers() {
	delay := ix.config.delay()
	if delay == 0 || max(ix.grouped, 1+len(ix.requests)) < ix.config.siblings() {
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ix.stopping.Done():
	case <-timer.C:
	}
}
