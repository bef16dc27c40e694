// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Packed payloads with a low width of 16 that change where they lie. Most do: the writing side
// takes a multiple of 8, and 16 is best from one value for 20 000 to one for 5 million. Both parts
// are whole bytes then, the values of one chunk have the same upper bits, and their lower parts are
// an array. What is done for each value that is added has no loop or branch that depends on values,
// as far as containers of usual sizes go.

const (
	shortLow  = 16 // low width
	shortFrom = 32 // bytes of a room from which Locate has a way of its own
	shortMost = 16 // values of a chunk that are compared all at once
)

// locateShort is Locate for a low width of 16 and rooms of at least shortFrom bytes.
func locateShort(room []byte, size, n int, d uint64) (i int, found bool) {
	at := size - 2*n // byte at which the lower parts begin
	high := d >> shortLow
	if at < 1 || high >= uint64(8*at) {
		return n, false
	}
	// The bucket of high begins behind as many zeros and one: that of bit 7, as if the low width
	// were ones and a zero.
	need := int(high) + 1
	head := room[:shortFrom]
	zeros := ^swar.Uint64(head, 0)&^0xFF | 0x80
	a := bits.OnesCount64(zeros)
	b := a + bits.OnesCount64(^swar.Uint64(head, 8))
	c := b + bits.OnesCount64(^swar.Uint64(head, 16))
	// -1 if the word is before that of the bucket
	inA, inB, inC := (a-need)>>swar.SignBit, (b-need)>>swar.SignBit, (c-need)>>swar.SignBit
	w := -(inA + inB + inC)
	before := a&inA + (b-a)&inB + (c-b)&inC
	head = room[8*w : 8*w+8]
	first := uint64(0xFF) &^ uint64(inA) // of the first word alone, bits 0 to 6 are no zeros
	zeros = ^swar.Uint64(head, 0)&^first | first&0x80
	for count := bits.OnesCount64(zeros); before+count < need; count = bits.OnesCount64(zeros) {
		before += count
		if w++; 8*w >= at {
			return n, false
		}
		zeros = ^word(room, w)
	}
	start := w<<6 + swar.SelectBit(zeros, need-before-1) + 1
	if start > 8*at {
		return n, false
	}
	i = start - upperAt - int(high)
	// The ones that follow, of 57 bits at least.
	from := min(start>>3, len(room)-8)
	ones := bits.TrailingZeros64(^(swar.Uint64(room, from) >> ((start - 8*from) & 63)))
	if ones > shortMost {
		ones = onesAt(room, start, 8*at)
	}
	ones = min(ones, 8*at-start)
	at += 2 * i
	low := uint16(d)
	less := 0
	skip := max(at+33-len(room), 0) >> 1 // values before the bucket that are read with it, at the end of the room
	if ones <= shortMost && 2*skip <= at {
		less = searchShort((*[32]byte)(room[at-2*skip:]), skip, ones, low)
	} else {
		less = array.Search(room[at:at+2*ones], low)
	}
	return i + less, less < ones && swar.Uint16(room, at+2*less) == low
}

// searchShort returns how many of n values of lows, behind the first skip, are less than x. skip
// and n are at most 16 together. It compares all sixteen at once, and counts only the n values.
func searchShort(lows *[32]byte, skip, n int, x uint16) int {
	// A lane of 32 bits overflows into bit 16 when its value is at least x.
	add := (1<<16 - uint64(x)) * swar.Lanes32
	a, b := swar.Uint64(lows[:], 0), swar.Uint64(lows[:], 8)
	c, d := swar.Uint64(lows[:], 16), swar.Uint64(lows[:], 24)
	more := (a&swar.Even16+add)&swar.Carry32>>16 | (a>>16&swar.Even16+add)&swar.Carry32>>15
	more |= (b&swar.Even16+add)&swar.Carry32>>14 | (b>>16&swar.Even16+add)&swar.Carry32>>13
	more |= (c&swar.Even16+add)&swar.Carry32>>12 | (c>>16&swar.Even16+add)&swar.Carry32>>11
	more |= (d&swar.Even16+add)&swar.Carry32>>10 | (d>>16&swar.Even16+add)&swar.Carry32>>9
	return bits.OnesCount64(firstLanes[(skip+n)&31] &^ (more | firstLanes[skip&31]))
}

// firstLanes has the bits of searchShort of the first n values: those of word w are 2w, 2w+1, 32+2w
// and 33+2w.
var firstLanes = func() (t [32]uint64) {
	for n := range len(t) - 1 {
		t[n+1] = t[n] | 1<<(n%2+n/2%2*32+n/4*2)
	}
	return t
}()

// highShort is High for a low width of 16: the last one of the upper part stands in its last
// byte or, beside the padding, in the last but one.
func highShort(room []byte, size, n int) uint64 {
	at := size - 2*n
	return uint64(max(8*(at-2)+bits.Len16(swar.Uint16(room, at-2))-upperAt-n, 0))
}

// putShort is Put for a low width of 16.
func putShort(room []byte, size, newSize, n, i int, d uint64) {
	at, newAt := size-2*n, newSize-2*n-2
	behind := at + 2*i
	if i < n {
		copy(room[behind+newSize-size:newSize], room[behind:size])
	}
	if newAt > at {
		copy(room[newAt:newAt+2*i], room[at:behind])
		clear(room[at:newAt])
	}
	swar.PutUint16(room, newAt+2*i, uint16(d))
	insertOne(room, upperAt+int(d>>shortLow)+i, 8*newAt)
}

// shortPadding is the number of bytes behind a payload that AddShort may read.
const shortPadding = 32

// AddShort adds d to a valid payload of size bytes and n values at the beginning of rest. The
// payload may grow to room bytes. AddShort returns the new size, or size if d is there already. It
// returns 0, and does nothing, in these cases:
//
//   - the low width is not 16, or hardly fits,
//   - room does not suffice,
//   - fewer than shortPadding bytes follow the payload in rest,
//   - the upper bits of d are larger than those of all values,
//   - many values share the upper bits of d.
//
// It is Locate and Put at once, for the most common change, in half the instructions. It may read
// what lies behind, and looks at the last value only when the upper part grows by a byte.
func AddShort(rest []byte, size, room, n int, d uint64) (newSize int) {
	if len(rest) < size+shortPadding {
		return 0
	}
	head := (*[16]byte)(rest)
	x := binary.LittleEndian.Uint64(head[:])
	if uint8(x) != shortLow || d>>47 != 0 { // the upper bits of d count zeros in 16 bytes, and must fit an int
		return 0
	}
	at := size - 2*n // byte at which the lower parts begin
	high := int(d >> shortLow)
	// The bucket of high begins behind as many zeros, and seven in the byte of the low width.
	zeros, next := ^x, ^binary.LittleEndian.Uint64(head[8:])
	need := high + 7 - 1
	sums, nextSums := swar.OnesUpTo(zeros), swar.OnesUpTo(next)
	past := (int(sums>>56) - need - 1) >> swar.SignBit // -1 if the bucket begins behind the first word
	need -= int(sums>>56) & past
	zeros ^= (zeros ^ next) & uint64(past)
	sums ^= (sums ^ nextSums) & uint64(past)
	w := -past
	for need >= int(sums>>56) {
		need -= int(sums >> 56)
		if w++; 8*w >= at {
			return 0
		}
		zeros = ^swar.Uint64(rest, 8*w)
		sums = swar.OnesUpTo(zeros)
	}
	// The first byte with more zeros up to it, and the zero in it.
	shift := bits.TrailingZeros64((sums+(0x7F-uint64(need))*swar.Ones8)&swar.Highs8) &^ 7
	need -= int(sums << 8 >> (shift & 63))
	start := w<<6 + shift + int(swar.SelectByte[need&7][uint8(zeros>>(shift&63))]) + 1
	i := start - upperAt - high // values before the bucket
	if start >= 8*at || i >= n {
		return 0
	}
	low, p := uint16(d), at+2*i
	lows := rest[p : p+32]
	// A lane of 32 bits overflows into bit 16 when its value is at least low. The overflows are put
	// in the order of the values.
	add := (1<<16 - uint64(low)) * swar.Lanes32
	a, b := swar.Uint64(lows, 0), swar.Uint64(lows, 8)
	more := (a&swar.Even16+add)&swar.Carry32>>16 | (a>>16&swar.Even16+add)&swar.Carry32>>15
	more |= (b&swar.Even16+add)&swar.Carry32>>12 | (b>>16&swar.Even16+add)&swar.Carry32>>11
	a, b = swar.Uint64(lows, 16), swar.Uint64(lows, 24)
	more |= (a&swar.Even16+add)&swar.Carry32>>8 | (a>>16&swar.Even16+add)&swar.Carry32>>7
	more |= (b&swar.Even16+add)&swar.Carry32>>4 | (b>>16&swar.Even16+add)&swar.Carry32>>3
	less := bits.TrailingZeros64(more | more>>30 | 1<<shortMost)
	ones := min(bits.TrailingZeros64(^(swar.Uint64(rest, start>>3) >> (start & 7))), 8*at-start)
	if less += (ones - less) >> swar.SignBit & (ones - less); less == shortMost {
		return 0
	}
	p += 2 * less
	if swar.Uint16(rest, p) == low && less < ones {
		return size
	}
	grown := 2
	if rest[at-1] >= 0x80 { // the one of the last value would leave the upper part
		if grown = 3; !FitsShort(n+1, uint64(8*at-upperAt-n)) {
			return 0
		}
	}
	newSize = size + grown
	if newSize > room || p > size {
		return 0
	}
	copy(rest[p+grown:newSize], rest[p:size])
	if grown > 2 {
		copy(rest[at+1:p+1], rest[at:p])
		rest[at] = 0
		at++
		p++
	}
	swar.PutUint16(rest, p, low)
	start += less
	from := start >> 3
	one := uint64(1) << (start & 7)
	pair := (*[16]byte)(rest[from:])
	x, next = binary.LittleEndian.Uint64(pair[:]), binary.LittleEndian.Uint64(pair[8:])
	y := x + x&-one | one
	for ; at-from > 16; from += 8 {
		binary.LittleEndian.PutUint64(rest[from:from+8], y)
		y = next<<1 | x>>63
		x, next = next, swar.Uint64(rest, from+16)
	}
	mask := &firstBytes[uint(at-from)%uint(len(firstBytes))]
	last := (*[16]byte)(rest[from:])
	binary.LittleEndian.PutUint64(last[:], x^(x^y)&mask[0])
	y = next<<1 | x>>63
	binary.LittleEndian.PutUint64(last[8:], next^(next^y)&mask[1])
	return newSize
}

// firstBytes has ones in the first n bytes of two words.
var firstBytes = func() (t [32][2]uint64) {
	for n := range t {
		for i := range min(n, 16) {
			t[n][i/8] |= 0xFF << (i % 8 * 8)
		}
	}
	return t
}()

// FitsShort reports whether 16 is a good low width for n values. Among the multiples of 8 it is
// then the best, or its size is at most 22 % beyond the best. The upper bits of the last value are
// from a sixteenth of n to eight times n.
func FitsShort(n int, high uint64) bool {
	return uint64(n) <= 16*high && high <= uint64(8*n)
}
