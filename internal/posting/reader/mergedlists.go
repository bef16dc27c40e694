// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// MergedLists are the posting lists of one state that readers have merged with what the deltas say
// of them. A merged list is one bitmap without edits, so reading it costs what it costs after a
// flush. All readers of the state share it. Reading takes no lock.
//
// The lists count against the memory bound until the next state is published. A reader that still
// holds one keeps it alive, as it does a page that the cache has dropped.
type MergedLists struct {
	table atomic.Pointer[[]atomic.Pointer[mergedList]] // open addressing; nil: there are none

	mu      sync.Mutex // of changes, and of what is below
	count   int
	Bytes   int64
	ended   bool                     // the state is not the current one: nothing is kept any more
	columns map[uint32]*editedColumn // of fields
	sizes   map[uint32][]uint32      // of the rows of fields
}

// mergedList is the list of a row. It never changes.
type mergedList struct {
	Field uint32
	Row   uint64
	view  view.View
	Bytes int64
}

const (
	// mergedShare is the part of the memory bound that the merged lists of a state may take.
	mergedShare = 16

	// mergedOverhead is what a merged list takes beside its bytes.
	mergedOverhead = 128

	leastMergedSlots = 64
)

// What overlaying and merging a list take, in nanoseconds and about. A list is merged once its
// readers have spent as much on overlaying it as merging costs, so that both together cost twice
// the least.
const (
	overlayCost     = 2000 // memory for overlaid blocks
	overlayEditCost = 10   // an edit
	overlayRecords  = 8    // records of the list in a nanosecond
	overlayAndCost  = 300  // where the list is intersected with another one without being overlaid
	mergeCost       = 4000
	mergeRecordCost = 1
)

func mergedHash(field uint32, row uint64) uint64 { return delta.FilterHash(row ^ uint64(field)<<44) }

// get returns the merged list of a row; nil if there is none.
func (m *MergedLists) get(field uint32, row uint64) *mergedList {
	if m == nil {
		return nil
	}
	table := m.table.Load()
	if table == nil {
		return nil
	}
	_, l := mergedSlot(*table, field, row)
	return l
}

// mergedSlot returns the slot of a row's list, with the list. If there is no such list, it returns
// the free slot for it. The table must have a free slot. A caller without the lock must not load
// the slot again: another row's list may have taken it since.
func mergedSlot(table []atomic.Pointer[mergedList], field uint32, row uint64) (*atomic.Pointer[mergedList],
	*mergedList) {
	last := uint64(len(table) - 1)
	for at := mergedHash(field, row) & last; ; at = (at + 1) & last {
		l := table[at].Load()
		if l == nil || l.Row == row && l.Field == field {
			return &table[at], l
		}
	}
}

// put adds a list if there is memory for it. It does nothing if the list is there already or the
// state has ended.
func (m *MergedLists) put(memory *memory.Bound, l *mergedList) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.get(l.Field, l.Row) != nil || !m.take(memory, l.Bytes) {
		return
	}
	m.count++
	table := m.table.Load()
	if table == nil || 2*m.count > len(*table) {
		table = grown(table)
	}
	slot, _ := mergedSlot(*table, l.Field, l.Row)
	slot.Store(l)
	m.table.Store(table)
}

// take counts memory, if it is there. The caller holds m.mu.
func (m *MergedLists) take(memory *memory.Bound, bytes int64) bool {
	if m.ended || m.Bytes+bytes > memory.Limit/mergedShare || !memory.TakeMerged(bytes) {
		return false
	}
	m.Bytes += bytes
	return true
}

// column returns what is kept of the value column of a field.
func (m *MergedLists) column(field uint32) (e *editedColumn, ok bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok = m.columns[field]
	return e, ok
}

// putColumn keeps the value column of a field, if there is memory for it.
func (m *MergedLists) putColumn(memory *memory.Bound, field uint32, e *editedColumn) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.columns[field] != nil || !m.take(memory, e.bytes()+mergedOverhead) {
		return
	}
	if m.columns == nil {
		m.columns = make(map[uint32]*editedColumn)
	}
	m.columns[field] = e
}

// sizesOf returns the sizes of the rows of a field, if they are kept.
func (m *MergedLists) sizesOf(field uint32) (sizes []uint32, ok bool) {
	if m == nil {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	sizes, ok = m.sizes[field]
	return sizes, ok
}

// putSizes keeps the sizes of the rows of a field, and reports whether there was memory for them.
func (m *MergedLists) putSizes(memory *memory.Bound, field uint32, sizes []uint32) bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sizes[field] != nil || !m.take(memory, 4*int64(cap(sizes))) {
		return false
	}
	if m.sizes == nil {
		m.sizes = make(map[uint32][]uint32)
	}
	m.sizes[field] = sizes
	return true
}

// grown returns a table of twice the slots with the same lists.
func grown(table *[]atomic.Pointer[mergedList]) *[]atomic.Pointer[mergedList] {
	if table == nil {
		return new(make([]atomic.Pointer[mergedList], leastMergedSlots))
	}
	larger := make([]atomic.Pointer[mergedList], 2*len(*table))
	for i := range *table {
		if l := (*table)[i].Load(); l != nil {
			slot, _ := mergedSlot(larger, l.Field, l.Row)
			slot.Store(l)
		}
	}
	return &larger
}

// End gives the memory back. Snapshots of the state go on reading what is there.
func (m *MergedLists) End(memory *memory.Bound) {
	m.mu.Lock()
	defer m.mu.Unlock()
	memory.GiveMerged(m.Bytes)
	m.ended, m.Bytes = true, 0
}

// overlayDebts counts what readers have spent on overlaying lists. Two lists may share a place; the
// later one takes it over then. Safe for concurrent use.
type overlayDebts [1 << 10]atomic.Uint64

const debtBits = 32 // of a place: the debt in nanoseconds; the others tell lists apart

// add adds a cost of overlaying a list of a state. It returns the total so far.
func (d *overlayDebts) add(field uint32, row, state, cost uint64) (debt uint64) {
	hash := mergedHash(field, row) ^ delta.FilterHash(state)
	place, name := &d[hash%uint64(len(d))], hash>>debtBits<<debtBits
	if before := place.Load(); before>>debtBits<<debtBits == name {
		debt = before &^ name
	}
	debt = min(debt+cost, 1<<debtBits-1)
	place.Store(name | debt)
	return debt
}
