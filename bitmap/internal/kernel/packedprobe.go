// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// PackedProbe looks values up in a packed block, in ascending order. It remembers the word of the upper part at which it is.
//
// What is looked for is the zero that ends a bucket, the values that share their upper bits: zero number h, from 0, is behind those of upper bits h, and before it there are
// h zeros and the values up to the end of the bucket. The ones next to it are the bucket's. In this way one place says all, and nothing has to be guessed by a processor but
// how many words are passed.
type PackedProbe struct {
	Packed
	upper int
	tail  uint64 // the word of the upper part that is not whole, and zeros behind it, one of which ends the last bucket
	w     int    // a word of the upper part, which is upper>>6 for the tail
	zeros int    // before word w
}

// Probe returns a probe before the first value.
func (p Packed) Probe() PackedProbe {
	q := PackedProbe{Packed: p, upper: p.upper()}
	if w := q.upper >> 6; q.upper&63 > 0 {
		q.tail = upperWord(p.Block, w, q.upper)
	}
	return q
}

// maxKeep is the number of values that are looked up in one call, which cannot be interrupted.
const maxKeep = 1 << 11

const (
	passFrom   = 1 << 9 // zeros to be passed from which words are counted by vectors, as far as a proportion says
	passMargin = 2      // words that the proportion aims too low
)

// Keep writes the values less base, which ascend, that the block has to dst, and returns their number; each is at least as large as any that was asked for before. dst has the
// room of values, and may be the same. It takes some steps for each value and for each word of the upper part.
func (p *PackedProbe) Keep(dst, values []uint64, base uint64) (n int) {
	for i := 0; i < len(values); i++ {
		k, read := packedKeep(dst[n:], values[i:min(len(values), i+maxKeep)], base, p)
		n += k
		if i += read; i == len(values) {
			break
		}
		x := values[i] // far away, or in a bucket of many
		dst[n] = x
		if p.Has(x - base) {
			n++
		}
	}
	return n
}

// packedKeepGeneric is Keep as far as a kernel goes, which is a pass over the values: it may stop at any.
func packedKeepGeneric(dst, values []uint64, base uint64, p *PackedProbe) (n, read int) {
	for _, x := range values {
		dst[n] = x
		if p.Has(x - base) {
			n++
		}
	}
	return n, len(values)
}

// Has reports whether the block has d, which is at least as large as any that was asked for before.
func (p *PackedProbe) Has(d uint64) bool {
	high := d >> (p.Low & 63)
	if high-uint64(p.zeros) > uint64(p.upper) {
		return false // more zeros than there are bits
	}
	need := int(high) - p.zeros
	if need > passFrom {
		need = p.pass(need)
	}
	whole, w, x := p.upper>>6, p.w, ^p.tail
	if w < whole {
		x = ^leUint64(p.Block, 8*w)
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
			x = ^leUint64(p.Block, 8*w)
		} else {
			x = ^p.tail
		}
	}
	p.w, p.zeros = w, int(high)-need
	// What precedes the zero, the nearest in the highest bits.
	at := selectBit(x, need)
	before := ^x << 1 << (63 - at)
	if w > 0 {
		before |= leUint64(p.Block, 8*w-8) >> at
	}
	size, end := bits.LeadingZeros64(^before), w<<6+at-int(high)
	if end > p.N {
		return false // not valid: more ones than values
	}
	if size <= 2 && p.Low <= 57 && len(p.Block) >= 8 {
		_, same := p.findInTwo(p.upper+(end-size)*int(p.Low), uint64(size), d&(1<<p.Low-1))
		return same
	}
	return p.inBucket(end, size, d)
}

// pass moves over words that have at most need zeros, and returns how many are left of these.
func (p *PackedProbe) pass(need int) int {
	left := uint64(p.upper - p.N - p.zeros) // zeros from word w on
	if left == 0 || left > 1<<24 {
		return need // not valid
	}
	words := int(uint64(p.upper>>6-p.w)*uint64(need)/left) - passMargin
	words = min(words, p.upper>>6-p.w)
	if words <= 0 {
		return need
	}
	if zeros := 64*words - ones(p.Block[8*p.w:8*(p.w+words)]); zeros <= need {
		p.w += words
		p.zeros += zeros
		need -= zeros
	}
	return need
}

// inBucket reports whether d is one of the values before index end, of which size, or more if these are 64, are in its bucket.
func (p *PackedProbe) inBucket(end, size int, d uint64) bool {
	if size == 64 {
		_, found := p.Find(d)
		return found
	}
	lo, low := end-size, d&(1<<(p.Low&63)-1)
	for lo < end {
		mid := int(uint(lo+end) >> 1)
		switch got := lowBits(p.Block, p.upper+mid*int(p.Low), p.Low); {
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
