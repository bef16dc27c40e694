// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Cut is a place between two values of a packed payload that have different upper bits.
type Cut struct {
	N          int    // values before it
	Last, Next uint64 // upper bits of the last value before it and of the first behind
}

// FindCut returns the cut next to the middle of a valid payload of size bytes and n values. The
// room is one that Put takes. ok is false if there is no cut, or if more than most values have the
// same upper bits. It takes a few steps for each word of the upper part.
func FindCut(room []byte, size, n, most int) (c Cut, ok bool) {
	upper := upperPart{room, 8*size - n*int(room[0]&63)}
	if n == 0 || upper.runBeyond(most) {
		return c, false
	}
	middle := upper.one(n / 2)
	begin, end := upper.zeroBefore(middle)+1, upper.zeroFrom(middle) // bits of the chunk of the middle value
	c.N = n/2 - (middle - begin)
	if behind := n/2 + end - middle; c.N == 0 || behind < n && c.N+behind < n {
		c.N, begin = behind, end+1
	}
	if c.N == n {
		return c, false
	}
	c.Last = uint64(upper.oneBefore(begin) - upperAt - c.N + 1)
	c.Next = uint64(upper.oneFrom(begin) - upperAt - c.N)
	return c, true
}

// upperPart is the upper part of a payload, in its room: the bits from upperAt to end. Those around
// it read as zeros.
type upperPart struct {
	room []byte
	end  int
}

func (u upperPart) words() int { return (u.end + 63) >> 6 }

func (u upperPart) word(w int) uint64 {
	x := word(u.room, w)
	if w == 0 {
		x = x >> upperAt << upperAt
	}
	if behind := w<<6 + 64 - u.end; behind > 0 {
		x = x << (behind & 63) >> (behind & 63)
	}
	return x
}

// runBeyond reports whether more than most ones follow each other, of 64 at most: the ones that end
// as many before them are found for twice as many from those for once, and so on, in all places of
// a word at once.
func (u upperPart) runBeyond(most int) bool {
	var before [6]uint64 // of the word before, for each step
	for w := range u.words() {
		x := u.word(w)
		for step, n := 0, 1; n <= most && step < len(before); step++ {
			by := min(n, most+1-n)
			x, before[step] = x&(x<<by|before[step]>>(64-by)), x
			n += by
		}
		if x != 0 {
			return true
		}
	}
	return false
}

// one returns the place of one number k, counted from 0, which must be there.
func (u upperPart) one(k int) int {
	w, x := 0, u.word(0)
	for n := bits.OnesCount64(x); n <= k && w+1 < u.words(); n = bits.OnesCount64(x) {
		k -= n
		w++
		x = u.word(w)
	}
	return w<<6 + swar.SelectBit(x, k)
}

// zeroFrom returns the place of the first zero from bit at on.
func (u upperPart) zeroFrom(at int) int { return at + onesAt(u.room, at, u.end) }

// oneFrom returns the place of the first one from bit at on, which must be there.
func (u upperPart) oneFrom(at int) int {
	w := at >> 6
	x := u.word(w) &^ (1<<(at&63) - 1)
	for x == 0 && w+1 < u.words() {
		w++
		x = u.word(w)
	}
	return w<<6 + bits.TrailingZeros64(x)
}

// zeroBefore returns the place of the last zero before bit at, which is upperAt-1 at least.
func (u upperPart) zeroBefore(at int) int {
	w := at >> 6
	x := ^u.word(w) & (1<<(at&63) - 1)
	for x == 0 && w > 0 {
		w--
		x = ^u.word(w)
	}
	return w<<6 + bits.Len64(x) - 1
}

// oneBefore returns the place of the last one before bit at, which must be there.
func (u upperPart) oneBefore(at int) int {
	w := at >> 6
	x := u.word(w) & (1<<(at&63) - 1)
	for x == 0 && w > 0 {
		w--
		x = u.word(w)
	}
	return w<<6 + bits.Len64(x) - 1
}

// Split writes the values of a valid payload before a cut to left, and those behind it to right. It
// subtracts c.Next from the upper bits on the right. left and right keep the low width, have the
// sizes of their payloads, and do not overlap the room. It moves both parts of each and decodes
// nothing.
func Split(left, right, room []byte, size, n int, c Cut) {
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
