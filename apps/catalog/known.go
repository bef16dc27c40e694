// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/uproar-db/uproar"
)

// The bounds of what is kept of a catalog, a power of two, and of a value: at most some 5 MB, and 2 MB of values as long as those of prices.
const (
	mostKnown    = 1 << 14
	longestKnown = 256
)

// rarely is which of the values that find no room takes that of another: those that are often searched for come in, and searches of ever new ones do not leave work for the collector.
const rarely = 16

// known is the rows of values that searches have named, alone and combined, so that they are not looked up again: a row never changes. It is a table in which each value has two places, read and written without a
// lock; a value that finds both taken is left out most times. The zero value is empty. Safe for concurrent use.
type known struct {
	table   atomic.Pointer[knownTable] // nil: nothing was searched for yet
	refused atomic.Uint32
}

type knownTable struct {
	seed  maphash.Seed
	slots [mostKnown]atomic.Pointer[knownRow]
}

// knownRow is the row of a value of an attribute, or a group, by the number of its field.
type knownRow struct {
	row   uproar.RowID
	field int
	value string
}

// places returns where a value may be.
func (t *knownTable) places(value string) (a, b *atomic.Pointer[knownRow]) {
	h := maphash.String(t.seed, value)
	return &t.slots[h%mostKnown], &t.slots[h>>32%mostKnown]
}

// find returns the row of a value in a field.
func (k *known) find(field int, value string) (row uproar.RowID, ok bool) {
	t := k.table.Load()
	if t == nil {
		return row, false
	}
	a, b := t.places(value)
	if r := a.Load(); r != nil && r.field == field && r.value == value {
		return r.row, true
	}
	if r := b.Load(); r != nil && r.field == field && r.value == value {
		return r.row, true
	}
	return row, false
}

// note takes down the row of a value that find did not know.
func (k *known) note(field int, value string, row uproar.RowID) {
	if len(value) > longestKnown {
		return
	}
	t := k.table.Load()
	if t == nil {
		k.table.CompareAndSwap(nil, &knownTable{seed: maphash.MakeSeed()})
		t = k.table.Load()
	}
	place, other := t.places(value)
	if place.Load() != nil && other.Load() == nil {
		place = other
	}
	if place.Load() == nil || k.refused.Add(1)%rarely == 0 {
		place.Store(&knownRow{row, field, strings.Clone(value)})
	}
}
