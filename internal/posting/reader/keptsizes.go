// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sync"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
)

// PageSizes is what the pages of a field in one manifest say of the sizes of its rows.
type PageSizes struct {
	refs  []format.Ref // the field's in the manifest; one slice until they change
	Sizes []uint32
}

// of reports whether the sizes are those of pages.
func (z *PageSizes) of(refs []format.Ref) bool {
	return len(z.refs) == len(refs) && (len(refs) == 0 || &z.refs[0] == &refs[0])
}

// keptSizes is the sizes that an index keeps, of each field those of one manifest.
type keptSizes struct {
	mu    sync.Mutex
	sizes map[uint32]*PageSizes
	Bytes int64 // counted against the memory bound
	left  bool  // the index is closed: nothing is kept any more
}

// sizesShare is the part of the memory bound that all sizes kept may take.
const sizesShare = 32

// Get returns what is kept of a field, maybe of other pages.
func (k *keptSizes) Get(field uint32) *PageSizes {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.sizes[field]
}

// Put replaces the kept sizes of a field. It reports whether there was room for them. If so, the
// caller no longer counts their memory.
func (k *keptSizes) Put(m *memory.Bound, field uint32, z *PageSizes) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	more := 4 * int64(len(z.Sizes))
	if old := k.sizes[field]; old != nil {
		more -= 4 * int64(len(old.Sizes))
	}
	if k.left || k.Bytes+more > m.Limit/sizesShare {
		return false
	}
	if k.sizes == nil {
		k.sizes = make(map[uint32]*PageSizes)
	}
	m.Change(memory.Indexes, more)
	k.sizes[field], k.Bytes = z, k.Bytes+more
	return true
}

// Forget keeps the sizes of a field no longer. A snapshot that can still see the field may have
// them kept once more, until the next flush.
func (k *keptSizes) Forget(m *memory.Bound, field uint32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if z := k.sizes[field]; z != nil {
		m.Change(memory.Indexes, -4*int64(len(z.Sizes)))
		k.Bytes -= 4 * int64(len(z.Sizes))
		delete(k.sizes, field)
	}
}

// Leave gives the memory back.
func (k *keptSizes) Leave(m *memory.Bound) {
	k.mu.Lock()
	defer k.mu.Unlock()
	m.Change(memory.Indexes, -k.Bytes)
	k.sizes, k.Bytes, k.left = nil, 0, true
}
