// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// Cut is a place between two values of a packed payload that have different upper bits.
type Cut struct {
	N          int    // values before it
	Last, Next uint64 // upper bits of the last value before it and of the first behind
}

// CutPacked returns the cut next to the middle of a valid payload, of size bytes and n values, in a room as PackedPut takes it. ok is false if there is
// none, or if more than most values have the same upper bits. It takes a step for each zero of the upper part.
func CutPacked(room []byte, size, n, most int) (c Cut, ok bool) {
	lower := 8*size - n*int(room[0]&63)
	last, end := uint64(0), 0
	for at, high := upperAt, uint64(0); end < n && at <= lower; high++ {
		ones := onesAt(room, at, lower)
		at += ones + 1
		if ones == 0 {
			continue
		}
		if ones > most {
			return c, false
		}
		begin := end
		end += ones
		switch {
		case begin <= n/2 && n/2 < end:
			if c = (Cut{N: begin, Last: last, Next: high}); begin == 0 || end < n && begin+end < n {
				c = Cut{N: end, Last: high}
			}
		case begin > 0 && begin == c.N:
			c.Next = high
		}
		last = high
	}
	return c, end == n && c.N > 0 && c.N < n
}

// SplitPacked writes the values of a valid payload before a cut to left, and those behind it to right, the upper bits of which are less by c.Next then. Both
// keep the low width and have the size of a payload of theirs. They do not overlap the room. Nothing is decoded: both parts of each are moved.
func SplitPacked(left, right, room []byte, size, n int, c Cut) {
	l := int(room[0] & 63)
	lower := 8*size - n*l
	rest := n - c.N
	begin := upperAt + c.N + int(c.Next) // bit of the first value behind the cut
	clear(left)
	clear(right)
	left[0], right[0] = room[0], room[0]
	copyBits(left, upperAt, room, upperAt, c.N+int(c.Last))
	copyBits(right, upperAt, room, begin, min(lower-begin, 8*len(right)-rest*l-upperAt))
	copyBits(left, 8*len(left)-c.N*l, room, lower, c.N*l)
	copyBits(right, 8*len(right)-rest*l, room, lower+c.N*l, rest*l)
}
