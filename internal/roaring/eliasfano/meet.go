// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

// A list of few values is put together value by value from the one word that its upper part is, and
// each is looked up in the other list as a Probe would: nothing is written to memory and
// nothing made ready, which would take longer than the search for so few.

// PairLen counts the values that two blocks have in common if each upper part is one word. That is
// up to some 25 values. It takes no longer than to find out whether other lists overlap. The head
// bytes before both blocks may be read. ok is false for other blocks, and on other processors.
func PairLen(a, b *Packed, head int) (n int, ok bool) {
	if a.N > b.N {
		a, b = b, a
	}
	few, many := a.upper(), b.upper()
	if uint(few-1) >= meetWord || uint(many-1) >= meetWord || max(a.Low, b.Low) > maxGatherLow ||
		min(len(a.Block), len(b.Block))+head < 8 {
		return 0, false
	}
	n = packedTiny(a, b, few, many)
	return n, n >= 0
}

// MeetLen returns how many values two blocks have in common. head is a number of bytes that
// stand before both blocks and may be read. ok is false if it did not find out: because both have
// too many values, or those of the shorter one lie too far apart in the longer one.
func MeetLen(a, b *Packed, head int) (n int, ok bool) {
	if a.N > b.N {
		a, b = b, a
	}
	few, many := a.upper(), b.upper()
	if few == 0 || many == 0 {
		return 0, false
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
	it, probe := few.Iter(), many.probe()
	for d, ok := it.Next(); ok; d, ok = it.Next() {
		if probe.Has(d) {
			n++
		}
	}
	return n
}
