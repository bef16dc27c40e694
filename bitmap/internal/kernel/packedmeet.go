// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// A list of few values is put together value by value from the one word that its upper part is, and each is looked up in the other list as a PackedProbe would: nothing is written to memory and
// nothing made ready, which would take longer than the search for so few.

const (
	meetWord = 64      // bits of the upper part of the shorter list, at most: some 25 values
	meetFar  = 1 << 10 // zeros between values next to each other from which proportions find the way better
)

// PackedMeetLen returns how many values two blocks have in common. head is a number of bytes that stand before both blocks and may be read. ok is false if it did not find out: because both have too many values, or those of the
// shorter one lie too far apart in the longer one. It costs next to nothing if all values of the one are less than those of the other.
func PackedMeetLen(a, b *Packed, head int) (n int, ok bool) {
	if a.N > b.N {
		a, b = b, a
	}
	few, many := a.upper(), b.upper()
	if few == 0 || many == 0 {
		return 0, false
	}
	aFirst, aEnd := a.span(few)
	bFirst, bEnd := b.span(many)
	if aEnd <= bFirst || bEnd <= aFirst {
		return 0, true
	}
	if few > meetWord || max(a.Low, b.Low) > maxGatherLow || min(len(a.Block), len(b.Block))+head < 8 {
		return 0, false
	}
	n = packedMeet(a, b, few, many)
	return n, n >= 0
}

// span returns bounds of the values, by their upper parts alone: they are at least first and less than end.
func (p *Packed) span(upper int) (first, end uint64) {
	// The last one stands in the last byte of the upper part or, beside the padding, in the last but one.
	head, tail, at := uint64(0), uint64(0), 0
	if len(p.Block) >= 8 {
		at = max((upper+7)>>3-8, 0)
		head, tail = leUint64(p.Block, 0), leUint64(p.Block, at)
	} else {
		head = tailWord(p.Block)
		tail = head
	}
	head &= ^uint64(0) >> max(64-upper, 0)
	tail &= ^uint64(0) >> max(64-(upper-8*at), 0)
	first = uint64(bits.TrailingZeros64(head)) << (p.Low & 63)
	high := uint64(8*at + bits.Len64(tail) - p.N + 1)
	if high<<(p.Low&63)>>(p.Low&63) != high {
		return first, ^uint64(0)
	}
	return first, high << (p.Low & 63)
}

// meetInGo is packedMeetGeneric where there is no assembly: lists of about the same length are compared as a whole in less time.
func meetInGo(few, many *Packed, fewUpper, manyUpper int) int {
	if many.N <= 8*few.N {
		return -1
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}

// packedMeetGeneric returns how many values two blocks have in common, whose upper parts have so many bits. Other forms return -1 if they did not find out.
func packedMeetGeneric(few, many *Packed, _, _ int) (n int) {
	it, probe := few.Iter(), many.Probe()
	for d, ok := it.Next(); ok; d, ok = it.Next() {
		if probe.Has(d) {
			n++
		}
	}
	return n
}
