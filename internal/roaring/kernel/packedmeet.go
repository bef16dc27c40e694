// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// A list of few values is put together value by value from the one word that its upper part is, and
// each is looked up in the other list as a PackedProbe would: nothing is written to memory and
// nothing made ready, which would take longer than the search for so few.

// What the values of two lists are up to that are compared all with all: fewer are put together and
// looked up one by one in as long.
const (
	pairFrom  = 3 // values of the shorter one
	pairMost  = 16
	pairBytes = 64
)

// What the values of two longer lists are up to that are compared all with all.
const (
	longFrom  = 4 // values of the shorter one
	longMost  = 32
	longBytes = 128 // and bits of an upper part
	longLow   = 25  // bits of a lower part, which begins anywhere in four bytes
)

// pairsLong reports whether two blocks are lists of which all values can be compared with all, as
// numbers of 32 bits: so few bits of an upper part, of which one ends it, and of a lower part make
// no larger ones.
func pairsLong(few, many *Packed, fewUpper, manyUpper int) bool {
	return max(few.N, many.N) <= longMost && max(len(few.Block), len(many.Block), fewUpper, manyUpper) <= longBytes &&
		max(few.Low, many.Low) <= longLow
}

// PackedPairLen returns how many values two blocks have in common whose upper parts are one word
// each, up to some 25 values: in the time that it takes to find out of other lists whether they
// overlap. head is a number of bytes that stand before both blocks and may be read. ok is false of
// other blocks, and on other processors.
func PackedPairLen(a, b *Packed, head int) (n int, ok bool) {
	if a.N > b.N {
		a, b = b, a
	}
	few, many := a.upper(), b.upper()
	if uint(few-1) >= meetWord || uint(many-1) >= meetWord || max(a.Low, b.Low) > maxGatherLow ||
		min(len(a.Block), len(b.Block))+head < 8 {
		return 0, false
	}
	n = packedPair(a, b, few, many)
	return n, n >= 0
}

// PackedMeetLen returns how many values two blocks have in common. head is a number of bytes that
// stand before both blocks and may be read. ok is false if it did not find out: because both have
// too many values, or those of the shorter one lie too far apart in the longer one.
func PackedMeetLen(a, b *Packed, head int) (n int, ok bool) {
	if a.N > b.N {
		a, b = b, a
	}
	few, many := a.upper(), b.upper()
	if few == 0 || many == 0 {
		return 0, false
	}
	if n = packedPairLong(a, b, few, many); n >= 0 {
		return n, true
	}
	if few > meetWord || max(a.Low, b.Low) > maxGatherLow || min(len(a.Block), len(b.Block))+head < 8 {
		return 0, false
	}
	n = packedMeet(a, b, few, many)
	return n, n >= 0
}

// meetInGo is packedMeetGeneric where there is no assembly: lists of about the same length are
// compared as a whole in less time.
func meetInGo(few, many *Packed, fewUpper, manyUpper int) int {
	if many.N <= 8*few.N {
		return -1
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}

// packedMeetGeneric returns how many values two blocks have in common, whose upper parts have so
// many bits. Other forms return -1 if they did not find out.
func packedMeetGeneric(few, many *Packed, _, _ int) (n int) {
	it, probe := few.Iter(), many.Probe()
	for d, ok := it.Next(); ok; d, ok = it.Next() {
		if probe.Has(d) {
			n++
		}
	}
	return n
}
