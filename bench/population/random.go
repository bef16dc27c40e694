// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package population

import (
	"math"
	"math/bits"
	"slices"
)

// random is a generator of numbers: SplitMix64 (Steele, Lea, Flood 2014).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// mix spreads the bits of a number over 64: the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit returns a number above 0, at most 1.
func (r *random) unit() float64 { return float64(r.next()>>11+1) / (1 << 53) }

// below returns a number from 0 to below n.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// skewed draws ranks. Each is less likely than the one before.
type skewed struct {
	until []uint64 // sums of the weights
	guide []uint32 // for each 1/len(guide) of all weight, the first rank that reaches into it
}

// newSkewed returns ranks below n. Rank i has a weight of 1/(i+1)^exponent (Zipf). Weights are
// whole numbers of few digits, so that the last bits of floating point, which differ between
// processors, do not matter.
func newSkewed(n int, exponent float64) *skewed {
	s := &skewed{until: make([]uint64, n), guide: make([]uint32, 1<<16)}
	sum := uint64(0)
	for i := range s.until {
		sum += uint64(math.Round((1 << 32) / math.Pow(float64(i+1), exponent)))
		s.until[i] = sum
	}
	for i := range s.guide {
		at, _ := slices.BinarySearch(s.until, s.share(uint64(i)<<48)+1)
		s.guide[i] = uint32(at)
	}
	return s
}

// share returns which weight stands at a share of all, from 0 to below 2^64.
func (s *skewed) share(of uint64) uint64 {
	high, _ := bits.Mul64(of, s.until[len(s.until)-1])
	return high
}

// draw returns a rank.
func (s *skewed) draw(r *random) int {
	x := r.next()
	want := s.share(x)
	at := int(s.guide[x>>48])
	for s.until[at] <= want {
		at++
	}
	return at
}
