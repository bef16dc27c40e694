// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package versions

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/store"
)

// Version is a manifest with a count of its users. These are the current state and the snapshots
// taken while it was current.
type Version struct {
	*format.Manifest
	number uint64
	Users  atomic.Int64
}

// Acquire counts one more user. It fails if the count is 0 already: the pages may be gone.
func (v *Version) Acquire() bool {
	for n := v.Users.Load(); n > 0; n = v.Users.Load() {
		if v.Users.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// Versions keeps the manifests that somebody can still see, and deletes the pages that nobody can
// see any more.
type Versions struct {
	Store  store.Store
	Index  uint32
	Memory *memory.Bound

	mu      sync.Mutex
	live    []*Version    // oldest first; the last is the current one
	dropped []droppedPage // pages that a live version may still have
	gone    [][]byte      // keys of pages that no version has, still to be deleted
	last    uint64
	counted int64 // what the memory bound knows of the current manifest
}

// droppedPage is a page that versions above a number no longer have.
type droppedPage struct {
	format.Ref
	lastVersion uint64
}

// Add takes a new current version, with one user: the current state. It no longer has the dropped
// pages.
func (vs *Versions) Add(m *format.Manifest, dropped []format.Ref) *Version {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, r := range dropped {
		vs.dropped = append(vs.dropped, droppedPage{r, vs.last})
	}
	vs.last++
	v := &Version{Manifest: m, number: vs.last}
	v.Users.Store(1)
	vs.live = append(vs.live, v)
	vs.count(int64(m.Count()) * (int64(unsafe.Sizeof(format.Ref{})) + format.IndexBytes))
	return v
}

// count tells the memory bound what the current manifest takes.
func (vs *Versions) count(bytes int64) {
	vs.Memory.Change(memory.Indexes, bytes-vs.counted)
	vs.counted = bytes
}

// sees reports whether the version may have the page: it was written before the version came, and
// dropped after it.
func (v *Version) sees(p *droppedPage) bool {
	return v.number <= p.lastVersion && p.Generation < v.Generation
}

// Collect deletes dropped pages that no version in use has, and discarded pages. It stops when ctx
// ends.
func (vs *Versions) Collect(ctx context.Context) error {
	vs.mu.Lock()
	vs.live = slices.DeleteFunc(vs.live, func(v *Version) bool { return v.Users.Load() == 0 })
	vs.dropped = slices.DeleteFunc(vs.dropped, func(p droppedPage) bool {
		if slices.ContainsFunc(vs.live, func(v *Version) bool { return v.sees(&p) }) {
			return false
		}
		vs.gone = append(vs.gone, format.AppendPageKey(nil, vs.Index, &p.Ref))
		return true
	})
	vs.mu.Unlock()
	return vs.Clean(ctx)
}

// Discard takes pages that no reader sees now or later. The next Collect deletes them.
func (vs *Versions) Discard(keys ...[]byte) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.gone = append(vs.gone, keys...)
}

// Release takes pages that another process has deleted. Those that a version had are deleted once
// none has them; the others, of which no manifest ever told, by the next Collect.
func (vs *Versions) Release(keys [][]byte) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	waiting := make(map[string]bool, len(vs.dropped))
	for i := range vs.dropped {
		waiting[string(format.AppendPageKey(nil, vs.Index, &vs.dropped[i].Ref))] = true
	}
	for _, key := range keys {
		if !waiting[string(key)] {
			vs.gone = append(vs.gone, key)
		}
	}
}

// Clean deletes the pages that nobody sees, until ctx ends. Those that the store could not delete
// are kept for the next time.
func (vs *Versions) Clean(ctx context.Context) error {
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
				vs.Memory.Cache.Drop(vs.Index, generation)
			}
		}
		if err := RemoveKeys(vs.Store, keys); err != nil {
			vs.Discard(keys...)
			return err
		}
	}
	return ctx.Err()
}

// Pinned returns the generations of dropped pages that a version in use had at the last Collect.
func (vs *Versions) Pinned() map[uint64]bool {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	pinned := make(map[uint64]bool, len(vs.dropped))
	for i := range vs.dropped {
		pinned[vs.dropped[i].Generation] = true
	}
	return pinned
}

// Leave gives back what the memory bound has been told of.
func (vs *Versions) Leave() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.count(0)
}

// RemoveKeys deletes entries in batches, unsynced: what a crash brings back is deleted again at the
// next opening.
func RemoveKeys(s store.Store, keys [][]byte) error {
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
