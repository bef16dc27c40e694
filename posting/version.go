// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// version is a manifest with the count of those who can see it: the current state, and the snapshots that were taken while it was current.
type version struct {
	*manifest
	users   atomic.Int64
	dropped []ref // pages that the next version no longer has
}

// state is what a snapshot sees. It never changes.
type state struct {
	version  *version
	frozen   *delta // being flushed; nil: none
	active   *delta
	sequence uint64
}

// versions keeps the manifests that somebody can still see, oldest first, and deletes the pages of those that nobody can.
type versions struct {
	store store.Store
	index uint32
	cache *Cache

	mu   sync.Mutex
	live []*version
}

// add takes a new current version, with one user: the current state.
func (vs *versions) add(m *manifest) *version {
	v := &version{manifest: m}
	v.users.Store(1)
	vs.mu.Lock()
	vs.live = append(vs.live, v)
	vs.mu.Unlock()
	return v
}

// collect deletes the pages that no version with users has any more. A page that one version drops is seen by all before it, so versions die in order.
func (vs *versions) collect() error {
	vs.mu.Lock()
	var gone []ref
	for len(vs.live) > 1 && vs.live[0].users.Load() == 0 {
		gone = append(gone, vs.live[0].dropped...)
		vs.live = vs.live[1:]
	}
	vs.mu.Unlock()
	return vs.remove(gone)
}

func (vs *versions) remove(pages []ref) error {
	keys := make([][]byte, len(pages))
	for i := range pages {
		vs.cache.drop(vs.index, pages[i].generation)
		keys[i] = appendPageKey(nil, vs.index, &pages[i])
	}
	return removeKeys(vs.store, keys)
}

// removeKeys deletes entries in batches, unsynced: what a crash brings back is deleted again at the next opening.
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
