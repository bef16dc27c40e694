// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Two blocks of the same low width have the same buckets, the values that share their upper bits:
// what they have in common is found bucket by bucket, and neither is decoded to memory.

const (
	// low width up to which eight lower parts, wherever the first begins in its byte, lie within
	// eight bytes
	maxSameLow = 7
	// lower parts have as many bytes at least, so that eight can be read from anywhere in the upper
	// part
	sameLowBytes = 9
	maxBuckets   = 1 << 20 // buckets that are compared in one call, which cannot be interrupted
)

// sameLow reports whether two blocks can be compared bucket by bucket.
func sameLow(a, b *Iter) bool {
	return a.low == b.low && a.low-1 < maxSameLow && min(a.n, b.n)*int(a.low) >= 8*sameLowBytes &&
		max(a.upper, b.upper) <= passMost
}

// SameAndLen counts the values that two blocks of the same low width have in common. It compares
// the distances of values from aFrom in a and from bFrom in b. Neither is larger than the next
// value of its block, or less than the one before it, and both are multiples of 1<<low.
//
// It looks at no more than buckets buckets of each block, where a bucket is 1<<low. passed is the
// number of buckets up to which it came, until one of the blocks ended; both iterators stand there.
//
// ok is false, and nothing has happened, if the low widths differ or are not from one to seven, the
// blocks have few values, or many values of one share their upper bits.
func SameAndLen(a, b *Iter, aFrom, bFrom, buckets uint64) (n int, passed uint64, ok bool) {
	return SameAnd(nil, a, b, aFrom, bFrom, buckets)
}

// SameAnd is SameAndLen, and writes the common values to dst unless that is empty. It writes them
// as they are in a, which are below 2^32. ok is also false if dst has no room for them.
func SameAnd(dst []uint32, a, b *Iter, aFrom, bFrom, buckets uint64) (n int, passed uint64, ok bool) {
	if !sameLow(a, b) {
		return 0, 0, false
	}
	aHigh, bHigh := aFrom>>a.low, bFrom>>a.low
	if max(aHigh, bHigh) > passMost {
		return 0, 0, false
	}
	aAt, bAt := int(aHigh)+a.i, int(bHigh)+b.i
	n, aNext, bNext, done := packedSame(dst, a, b, aAt, bAt, int(min(buckets, maxBuckets)))
	if n < 0 {
		return 0, 0, false
	}
	a.moveTo(aNext, a.i+aNext-aAt-done)
	b.moveTo(bNext, b.i+bNext-bAt-done)
	return n, uint64(done), true
}

// packedSameGeneric counts the values that two blocks have in common in a number of buckets. It
// ends early with a block. The buckets begin at bits aAt and bAt of the upper parts, behind the
// values that precede the next ones. It writes the values to dst unless that is empty. It returns
// the bits at which it ended, and the number of buckets up to there. n is -1 if dst has no room; in
// other forms also if they could not decide.
func packedSameGeneric(dst []uint32, a, b *Iter, aAt, bAt, buckets int) (n, aNext, bNext, done int) {
	f, g := *a, *b
	aLeast, bLeast := uint64(aAt-a.i), uint64(bAt-b.i)
	for ; done < buckets && aAt < a.upper && bAt < b.upper; done++ {
		// A bucket of each.
		aHigh, bHigh := (aLeast+uint64(done))<<a.low, (bLeast+uint64(done))<<a.low
		x, y := f.bucket(aHigh), g.bucket(bHigh)
		for x != 0 && y != 0 {
			p, _ := f.Peek()
			q, _ := g.Peek()
			p, q = p-aHigh, q-bHigh
			if p == q {
				switch {
				case len(dst) == 0:
				case n == len(dst):
					return -1, 0, 0, 0
				default:
					dst[n] = uint32(aHigh + p)
				}
				n++
			}
			if p <= q {
				f.Next()
				aAt++
				x--
			}
			if q <= p {
				g.Next()
				bAt++
				y--
			}
		}
		f.Skip(x)
		g.Skip(y)
		aAt += x + 1
		bAt += y + 1
	}
	return n, aAt, bAt, done
}

// bucket returns how many of the next values have the upper bits of high.
func (it *Iter) bucket(high uint64) int {
	d, ok := it.Peek()
	if !ok || d>>it.low != high>>it.low {
		return 0
	}
	return min(it.onesFrom(it.w<<6+bits.TrailingZeros64(it.word)), it.n-it.i)
}

// FastSame reports whether values of packed blocks are met as they are decoded, by vectors: else
// there is no gain in it.
func FastSame() bool { return cpu.Active == cpu.AVX512 }
