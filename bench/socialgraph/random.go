// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import "math/bits"

// mix spreads the bits of a number over 64: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
// It is one-to-one; unmix is its inverse.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func unmix(x uint64) uint64 {
	x = (x ^ x>>31 ^ x>>62) * 0x319642b2d24d8ec3
	x = (x ^ x>>27 ^ x>>54) * 0x96de1b173f119089
	x = x ^ x>>30 ^ x>>60
	return x - 0x9e3779b97f4a7c15
}

// random is a generator of numbers: SplitMix64. The zero value is one of them.
type random uint64

func (r *random) next() uint64 {
	x := mix(uint64(*r))
	*r += 0x9e3779b97f4a7c15
	return x
}

// unit returns a number from 0 to below 1.
func (r *random) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// below returns a number from 0 to below n.
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// permutation is a one-to-one map of the numbers below n, that looks random: a Feistel network of
// four rounds over the next even number of bits, walked until it comes back below n.
type permutation struct {
	n, half int
	keys    [4]uint64
}

func newPermutation(n int, seed uint64) permutation {
	p := permutation{n: n, half: (bits.Len(uint(n-1)) + 1) / 2}
	for i := range p.keys {
		p.keys[i] = mix(seed + uint64(i)<<32)
	}
	return p
}

// at returns where a number goes.
func (p *permutation) at(x int) int {
	mask := 1<<p.half - 1
	for {
		left, right := x>>p.half, x&mask
		for _, key := range p.keys {
			left, right = right, left^int(mix(key^uint64(right)))&mask
		}
		if x = left<<p.half | right; x < p.n {
			return x
		}
	}
}

// inverse returns what goes to a number.
func (p *permutation) inverse(x int) int {
	mask := 1<<p.half - 1
	for {
		left, right := x>>p.half, x&mask
		for i := len(p.keys) - 1; i >= 0; i-- {
			left, right = right^int(mix(p.keys[i]^uint64(left)))&mask, left
		}
		if x = left<<p.half | right; x < p.n {
			return x
		}
	}
}
