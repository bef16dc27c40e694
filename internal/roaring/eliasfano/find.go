// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// At returns value i, counted from 0. ok is false if there is none. It counts the ones of the upper
// part up to it.
func (p Packed) At(i int) (d uint64, ok bool) { return p.AtPadded(0, i) }

// AtPadded is At of a block with head bytes before it that may be read. Reading a block of less
// than eight bytes takes fewer steps that way.
func (p *Packed) AtPadded(head, i int) (d uint64, ok bool) {
	upper := p.upper()
	if i < 0 || i >= p.N || upper == 0 {
		return 0, false
	}
	return packedAt(p, upper, head, i)
}

// packedAtGeneric is At for an index that is less than N.
func packedAtGeneric(p *Packed, upper, i int) (d uint64, ok bool) {
	if last := len(p.Block) - 8; upper <= 64 && last >= 0 && p.Low <= maxGatherLow {
		// A list of some 25 values at most: the upper part is one word, and eight bytes have the
		// lower part.
		ones := swar.Uint64(p.Block, 0) & (^uint64(0) >> ((64 - upper) & 63))
		off := upper + i*int(p.Low)
		from := min(off>>3, last)
		low := swar.Uint64(p.Block, from) >> ((off - 8*from) & 63) & (1<<p.Low - 1)
		return uint64(swar.SelectBit(ones, i)-i)<<p.Low | low, i < bits.OnesCount64(ones)
	}
	at, _ := selectUpper(p.Block, upper, i, p.N, 0)
	if at >= upper {
		return 0, false // not valid: fewer ones than values
	}
	return uint64(at-i)<<p.Low | swar.LowBits(p.Block, upper+i*int(p.Low), p.Low), true
}

// Find returns the number i of values less than d, and whether the value at index i is d. It counts
// the zeros of the upper part up to the bucket of d.
func (p Packed) Find(d uint64) (i int, found bool) { return p.FindPadded(0, d) }

// FindPadded is Find of a block before which stand some bytes, as of AtPadded.
func (p *Packed) FindPadded(head int, d uint64) (i int, found bool) {
	return packedFind(p, p.upper(), head, d)
}

// FastHas reports whether HasPadded costs no more than checking a value against the bounds of a
// list. That check rejects most values that the list does not have.
func FastHas() bool { return cpu.Active >= cpu.AVX2 && cpu.Active != cpu.NEON }

// HasPadded reports whether d is one of the values of a block. The head bytes before the block may
// be read, as in AtPadded. It costs less than FindPadded.
func (p *Packed) HasPadded(head int, d uint64) bool {
	return packedHas(p, p.upper(), head, d)
}

func packedFindGeneric(p *Packed, upper int, d uint64) (i int, found bool) {
	high := d >> p.Low
	if high >= uint64(upper) {
		return max(p.N, 0), false // more zeros than there are bits
	}
	// The bucket begins behind zero number h, counted from 1.
	h, at, x := int(high), 0, uint64(0)
	if upper <= 64 && len(p.Block) >= 8 {
		ones := swar.Uint64(p.Block, 0) & (^uint64(0) >> ((64 - upper) & 63))
		if ones<<(63-h&63) == 0 {
			return 0, false // all values have larger upper bits
		}
		x = ^ones
		at = swar.SelectBit(x<<1|1, h)
	} else {
		if h > 0 {
			at, x = selectUpper(p.Block, upper, h-1, upper-p.N, ^uint64(0))
			at++
		}
		if at&63 == 0 && at < upper {
			x = ^upperWord(p.Block, at>>6, upper)
		}
	}
	if i = at - h; at >= upper || i >= p.N {
		return p.N, false
	}
	size := bits.TrailingZeros64(x >> (at & 63))
	if size >= 64-at&63 { // it may go on in the next word
		it := Iter{block: p.Block, n: p.N, upper: upper, low: p.Low}
		size = it.onesFrom(at)
	}
	low, end := d&(1<<p.Low-1), min(i+size, p.N)
	if size = end - i; size <= 2 && p.Low <= 57 && len(p.Block) >= 8 {
		less, same := p.findInTwo(upper+i*int(p.Low), uint64(size), low)
		return i + less, same
	}
	for end-i > linear {
		mid := int(uint(i+end) >> 1)
		if swar.LowBits(p.Block, upper+mid*int(p.Low), p.Low) < low {
			i = mid + 1
		} else {
			end = mid + 1
		}
	}
	for ; i < end; i++ {
		if got := swar.LowBits(p.Block, upper+i*int(p.Low), p.Low); got >= low {
			return i, got == low
		}
	}
	return i, false
}

// findInTwo looks low up among size lower parts, at most two, from bit off on. It returns how many
// are less than low, and whether one is low. Most buckets are of that size. It has no branches,
// because a processor would guess half of them wrong.
func (p *Packed) findInTwo(off int, size, low uint64) (less int, same bool) {
	block, l, mask := p.Block, int(p.Low), uint64(1)<<p.Low-1
	last := len(block) - 8 // the last eight bytes have the parts that have less than eight bytes from their first on
	at, next := min(off>>3, last), min((off+l)>>3, last)
	x := swar.Uint64(block, at) >> ((off - 8*at) & 63) & mask
	y := swar.Uint64(block, next) >> ((off + l - 8*next) & 63) & mask
	one, two := (size+1)>>1, size>>1 // whether there are as many
	return int((x-low)>>63&one + (y-low)>>63&two), (((x^low)-1)>>63&one | ((y^low)-1)>>63&two) != 0
}

// linear is the longest bucket that is searched value by value. A bucket is the values that share
// their upper bits.
const linear = 8

// selectUpper finds the k-th one of an upper part ⊕ flip. It returns its place and the word that
// holds it. k counts from 0, and total is how many ones there should be. The place is upper if
// there are fewer.
//
// It counts from the front even where the end is nearer. A block that is not valid has another
// number of ones than of values; counting from the front, the answers still agree with an
// iterator's.
func selectUpper(block []byte, upper, k, total int, flip uint64) (at int, x uint64) {
	w := 0
	if k >= skipFrom {
		var before int
		w, before = skipAhead(block, upper, 0, 0, k, total, flip)
		k -= before
	}
	for ; 64*(w+4) <= upper; w += 4 {
		ones := onesUpper(block, w, flip)
		if k < ones {
			break
		}
		k -= ones
	}
	for ; 64*w < upper; w++ {
		x = upperWord(block, w, upper) ^ flip
		ones := bits.OnesCount64(x)
		if k < ones {
			return min(w<<6+swar.SelectBit(x, k), upper), x
		}
		k -= ones
	}
	return upper, 0
}

// onesUpper returns the number of ones of words w to w+3 ⊕ flip. The four counts do not depend on
// each other.
func onesUpper(block []byte, w int, flip uint64) int {
	g := (*[swar.Group]byte)(block[8*w:])
	return bits.OnesCount64(swar.Uint64(g[:], 0)^flip) + bits.OnesCount64(swar.Uint64(g[:], 8)^flip) +
		bits.OnesCount64(swar.Uint64(g[:], 16)^flip) + bits.OnesCount64(swar.Uint64(g[:], 24)^flip)
}
