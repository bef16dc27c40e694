// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"maps"

	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Tombstones are what was taken away as a whole since the last flush: records, and the lists of
// rows. They are kept as sets, because naming every list that has a deleted record would take a
// walk over all of them. What is published never changes; change makes the next ones.
type Tombstones struct {
	Dead    *mutable.Bitmap            // records that were deleted; an ID is never used again
	Emptied map[uint32]*mutable.Bitmap // field → rows whose lists were emptied
}

// TombstoneBytes is what a deletion counts for in the memory of a delta.
const TombstoneBytes = 64

func (r *Tombstones) clone() *Tombstones {
	c := &Tombstones{Dead: new(mutable.Bitmap), Emptied: make(map[uint32]*mutable.Bitmap)}
	if r == nil {
		return c
	}
	c.Dead = r.Dead.Clone()
	maps.Copy(c.Emptied, r.Emptied)
	for field, rows := range c.Emptied {
		c.Emptied[field] = rows.Clone()
	}
	return c
}

// IsDead reports whether a record was deleted.
func (r *Tombstones) IsDead(record uint64) bool { return r != nil && r.Dead.Contains(record) }

// IsEmptied reports whether the list of a row was emptied.
func (r *Tombstones) IsEmptied(field uint32, row uint64) bool {
	if r == nil {
		return false
	}
	rows := r.Emptied[field]
	return rows != nil && rows.Contains(row)
}

// Masks are the deletions of the deltas of a state together, in the form in which lists are read:
// which records to leave out of the lists of a field, as far as they are on pages. They never
// change.
type Masks struct {
	Active, Frozen *Tombstones
	Dead           view.View
	relations      map[uint32]view.View // relation → the dead and the rows that were emptied in its inverse
}

// NewMasks returns the masks of two deltas, nil if neither deletes anything. It returns the masks
// of the state before if nothing has changed. inverse returns the inverse of a relation, 0 of other
// fields.
func NewMasks(before *Masks, active, frozen *Table, inverse func(field uint32) uint32) *Masks {
	m := &Masks{Active: active.Tombstones}
	if frozen != nil {
		m.Frozen = frozen.Tombstones
	}
	switch {
	case m.Active == nil && m.Frozen == nil:
		return nil
	case before != nil && before.Active == m.Active && before.Frozen == m.Frozen:
		return before
	}
	dead, emptied := new(mutable.Bitmap), map[uint32]*mutable.Bitmap{}
	for _, r := range [...]*Tombstones{m.Active, m.Frozen} {
		if r == nil {
			continue
		}
		roaring.OrWith(dead, r.Dead.View())
		for field, rows := range r.Emptied {
			if emptied[field] == nil {
				emptied[field] = new(mutable.Bitmap)
			}
			roaring.OrWith(emptied[field], rows.View())
		}
	}
	m.Dead = dead.View()
	m.relations = make(map[uint32]view.View)
	for field, rows := range emptied {
		if inverse := inverse(field); inverse != 0 {
			roaring.OrWith(rows, m.Dead)
			m.relations[inverse] = rows.View()
		}
	}
	return m
}

// Of returns the records to leave out of the lists of a field.
func (m *Masks) Of(field uint32) view.View {
	if m == nil {
		return view.View{}
	}
	if v, ok := m.relations[field]; ok {
		return v
	}
	return m.Dead
}

// IsDead reports whether a record was deleted.
func (m *Masks) IsDead(record uint64) bool {
	return m != nil && (m.Active.IsDead(record) || m.Frozen.IsDead(record))
}

// HasDead reports whether records of a container were deleted.
func (m *Masks) HasDead(key uint64) bool {
	return m != nil && view.LenRange(m.Dead, key<<16, key<<16|0xFFFF) > 0
}
