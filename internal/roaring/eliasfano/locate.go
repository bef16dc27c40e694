// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Packed payloads that change where they lie. A room is the memory of one: a byte with the low
// width, the block, and bytes that are free. Its length is a multiple of 8, so that it is read and
// written as words; the upper part begins at bit 8.

const upperAt = 8 // bit of a room at which the upper part begins

// Locate returns the number of values less than d, and whether d is one of them. room holds a valid
// payload of size bytes and n values.
func Locate(room []byte, size, n int, d uint64) (i int, found bool) {
	l := uint(room[0] & 63)
	if l == shortLow && len(room) >= shortFrom {
		return locateShort(room, size, n, d)
	}
	lower := 8*size - n*int(l)
	high := d >> l
	if high >= uint64(lower) {
		return n, false
	}
	at, need := upperAt, int(high) // the bucket of high begins behind as many zeros
	if need > 0 {
		w := 0
		zeros := ^word(room, 0) >> upperAt << upperAt
		for c := bits.OnesCount64(zeros); c < need; c = bits.OnesCount64(zeros) {
			need -= c
			if w++; w<<6 >= lower {
				return n, false
			}
			zeros = ^word(room, w)
		}
		if at = w<<6 + swar.SelectBit(zeros, need-1) + 1; at > lower {
			return n, false
		}
	}
	i = at - upperAt - int(high)
	in, found := locateAmong(room, lower+i*int(l), onesAt(room, at, lower), l, d&(1<<l-1))
	return i + in, found
}

// locatedAtOnce is the number of lower parts that are compared all at once.
const locatedAtOnce = 4

// locateAmong looks low up among n ascending lower parts of l bits, from bit off of a room on. It
// returns how many are less than low, and whether one is low. Branches depend only on their number.
func locateAmong(room []byte, off, n int, l uint, low uint64) (i int, found bool) {
	for n > locatedAtOnce {
		if l == 16 { // whole bytes: an array
			lows := room[off>>3:][:2*n]
			at := array.Search(lows, uint16(low))
			return i + at, at < n && uint64(swar.Uint16(lows, 2*at)) == low
		}
		half := n / 2
		less := int((swar.LowBits(room, off+(half-1)*int(l), l)-low)>>63) * half
		i += less
		off += less * int(l)
		n -= half
	}
	if l > 57 {
		for ; n > 0; n-- {
			if got := swar.LowBits(room, off, l); got >= low {
				return i, got == low
			}
			i++
			off += int(l)
		}
		return i, false
	}
	end, mask, less, same := len(room)-8, uint64(1)<<l-1, 0, 0
	for k := range locatedAtOnce {
		at := min(off>>3, end)
		got := swar.Uint64(room, at) >> ((off - 8*at) & 63) & mask
		in := int(uint(k-n) >> swar.SignBit)
		less += int((got-low)>>63) & in
		same |= int(((got^low)-1)>>63) & in
		off += int(l)
	}
	return i + less, same != 0
}

// onesAt returns how many ones follow each other from bit at on, before bit limit.
func onesAt(room []byte, at, limit int) (n int) {
	for end := at; end < limit; end = end&^63 + 64 {
		ones := bits.TrailingZeros64(^(word(room, end>>6) >> (end & 63)))
		n += ones
		if ones < 64-end&63 {
			break
		}
	}
	return min(n, max(limit-at, 0))
}

// High returns the upper bits of the last value of a valid payload of size bytes and n
// values.
func High(room []byte, size, n int) uint64 {
	if room[0]&63 == shortLow {
		return highShort(room, size, n)
	}
	lower := 8*size - n*int(room[0]&63)
	w := (lower - 1) >> 6
	x := word(room, w) & (^uint64(0) >> (63 - (lower-1)&63))
	for x == 0 && w > 0 {
		w--
		x = word(room, w)
	}
	return uint64(max(w<<6+bits.Len64(x)-upperAt-n, 0))
}

// Put inserts d as value i into a valid payload of size bytes and n values. The other values keep
// their order. The room must hold the new payload of newSize bytes: one more than Bytes of n+1
// values and the low width of the payload.
//
// It moves only the upper bits behind d, and the lower bits before and behind it. The lower bits
// move by bytes, and so do the upper bits if the low width is a multiple of 8.
func Put(room []byte, size, newSize, n, i int, d uint64) {
	l := int(room[0] & 63)
	if l == shortLow {
		putShort(room, size, newSize, n, i, d)
		return
	}
	lower, newLower := 8*size-n*l, 8*newSize-(n+1)*l
	if grown := newSize - size; grown > 0 && i < n {
		behind := (lower + i*l) >> 3
		copy(room[behind+grown:newSize], room[behind:size])
	}
	moveBits(room, newLower, lower, i*l)
	putBits(room, newLower+i*l, d, l)
	if newLower > lower {
		clearBits(room, lower, newLower)
	}
	insertOne(room, upperAt+int(d>>l)+i, newLower)
}

// insertOne puts a one at bit at, and moves the bits from there up to limit up by one.
func insertOne(room []byte, at, limit int) {
	w := at >> 6
	x := word(room, w)
	keep := uint64(1)<<(at&63) - 1
	y := x&keep | (keep + 1) | x&^keep<<1
	for 64*(w+1) < limit {
		putWord(room, w, y)
		carry := x >> 63
		w++
		x = word(room, w)
		y = x<<1 | carry
	}
	below := ^uint64(0) >> (63 - (limit-1)&63)
	putWord(room, w, y&below|x&^below)
}

// moveBits moves n bits from bit from to bit to, which may overlap.
func moveBits(room []byte, to, from, n int) {
	if n <= 0 || to == from {
		return
	}
	if (to|from|n)&7 == 0 {
		copy(room[to>>3:(to+n)>>3], room[from>>3:(from+n)>>3])
		return
	}
	first, last := to>>6, (to+n-1)>>6
	head, tail := ^uint64(0)<<(to&63), ^uint64(0)>>(63-(to+n-1)&63)
	w, end, step := first, last+1, 1 // down: ascending, so that no bit is read that was written
	if to > from {
		w, end, step = last, first-1, -1
	}
	for ; w != end; w += step {
		mask := ^uint64(0)
		if w == first {
			mask = head
		}
		if w == last {
			mask &= tail
		}
		putWord(room, w, word(room, w)&^mask|bitsAt(room, w<<6+from-to)&mask)
	}
}

// bitsAt returns the 64 bits from bit at on; those outside the room are zero.
func bitsAt(room []byte, at int) (x uint64) {
	w, shift := at>>6, uint(at&63)
	if uint(w) < uint(len(room)/8) {
		x = word(room, w) >> shift
	}
	if shift > 0 && uint(w+1) < uint(len(room)/8) {
		x |= word(room, w+1) << (64 - shift)
	}
	return x
}

// putBits writes the low n bits of x, at most 63, at bit at.
func putBits(room []byte, at int, x uint64, n int) {
	mask := uint64(1)<<n - 1
	x &= mask
	w, shift := at>>6, uint(at&63)
	if mask == 0 {
		return
	}
	putWord(room, w, word(room, w)&^(mask<<shift)|x<<shift)
	if int(shift)+n > 64 {
		putWord(room, w+1, word(room, w+1)&^(mask>>(64-shift))|x>>(64-shift))
	}
}

// clearBits clears the bits [from, to), at least one.
func clearBits(room []byte, from, to int) {
	first, last := from>>6, (to-1)>>6
	for w := first; w <= last; w++ {
		mask := ^uint64(0)
		if w == first {
			mask <<= from & 63
		}
		if w == last {
			mask &= ^uint64(0) >> (63 - (to-1)&63)
		}
		putWord(room, w, word(room, w)&^mask)
	}
}

func word(room []byte, w int) uint64 { return binary.LittleEndian.Uint64(room[8*w : 8*w+8]) }

func putWord(room []byte, w int, x uint64) { binary.LittleEndian.PutUint64(room[8*w:8*w+8], x) }
