// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Sum is the exact sum of any number of integers: 128 bits in two's complement.
type Sum struct {
	Hi  int64  // the high 64 bits
	Lo  uint64 // the low 64 bits
	Len uint64 // number of integers
}

// Int64 returns the sum as an int64; ok is false if it does not fit.
func (s Sum) Int64() (sum int64, ok bool) { return int64(s.Lo), s.Hi == int64(s.Lo)>>63 }

// Big returns the sum.
func (s Sum) Big() *big.Int {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(s.Hi))
	binary.BigEndian.PutUint64(b[8:], s.Lo)
	x := new(big.Int).SetBytes(b[:])
	if s.Hi < 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return x
}

// Float64 returns the float64 nearest to the sum.
func (s Sum) Float64() float64 {
	hi, lo := uint64(s.Hi), s.Lo
	if s.Hi < 0 {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	// The 64 highest bits decide, and whether a lower one is set: so the sum is rounded once.
	shift := bits.LeadingZeros64(hi)
	top := hi<<shift | lo>>(64-shift)
	if lo<<shift != 0 {
		top |= 1
	}
	sum := math.Ldexp(float64(top), 64-shift)
	if s.Hi < 0 {
		return -sum
	}
	return sum
}

// Mean returns the float64 nearest to the sum divided by the number of integers. It is NaN if there
// are none.
func (s Sum) Mean() float64 {
	if s.Len == 0 {
		return math.NaN()
	}
	mean, _ := new(big.Rat).SetFrac(s.Big(), new(big.Int).SetUint64(s.Len)).Float64()
	return mean
}

// add adds n times 2^shift.
func (s *Sum) add(n uint64, shift int) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, n<<shift, 0)
	s.Hi += int64(n>>(64-shift) + carry)
}

// Sum returns the sum of the integers: Σ 2^i × the cardinality of slice i, and the base for each
// record. Without a filter that reads the cardinalities in the directories alone; with one, it
// counts each slice's records in the filter.
func (v View) Sum() (s Sum) {
	if !v.filtered {
		s.Len = v.Records().Len()
		for i := range int(v.width) {
			s.add(v.slice(i).Len(), i)
		}
	} else {
		w := v.walk()
		defer w.release()
		for w.next() {
			s.Len += uint64(w.all.Len())
			for i := range int(v.width) {
				s.add(uint64(w.all.AndLen(w.slice(i))), i)
			}
		}
	}
	// The base, multiplied as unsigned; a negative one is 2^64 less than it looks.
	hi, lo := bits.Mul64(uint64(v.base), s.Len)
	if v.base < 0 {
		hi -= s.Len
	}
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, lo, 0)
	s.Hi += int64(hi + carry)
	return s
}
