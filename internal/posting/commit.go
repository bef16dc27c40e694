// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/memory"
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

// request is a commit that waits to be done.
type request struct {
	batch   *Batch
	ids     []uint64 // of the batch's keys; 0 beside known false: not known when the caller looked
	known   []bool
	version *reader.Version // the manifest that the caller looked at
	taken   atomic.Bool
	done    chan result

	deletions uint64 // how many commits with deletions the caller had seen

	entry    *wal.Entry // what prepare has made; nil: the committer has to make it
	sections []byte     // of entry
}

type result struct {
	sequence uint64
	err      error
}

// Commit makes a batch durable and visible, all of it or nothing, and returns its sequence number.
// When it returns nil, every later snapshot has it, and it is on the disk (with NoSync: handed to
// the operating system; with SyncEvery: on its way there). Commits that come together share a sync.
// While writers outrun the disk, Commit waits. The batch is not changed and may be used again.
//
// ctx ends the waiting before the commit has begun, with its error and no effect; a commit that has
// begun is carried through.
//
// Errors: ErrInvalid, ErrTooLarge, ErrDeleted, ErrReadOnly, ErrClosed, ErrFailed, ErrCorrupt,
// store.ErrFull, or the store's.
func (ix *Index) Commit(ctx context.Context, b *Batch) (sequence uint64, err error) {
	_, sequence, err = ix.commit(ctx, b)
	return sequence, err
}

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

// CommitFrom is Commit for a batch whose IDs were looked up in a snapshot, which must stay open
// until CommitFrom returns. Commit refuses the IDs of records that were deleted since the last
// flush; CommitFrom also refuses when records were deleted after the snapshot was taken and a flush
// has forgotten which: the batch is then to be made anew from a newer snapshot. Errors: those of
// Commit, of which ErrDeleted says that.
func (ix *Index) CommitFrom(ctx context.Context, s reader.Snapshot, b *Batch) (sequence uint64, err error) {
	if err := ix.check(b); err != nil {
		return 0, err
	}
	_, sequence, err = ix.tryCommit(ctx, s, b, b.absent)
	return sequence, err
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

// prepare encodes a batch before its turn, if that is possible: the committer, for which all wait,
// has less to do. A batch is encoded that only sets and clears what has IDs: what else it may say
// depends on the commits before it.
func (r *request) prepare(ix *Index) {
	b := r.batch
	if len(b.forward)+len(b.deleted)+len(b.emptied)+len(b.replaced) > 0 || slices.Contains(r.known, false) {
		return
	}
	r.entry = new(wal.Entry)
	b.resolve(ix, r.ids, r.entry)
	r.sections = r.entry.AppendSections(nil)
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

// complete makes the entry of a commit as the commits before it have it.
func (ix *Index) complete(entry *wal.Entry, r *request) error {
	if err := ix.assignKeys(entry, r); err != nil {
		return err
	}
	r.batch.resolve(ix, r.ids, entry)
	if err := ix.refuseDead(entry); err != nil {
		return err
	}
	return errors.Join(ix.resolveWords(entry), ix.fetchKeys(entry))
}

// removes reports whether records or rows were deleted since the last flush.
func (ix *Index) removes() bool {
	frozen := ix.State.Load().Frozen
	return ix.active.Removals != nil || frozen != nil && frozen.Removals != nil
}

// assignKeys finds the IDs of the keys that the caller did not find, and plans new ones for those
// that have none. Nothing is given out yet: the entry may still prove too large.
func (ix *Index) assignKeys(entry *wal.Entry, r *request) error {
	st := ix.State.Load()
	runs := map[uint32]int{}
	for i, k := range r.batch.keys {
		if r.known[i] && !(k.Space == model.RecordSpace && ix.isDead(r.ids[i])) {
			continue
		}
		var id uint64
		var ok bool
		if !r.batch.replaced[model.KeyRef|model.Ref(i)] {
			var err error
			if id, ok, err = ix.lookupNewest(st, k, st.Version != r.version); err != nil {
				return err
			}
		}
		if !ok {
			at, begun := runs[k.Space]
			if !begun {
				first := uint64(0)
				if space := ix.active.Spaces[k.Space]; space != nil {
					first = space.Next()
				}
				at = len(entry.Keys)
				runs[k.Space] = at
				entry.Keys = append(entry.Keys, wal.KeyRun{Space: k.Space, First: first})
			}
			run := &entry.Keys[at]
			id = run.First + uint64(len(run.Keys))
			run.Keys = append(run.Keys, k.Key)
		}
		r.ids[i] = id
	}
	return nil
}

// lookupNewest returns the ID of a key as the active delta, the frozen one, and on demand the pages
// say it.
func (ix *Index) lookupNewest(st *reader.State, k model.SpaceKey, pages bool) (id uint64, ok bool, err error) {
	for _, d := range [...]*delta.Table{ix.active, st.Frozen} {
		if d == nil {
			continue
		}
		if id, ok = d.Lookup(k.Space, k.Key); ok {
			return id, !(k.Space == model.RecordSpace && ix.isDead(id)), nil
		}
	}
	if pages {
		id, ok, err = ix.LookupPage(st.Version.Manifest, k.Space, k.Key)
		ok = ok && !(k.Space == model.RecordSpace && ix.isDead(id))
	}
	return id, ok, err
}

// isDead reports whether a record was deleted since the last flush.
func (ix *Index) isDead(record uint64) bool {
	frozen := ix.State.Load().Frozen
	return ix.active.Removals.IsDead(record) || frozen != nil && frozen.Removals.IsDead(record)
}

// refuseDead fails when an entry names, by its ID, a record that was deleted.
func (ix *Index) refuseDead(entry *wal.Entry) error {
	if !ix.removes() {
		return nil
	}
	dead := func(record uint64) error {
		if ix.isDead(record) {
			return fmt.Errorf("%w: record %d", model.ErrDeleted, record)
		}
		return nil
	}
	for _, e := range entry.Edits {
		if err := dead(e.Record); err != nil {
			return err
		}
		if ix.FieldOf(e.Field).Inverse != 0 {
			if err := dead(e.Row); err != nil {
				return err
			}
		}
	}
	for _, a := range entry.Assigned {
		if err := dead(a.Record); err != nil {
			return err
		}
	}
	entry.Deleted = slices.DeleteFunc(entry.Deleted, func(d wal.Deletion) bool { return ix.isDead(d.Record) })
	return nil
}

// fetchKeys finds the keys of the records that an entry deletes: a follower of the log knows
// records by their keys.
func (ix *Index) fetchKeys(entry *wal.Entry) error {
	for i := range entry.Deleted {
		d := &entry.Deleted[i]
		for _, run := range entry.Keys {
			if run.Space == model.RecordSpace && d.Record-run.First < uint64(len(run.Keys)) {
				d.Key = run.Keys[d.Record-run.First]
			}
		}
		if d.Key != "" {
			continue
		}
		st := ix.State.Load()
		now := reader.Snapshot{St: &reader.State{Source: ix.Source, Version: st.Version, Frozen: st.Frozen,
			Active: ix.active}}
		key, _, err := now.AppendKey(nil, model.RecordSpace, d.Record)
		if err != nil {
			return err
		}
		d.Key = string(key)
	}
	return nil
}

// publish makes the active delta visible beside a version and a frozen delta. The caller holds
// ix.write.
func (ix *Index) publish(v *reader.Version, frozen *delta.Table) {
	before := ix.State.Load()
	active := ix.active.Publish()
	ix.State.Store(&reader.State{Source: ix.Source, Version: v, Frozen: frozen, Active: active,
		Masks:    delta.NewMasks(before.Masks, active, frozen, ix.Inverse),
		Sequence: ix.sequence,
		Number:   before.Number + 1, Merged: new(reader.MergedLists), Deletions: ix.deletions})
	if before.Merged != nil {
		before.Merged.End(ix.Memory)
	}
	ix.hold(ix.active.Bytes + frozen.Size())
	ix.commits.notify()
}

// hold tells the memory bound what the deltas take. The caller holds ix.write.
func (ix *Index) hold(bytes int64) {
	if ix.failure != nil {
		return
	}
	ix.Memory.Change(memory.Deltas, bytes-ix.held)
	ix.held = bytes
}

// rollback takes the active delta and the sequence number back to what is published.
func (ix *Index) rollback() {
	st := ix.State.Load()
	ix.active, ix.sequence, ix.deletions = st.Active.Publish(), st.Sequence, st.Deletions
}

// Failure returns why the index takes no more writes, which matches ErrFailed, or store.ErrFull if
// it soon will not, because a flush had no room; nil if it does.
func (ix *Index) Failure() error {
	for _, why := range [...]*error{ix.stopped.Load(), ix.full.Load()} {
		if why != nil {
			return *why
		}
	}
	return nil
}

// fail stops writing: what the store did with the last batch is unknown.
func (ix *Index) fail(err error) {
	if ix.failure == nil {
		ix.failure = fmt.Errorf("%w: %w", model.ErrFailed, err)
		ix.stopped.Store(new(ix.failure))
		ix.log.Error("writing stopped", "error", err)
		ix.Memory.Change(memory.Indexes, ix.held) // other indexes must not wait for these to be flushed
		ix.Memory.Change(memory.Deltas, -ix.held)
	}
	ix.relieved.Broadcast()
}
