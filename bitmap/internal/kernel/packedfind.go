// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math/bits"
)

// linear is the length of a bucket, the values that share their upper bits, up to which they are compared one after the other.
const linear = 8

// At returns value i, counted from 0. ok is false if there is none. It counts the ones of the upper part up to it.
func (p Packed) At(i int) (d uint64, ok bool) {
	upper := p.upper()
	if i < 0 || i >= p.N || upper == 0 {
		return 0, false
	}
	left, w := i, 0
	for {
		x := upperWord(p.Block, w, upper)
		ones := bits.OnesCount64(x)
		if left < ones {
			high := uint64(w<<6 + selectBit(x, left) - i)
			return high<<p.Low | lowBits(p.Block, upper+i*int(p.Low), p.Low), true
		}
		left -= ones
		if w++; 64*w >= upper {
			return 0, false
		}
	}
}

// Find returns the number of values less than d, which is the index of the first that is not, and whether that one is d. It counts the zeros of the
// upper part up to the bucket of d.
func (p Packed) Find(d uint64) (i int, found bool) {
	upper := p.upper()
	high := d >> p.Low
	if high >= uint64(upper) {
		return max(p.N, 0), false // more zeros than there are bits
	}
	// The bucket begins behind zero number h, counted from 1.
	h, w := int(high), 0
	x := upperWord(p.Block, 0, upper)
	at := 0
	if h > 0 {
		left := h - 1
		for {
			zeros := 64 - bits.OnesCount64(x)
			if left < zeros {
				break
			}
			left -= zeros
			if w++; 64*w >= upper {
				return p.N, false
			}
			x = upperWord(p.Block, w, upper)
		}
		at = w<<6 + selectBit(^x, left) + 1
	}
	i = at - h
	if at >= upper || i >= p.N {
		return p.N, false
	}
	if at>>6 != w {
		w++
		x = upperWord(p.Block, w, upper)
	}
	size := bits.TrailingZeros64(^(x >> (at & 63)))
	if size >= 64-at&63 { // it may go on in the next word
		it := PackedIter{block: p.Block, n: p.N, upper: upper, low: p.Low, w: w, i: i}
		size = it.onesFrom(at)
	}
	low := d & (1<<p.Low - 1)
	end := min(i+size, p.N)
	for end-i > linear {
		mid := int(uint(i+end) >> 1)
		if lowBits(p.Block, upper+mid*int(p.Low), p.Low) < low {
			i = mid + 1
		} else {
			end = mid + 1
		}
	}
	for ; i < end; i++ {
		if got := lowBits(p.Block, upper+i*int(p.Low), p.Low); got >= low {
			return i, got == low
		}
	}
	return i, false
}

// upperWord returns word w of an upper part, which must begin inside it. Bits beyond the upper part are zero.
func upperWord(block []byte, w, upper int) uint64 {
	at := 8 * w
	if 64*(w+1) <= upper {
		return leUint64(block, at)
	}
	return lastWord(block, at) & (1<<(upper-64*w) - 1)
}

// lastWord loads the bytes from at on, as many of eight as there are.
func lastWord(block []byte, at int) uint64 {
	switch {
	case at+8 <= len(block):
		return leUint64(block, at)
	case len(block) >= 8:
		return leUint64(block, len(block)-8) >> (8 * (at + 8 - len(block)) & 63)
	}
	return tailWord(block[at:])
}

// tailWord loads at most seven bytes as the low bytes of a word.
func tailWord(b []byte) (x uint64) {
	switch n := len(b); {
	case n >= 4:
		// Two loads that overlap.
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n>>1])<<(8*(n>>1)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}
