// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/uproar-db/uproar"
)

// The bounds of what is kept of a catalog, a power of two, and of a value: at most some 5 MB, and 2
// MB of values as long as those of prices.
const (
	mostKnown    = 1 << 14
	longestKnown = 256
)

// rarely is how seldom a value without room takes that of another: one time in rarely. So values
// often searched for come in, and searches of ever new ones leave no work for the collector.
const rarely = 16

// known is what is known of the rows of values in the index of a catalog. A row never changes, but
// a field may be dropped and another one of its name added: what was known is forgotten then. The
// zero value is empty. Safe for concurrent use.
type known struct {
	table atomic.Pointer[knownTable] // nil: nothing was searched for yet
}

// of returns the rows of a version of the index's schema. It returns nil, which knows nothing, for
// a past version.
func (k *known) of(version uint64) *knownTable {
	for {
		t := k.table.Load()
		switch {
		case t != nil && t.version == version:
			return t
		case t != nil && t.version > version:
			return nil
		}
		k.table.CompareAndSwap(t, &knownTable{version: version, seed: maphash.MakeSeed()})
	}
}

// knownTable keeps the rows of values that searches have named, alone and combined. So they are not
// looked up again. Each value has two places in it, read and written without a lock. A value that
// finds both taken is left out most times. Safe for concurrent use.
type knownTable struct {
	version uint64
	seed    maphash.Seed
	refused atomic.Uint32
	slots   [mostKnown]atomic.Pointer[knownRow]
}

// knownRow is the row of a value of an attribute, or a group, by the number of its field.
type knownRow struct {
	row   uproar.RowID
	field int
	value string
}

// places returns where a value of a field may be. Many fields may have the same few values, and
// each has places of its own.
func (t *knownTable) places(field int, value string) (a, b *atomic.Pointer[knownRow]) {
	const spread = 0x9E37_79B9_7F4A_7C15 // 2^64 divided by the golden ratio
	h := maphash.String(t.seed, value) ^ uint64(field)*spread
	return &t.slots[h%mostKnown], &t.slots[h>>32%mostKnown]
}

// find returns the row of a value in a field.
func (t *knownTable) find(field int, value string) (row uproar.RowID, ok bool) {
	if t == nil {
		return row, false
	}
	a, b := t.places(field, value)
	if r := a.Load(); r != nil && r.field == field && r.value == value {
		return r.row, true
	}
	if r := b.Load(); r != nil && r.field == field && r.value == value {
		return r.row, true
	}
	return row, false
}

// note takes down the row of a value that find did not know.
func (t *knownTable) note(field int, value string, row uproar.RowID) {
	if t == nil || len(value) > longestKnown {
		return
	}
	place, other := t.places(field, value)
	if place.Load() != nil && other.Load() == nil {
		place = other
	}
	if place.Load() == nil || t.refused.Add(1)%rarely == 0 {
		place.Store(&knownRow{row, field, strings.Clone(value)})
	}
}
