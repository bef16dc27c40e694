// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// probe returns a probe before the first value.
func (p Packed) probe() (q Probe) {
	q.Reset(p)
	return q
}

// Reset makes q a probe of p before the first value.
func (q *Probe) Reset(p Packed) {
	q.Packed, q.upper, q.tail, q.w, q.zeros = p, p.upper(), 0, 0, 0
	if w := q.upper >> 6; q.upper&63 > 0 {
		q.tail = upperWord(p.Block, w, q.upper)
	}
}

// halveFrom is the number of values above which those of a bucket are searched by halving.
const halveFrom = 16

// maxKeep is the number of values that are looked up in one call, which cannot be interrupted.
const maxKeep = 1 << 10

const (
	passFrom   = 1 << 9  // zeros to be passed from which words are counted by vectors, as far as a proportion says
	passMargin = 2       // words that the proportion aims too low
	passMost   = 1 << 18 // bits of an upper part: those of the largest block
)

// Keep writes the values that, less base, the block has to dst, and returns their number. The
// values ascend, and each is at least as large as any asked for before. dst has the room of values,
// and may be the same slice. The cost is some steps for each value and for each word of the upper
// part.
func (p *Probe) Keep(dst, values []uint64, base uint64) (n int) {
	for len(values) > 0 {
		p.approach(values[0] - base)
		k, read := packedKeep(dst[n:], values[:min(len(values), maxKeep)], base, p)
		if read == 0 {
			// In a bucket of many.
			x := values[0]
			dst[n] = x
			if read = 1; p.Has(x - base) {
				k = 1
			}
		}
		n += k
		values = values[read:]
	}
	return n
}

// packedKeepGeneric is Keep as far as a kernel goes, which is a pass over the values: it may stop
// at any.
func packedKeepGeneric(dst, values []uint64, base uint64, p *Probe) (n, read int) {
	for _, x := range values {
		dst[n] = x
		if p.Has(x - base) {
			n++
		}
	}
	return n, len(values)
}

// Has reports whether the block has d. d must be at least as large as any value asked for before.
func (p *Probe) Has(d uint64) bool {
	p.approach(d)
	high := d >> (p.Low & 63)
	if high-uint64(p.zeros) > uint64(p.upper) {
		return false // more zeros than there are bits
	}
	need := int(high) - p.zeros // of the zeros from word w on, the number of that which is looked for
	whole, w, x := p.upper>>6, p.w, ^p.tail
	if w < whole {
		x = ^swar.Uint64(p.Block, 8*w)
	}
	for {
		zeros := bits.OnesCount64(x)
		if need < zeros {
			break
		}
		if need -= zeros; w >= whole {
			return false
		}
		if w++; w < whole {
			x = ^swar.Uint64(p.Block, 8*w)
		} else {
			x = ^p.tail
		}
	}
	p.w, p.zeros = w, int(high)-need
	// What precedes the zero, the nearest in the highest bits.
	at := swar.SelectBit(x, need)
	before := ^x << 1 << (63 - at)
	if w > 0 {
		before |= swar.Uint64(p.Block, 8*w-8) >> at
	}
	size, end := bits.LeadingZeros64(^before), w<<6+at-int(high)
	if end > p.N || end < size {
		return false // not valid: more ones than values, or fewer
	}
	if size <= 2 && p.Low <= 57 && len(p.Block) >= 8 {
		_, same := p.findInTwo(p.upper+(end-size)*int(p.Low), uint64(size), d&(1<<p.Low-1))
		return same
	}
	return p.inBucket(end, size, d)
}

// approach moves to a word near to that of d, and not behind it, if that is far away.
func (p *Probe) approach(d uint64) {
	need := d>>(p.Low&63) - uint64(p.zeros)
	if need > passFrom && need <= uint64(p.upper) && p.upper <= passMost {
		p.pass(uint32(need))
	}
}

// pass moves over words that have need zeros at most.
func (p *Probe) pass(need uint32) {
	words, left := p.upper>>6-p.w, p.upper-p.N-p.zeros // and the zeros in them
	if left <= 0 {
		return // not valid
	}
	behind := words
	words = min(words, int(uint32(words)*need/uint32(left))-passMargin)
	if behind -= words; words <= 0 {
		return
	}
	// They are counted from the end that is nearer.
	w, zeros := p.w+words, p.zeros
	if words <= behind {
		zeros += 64*words - bitset.Ones(p.Block[8*p.w:8*w])
	} else {
		zeros = 64*w - p.N + bitset.Ones(p.Block[8*w:8*(w+behind)]) + bits.OnesCount64(p.tail)
	}
	if before := zeros - p.zeros; before >= 0 && before <= int(need) && zeros <= 64*w { // else too far, or not valid
		p.w, p.zeros = w, zeros
	}
}

// inBucket reports whether d is one of the values in its bucket, which end before index end. The
// bucket has size values, or more if size is 64.
func (p *Probe) inBucket(end, size int, d uint64) bool {
	if size == 64 {
		_, found := p.Find(d)
		return found
	}
	lo, low := end-size, d&(1<<(p.Low&63)-1)
	for size <= halveFrom && lo < end {
		if end--; swar.LowBits(p.Block, p.upper+end*int(p.Low), p.Low) == low {
			return true
		}
	}
	for lo < end {
		mid := int(uint(lo+end) >> 1)
		switch got := swar.LowBits(p.Block, p.upper+mid*int(p.Low), p.Low); {
		case got == low:
			return true
		case got < low:
			lo = mid + 1
		default:
			end = mid
		}
	}
	return false
}
