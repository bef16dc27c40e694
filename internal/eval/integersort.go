// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// sortOut takes the records of a block, of about as many as ranges: it puts their absolute values
// together from the digits that are left, and looks them up.
func (r *integers) sortOut(b container.Block, digits int, base uint64, wanted []span) {
	s := &r.sorted
	s.records = b.AppendLow(s.records[:0])
	s.values = slices.Grow(s.values[:0], len(s.records))[:len(s.records)]
	for i := range s.values {
		s.values[i] = base
	}
	for i := range digits {
		if r.digits[i] == nil {
			continue
		}
		at := 0
		s.having = s.meet.And(b, r.digit(i, b.Key)).AppendLow(s.having[:0])
		for _, low := range s.having {
			for s.records[at] != low {
				at++
			}
			s.values[at] |= 1 << i
		}
	}
	for i, x := range s.values {
		if has(wanted, x) {
			s.put(s.records[i])
		}
	}
}

// sortedOut is records that were looked up one by one.
type sortedOut struct {
	set     [1 << 10]uint64 // bits of the wanted ones
	some    bool            // there are any
	records []uint16        // scratch, as what follows
	having  []uint16
	values  []uint64
	meet    container.Scratch
}

// put notes a record.
func (s *sortedOut) put(low uint16) {
	s.set[low>>6] |= 1 << (low & 63)
	s.some = true
}

// lows returns the records that were put since the last call.
func (s *sortedOut) lows() []uint16 {
	if !s.some {
		return nil
	}
	s.some = false
	lows := s.records[:0]
	for i, word := range s.set {
		for ; word != 0; word &= word - 1 {
			lows = append(lows, uint16(i<<6+bits.TrailingZeros64(word)))
		}
	}
	clear(s.set[:])
	s.records = lows
	return lows
}

// keptValues is how many values an unused node has memory for.
const keptValues = 1 << 10

// clear lets go of what takes much memory.
func (s *sortedOut) clear() {
	if s.lows(); cap(s.records) > keptValues {
		s.records, s.having, s.values = nil, nil, nil
	}
}
