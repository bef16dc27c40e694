// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"maps"

	"github.com/uproar-db/uproar/bitmap"
)

// tombstones are what was taken away as a whole since the last flush: records, and the lists of
// rows. They are kept as sets, because naming every list that has a deleted record would take a
// walk over all of them. What is published never changes; change makes the next ones.
type tombstones struct {
	dead    *bitmap.Bitmap            // records that were deleted; an ID is never used again
	emptied map[uint32]*bitmap.Bitmap // field → rows whose lists were emptied
}

// tombstoneBytes is what a removal counts for in the memory of a delta.
const tombstoneBytes = 64

func (r *tombstones) clone() *tombstones {
	c := &tombstones{dead: new(bitmap.Bitmap), emptied: make(map[uint32]*bitmap.Bitmap)}
	if r == nil {
		return c
	}
	c.dead = r.dead.Clone()
	maps.Copy(c.emptied, r.emptied)
	for field, rows := range c.emptied {
		c.emptied[field] = rows.Clone()
	}
	return c
}

// isDead reports whether a record was deleted.
func (r *tombstones) isDead(record uint64) bool { return r != nil && r.dead.Contains(record) }

// isEmptied reports whether the list of a row was emptied.
func (r *tombstones) isEmptied(field uint32, row uint64) bool {
	if r == nil {
		return false
	}
	rows := r.emptied[field]
	return rows != nil && rows.Contains(row)
}

// masks are the removals of the deltas of a state together, in the form in which lists are read:
// which records to leave out of the lists of a field, as far as they are on pages. They never
// change.
type masks struct {
	active, frozen *tombstones
	dead           bitmap.View
	relations      map[uint32]bitmap.View // relation → the dead and the rows that were emptied in its inverse
}

// masks returns those of two deltas, the ones of the state before if nothing has changed, and nil
// if there are none.
func (ix *Index) masks(before *masks, active, frozen *delta) *masks {
	m := &masks{active: active.removals}
	if frozen != nil {
		m.frozen = frozen.removals
	}
	switch {
	case m.active == nil && m.frozen == nil:
		return nil
	case before != nil && before.active == m.active && before.frozen == m.frozen:
		return before
	}
	dead, emptied := new(bitmap.Bitmap), map[uint32]*bitmap.Bitmap{}
	for _, r := range [...]*tombstones{m.active, m.frozen} {
		if r == nil {
			continue
		}
		dead.Or(r.dead.View())
		for field, rows := range r.emptied {
			if emptied[field] == nil {
				emptied[field] = new(bitmap.Bitmap)
			}
			emptied[field].Or(rows.View())
		}
	}
	m.dead = dead.View()
	m.relations = make(map[uint32]bitmap.View)
	for field, rows := range emptied {
		if inverse := ix.fieldOf(field).Inverse; inverse != 0 {
			rows.Or(m.dead)
			m.relations[inverse] = rows.View()
		}
	}
	return m
}

// of returns the records to leave out of the lists of a field.
func (m *masks) of(field uint32) bitmap.View {
	if m == nil {
		return bitmap.View{}
	}
	if v, ok := m.relations[field]; ok {
		return v
	}
	return m.dead
}

// isDead reports whether a record was deleted.
func (m *masks) isDead(record uint64) bool {
	return m != nil && (m.active.isDead(record) || m.frozen.isDead(record))
}

// hasDead reports whether records of a container were deleted.
func (m *masks) hasDead(key uint64) bool {
	return m != nil && m.dead.LenRange(key<<16, key<<16|0xFFFF) > 0
}
