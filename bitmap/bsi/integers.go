// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math"
	"math/bits"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// View returns the integers as a View, which borrows the sets until the next change. It costs
// nothing.
func (s *Integers) View() View {
	return View{owner: s, base: s.base, width: uint8(len(s.slices))}
}

// Len returns the number of records that have an integer.
func (s *Integers) Len() uint64 { return s.records.Len() }

// Value returns the integer of a record; ok is false if it has none.
func (s *Integers) Value(id uint64) (value int64, ok bool) { return s.View().Value(id) }

// Set gives a record an integer, in place of the one that it may have.
//
// It costs an Add or Remove per slice. An integer out of the range so far makes slices: an empty
// one for each further bit above, a copy of the set of records for each power of two that the base
// goes down; at most 64 in the life of an Integers. Once the base may have to pass the smallest
// int64, and all slices are rewritten.
func (s *Integers) Set(id uint64, value int64) {
	if s.records.IsEmpty() {
		s.base, s.slices = value, s.slices[:0]
	}
	s.widen(value)
	u := uint64(value) - uint64(s.base)
	isNew := s.records.Add(id)
	for i := range s.slices {
		if u>>i&1 != 0 {
			s.slices[i].Add(id)
		} else if !isNew {
			s.slices[i].Remove(id)
		}
	}
}

// Clear takes the integer of a record away and reports whether it had one. It costs a Remove per
// slice.
func (s *Integers) Clear(id uint64) bool {
	if !s.records.Remove(id) {
		return false
	}
	for i := range s.slices {
		s.slices[i].Remove(id)
	}
	return true
}

// widen makes room for a value among the distances that the slices can express.
func (s *Integers) widen(value int64) {
	for value < s.base {
		step := uint64(1) << len(s.slices) // 0 for 64 slices
		if above := uint64(s.base) - 1<<63; step == 0 || above < step {
			// There is no base so low: the smallest of all integers must do, and never changes
			// again.
			largest, over := bits.Add64(above, step-1, 0)
			s.rebase(math.MinInt64, max(bits.Len64(largest), maxSlices*int(over)), pack.Fastest)
			break
		}
		// With the base lowered by the step, all distances so far have the next bit as well.
		s.slices = append(s.slices, *s.records.Clone())
		s.base -= int64(step)
	}
	for width := bits.Len64(uint64(value) - uint64(s.base)); len(s.slices) < width; {
		s.slices = append(s.slices, mutable.Bitmap{})
	}
}

// Pack rewrites all sets with the layout given, and with the base and slices that suit the
// integers. The base is the smallest integer. There are as many slices as the difference between
// the largest and the smallest has bits.
func (s *Integers) Pack(layout bitmap.Layout) {
	base, width := s.View().frame()
	s.rebase(base, width, pack.Layout(layout))
}

// rebase rewrites the sets as width slices from another base on, which must express all integers.
func (s *Integers) rebase(base int64, width int, layout pack.Layout) {
	r := rewriting(s.View(), base, width)
	defer r.release()
	*s = *r.integers(layout)
}

// Clone returns a copy. It allocates the sets.
func (s *Integers) Clone() *Integers {
	c := &Integers{records: *s.records.Clone(), slices: make([]mutable.Bitmap, len(s.slices)), base: s.base}
	for i := range s.slices {
		c.slices[i] = *s.slices[i].Clone()
	}
	return c
}
