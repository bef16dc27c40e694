// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/store"
)

// version is a manifest with the count of those who can see it: the current state, and the
// snapshots that were taken while it was current.
type version struct {
	*format.Manifest
	number uint64
	users  atomic.Int64
}

// acquire counts one more user. It fails when there are none left: the pages may be gone.
func (v *version) acquire() bool {
	for n := v.users.Load(); n > 0; n = v.users.Load() {
		if v.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// state is what a snapshot sees. It never changes.
type state struct {
	ix       *Index
	version  *version
	frozen   *delta.Table // being flushed; nil: none
	active   *delta.Table
	masks    *delta.Masks // of the removals of both deltas; nil: none
	sequence uint64
	number   uint64 // of the state, since opening

	merged *mergedLists // nil: none are kept

	deletions uint64 // how many commits since opening deleted records
}

// isFlushed reports whether the pages have all that there is.
func (st *state) isFlushed() bool {
	return st.frozen == nil && len(st.active.Edits) == 0 && st.masks == nil
}

// versions keeps the manifests that somebody can still see, and deletes the pages that nobody can
// see any more.
type versions struct {
	store  store.Store
	index  uint32
	memory *memory.Bound

	mu      sync.Mutex
	live    []*version    // oldest first; the last is the current one
	dropped []droppedPage // those that a live version may still have
	gone    [][]byte      // keys of those that no version has, and that are still to be deleted
	last    uint64
	counted int64 // what the memory bound knows of the current manifest
}

// droppedPage is a page that versions above a number no longer have.
type droppedPage struct {
	format.Ref
	until uint64
}

// add takes a new current version, with one user: the current state. It no longer has the dropped
// pages.
func (vs *versions) add(m *format.Manifest, dropped []format.Ref) *version {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, r := range dropped {
		vs.dropped = append(vs.dropped, droppedPage{r, vs.last})
	}
	vs.last++
	v := &version{Manifest: m, number: vs.last}
	v.users.Store(1)
	vs.live = append(vs.live, v)
	vs.count(int64(m.Count()) * (int64(unsafe.Sizeof(format.Ref{})) + format.IndexBytes))
	return v
}

// count tells the memory bound what the current manifest takes.
func (vs *versions) count(bytes int64) {
	vs.memory.Change(memory.Indexes, bytes-vs.counted)
	vs.counted = bytes
}

// sees reports whether the version may have the page: it was written before the version came, and
// dropped after it.
func (v *version) sees(p *droppedPage) bool {
	return v.number <= p.until && p.Generation < v.Generation
}

// collect deletes the dropped pages that no version with users has, and those that were discarded,
// until ctx ends.
func (vs *versions) collect(ctx context.Context) error {
	vs.mu.Lock()
	vs.live = slices.DeleteFunc(vs.live, func(v *version) bool { return v.users.Load() == 0 })
	vs.dropped = slices.DeleteFunc(vs.dropped, func(p droppedPage) bool {
		if slices.ContainsFunc(vs.live, func(v *version) bool { return v.sees(&p) }) {
			return false
		}
		vs.gone = append(vs.gone, format.AppendPageKey(nil, vs.index, &p.Ref))
		return true
	})
	vs.mu.Unlock()
	return vs.clean(ctx)
}

// discard takes pages that nobody has ever seen or can see any more, to be deleted by the next
// collect.
func (vs *versions) discard(keys ...[]byte) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.gone = append(vs.gone, keys...)
}

// clean deletes the pages that nobody sees, until ctx ends. Those that the store could not delete
// are kept for the next time.
func (vs *versions) clean(ctx context.Context) error {
	for ctx.Err() == nil {
		vs.mu.Lock()
		n := len(vs.gone) - min(len(vs.gone), store.MaxOps)
		keys := vs.gone[n:]
		vs.gone = vs.gone[:n:n]
		vs.mu.Unlock()
		if len(keys) == 0 {
			return nil
		}
		for _, k := range keys {
			if generation, ok := format.PageGeneration(k); ok {
				vs.memory.Cache.Drop(vs.index, generation)
			}
		}
		if err := removeKeys(vs.store, keys); err != nil {
			vs.discard(keys...)
			return err
		}
	}
	return ctx.Err()
}

// leave gives back what the memory bound has been told of.
func (vs *versions) leave() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.count(0)
}

// removeKeys deletes entries in batches, unsynced: what a crash brings back is deleted again at the
// next opening.
func removeKeys(s store.Store, keys [][]byte) error {
	var b store.Batch
	for len(keys) > 0 {
		n := min(len(keys), store.MaxOps)
		for _, k := range keys[:n] {
			b.Delete(k)
		}
		if err := s.Apply(&b, false); err != nil {
			return err
		}
		b.Reset()
		keys = keys[n:]
	}
	return nil
}
