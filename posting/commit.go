// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// A group of commits shares one batch of the store, and one sync. It is bounded so that none waits long for the others.
const (
	groupEntries = store.MaxOps - 24
	groupBytes   = 8 << 20
)

// request is a commit that waits to be done.
type request struct {
	batch   *Batch
	ids     []uint64 // of the batch's keys; 0 beside known false: not known when the caller looked
	known   []bool
	version *version // the manifest that the caller looked at
	taken   atomic.Bool
	done    chan result
}

type result struct {
	sequence uint64
	err      error
}

// Commit makes a batch durable and visible, all of it or nothing, and returns its sequence number. When it returns nil, every later snapshot has it, and
// it is on the disk (with NoSync: handed to the operating system). Commits that come together share a sync. While writers outrun the disk, Commit
// waits. The batch is not changed and may be used again.
//
// ctx ends the waiting before the commit has begun, with its error and no effect; a commit that has begun is carried through.
//
// Errors: ErrInvalid, ErrTooLarge, ErrClosed, ErrFailed, ErrCorrupt, store.ErrFull, or the store's.
func (ix *Index) Commit(ctx context.Context, b *Batch) (sequence uint64, err error) {
	_, sequence, err = ix.commit(ctx, b)
	return sequence, err
}

// commit is Commit, and returns the IDs of the batch's keys as well.
func (ix *Index) commit(ctx context.Context, b *Batch) (ids []uint64, sequence uint64, err error) {
	if err := ix.check(b); err != nil {
		return nil, 0, err
	}
	snap := ix.Snapshot()
	defer snap.Close()
	r := &request{batch: b, ids: make([]uint64, len(b.keys)), known: make([]bool, len(b.keys)), version: snap.st.version, done: make(chan result, 1)}
	for i, k := range b.keys {
		if r.ids[i], r.known[i], err = snap.Lookup(k.space, k.key); err != nil {
			return nil, 0, err
		}
	}
	select {
	case <-ix.stopping.Done():
		return nil, 0, ErrClosed
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	case ix.requests <- r:
	}
	select {
	case res := <-r.done:
		return r.ids, res.sequence, res.err
	case <-ctx.Done():
		if r.taken.CompareAndSwap(false, true) {
			return nil, 0, ctx.Err()
		}
	case <-ix.stopping.Done():
		if r.taken.CompareAndSwap(false, true) {
			return nil, 0, ErrClosed
		}
	}
	res := <-r.done
	return r.ids, res.sequence, res.err
}

// commitAll is the committer: it does the commits that wait, group by group, until the index is closed.
func (ix *Index) commitAll() {
	for {
		select {
		case <-ix.stopping.Done():
			return
		case r := <-ix.requests:
			ix.commitGroup(r)
		}
	}
}

// group is the commits that share one batch of the store.
type group struct {
	batch    store.Batch
	requests []*request
	sequence []uint64
}

// commitGroup does a commit, and those that wait behind it.
func (ix *Index) commitGroup(r *request) {
	ix.write.Lock()
	defer ix.write.Unlock()
	for ix.failure == nil && ix.active.bytes > 2*ix.config.DeltaBytes && ix.stopping.Err() == nil {
		ix.wake(ix.flusher)
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
		if len(g.requests) < groupEntries && g.batch.Size() < groupBytes {
			select {
			case r = <-ix.requests:
			default:
			}
		}
	}
	if len(g.requests) == 0 {
		return
	}
	if err := ix.store.Apply(&g.batch, !ix.config.NoSync); err != nil {
		if errors.Is(err, store.ErrFull) {
			ix.forget() // the store has changed nothing, and takes writes again when there is room
		} else {
			ix.fail(err)
			err = ix.failure
		}
		for _, r := range g.requests {
			r.done <- result{err: err}
		}
		return
	}
	ix.publish(ix.state.Load().version, ix.state.Load().frozen)
	for i, r := range g.requests {
		r.done <- result{sequence: g.sequence[i]}
	}
	if ix.active.bytes > ix.config.DeltaBytes {
		ix.wake(ix.flusher)
	}
}

// add numbers a commit, gives IDs to its new keys, and puts its log entry into the group and its edits into the active delta.
func (ix *Index) add(g *group, r *request) error {
	if ix.failure != nil {
		return ix.failure
	}
	if ix.stopping.Err() != nil {
		return ErrClosed
	}
	entry := logEntry{time: uint64(time.Now().UnixMilli())}
	if err := ix.name(&entry, r); err != nil {
		return err
	}
	entry.edits = r.batch.resolve(r.ids)
	key := appendLogKey(nil, ix.id, ix.sequence+1)
	value := entry.encode(key)
	if len(value) > maxEntry {
		return fmt.Errorf("%w: got a batch of %d bytes of log, want at most %d", ErrTooLarge, len(value), maxEntry)
	}
	if err := ix.apply(&entry); err != nil {
		return err
	}
	ix.sequence++
	g.batch.Put(key, value)
	g.requests, g.sequence = append(g.requests, r), append(g.sequence, ix.sequence)
	return nil
}

// name finds the IDs of the keys that the caller did not find, and plans new ones for those that have none. Nothing is given out yet: the entry
// may still prove too large.
func (ix *Index) name(entry *logEntry, r *request) error {
	st := ix.state.Load()
	runs := map[uint32]int{}
	for i, k := range r.batch.keys {
		if r.known[i] {
			continue
		}
		id, ok := ix.active.lookup(k.space, k.key)
		if !ok && st.frozen != nil {
			id, ok = st.frozen.lookup(k.space, k.key)
		}
		if !ok && st.version != r.version {
			var err error
			if id, ok, err = ix.lookupPage(st.version.manifest, k.space, k.key); err != nil {
				return err
			}
		}
		if !ok {
			at, begun := runs[k.space]
			if !begun {
				first := uint64(0)
				if space := ix.active.spaces[k.space]; space != nil {
					first = space.next()
				}
				at = len(entry.keys)
				runs[k.space] = at
				entry.keys = append(entry.keys, keyRun{space: k.space, first: first})
			}
			run := &entry.keys[at]
			id = run.first + uint64(len(run.keys))
			run.keys = append(run.keys, k.key)
		}
		r.ids[i] = id
	}
	return nil
}

// publish makes the active delta visible beside a version and a frozen delta. The caller holds ix.write.
func (ix *Index) publish(v *version, frozen *delta) {
	ix.state.Store(&state{version: v, frozen: frozen, active: ix.active.publish(), sequence: ix.sequence})
}

// forget takes the active delta and the sequence number back to what is published.
func (ix *Index) forget() {
	st := ix.state.Load()
	ix.active, ix.sequence = st.active.publish(), st.sequence
}

// fail stops writing: what the store did with the last batch is unknown.
func (ix *Index) fail(err error) {
	if ix.failure == nil {
		ix.failure = fmt.Errorf("%w: %w", ErrFailed, err)
		ix.log.Error("writing stopped", "error", err)
	}
	ix.relieved.Broadcast()
}
