// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math/big"

	"github.com/uproar-db/uproar/internal/roaring"
)

// Sum is the exact sum of any number of integers: 128 bits in two's complement.
type Sum struct {
	Hi  int64  // the high 64 bits
	Lo  uint64 // the low 64 bits
	Len uint64 // number of integers
}

// Int64 returns the sum as an int64; ok is false if it does not fit.
func (s Sum) Int64() (sum int64, ok bool) { return roaring.Sum(s).Int64() }

// Big returns the sum.
func (s Sum) Big() *big.Int { return roaring.Sum(s).Big() }

// Float64 returns the float64 nearest to the sum.
func (s Sum) Float64() float64 { return roaring.Sum(s).Float64() }

// Mean returns the float64 nearest to the sum divided by the number of integers. It is NaN if there
// are none.
func (s Sum) Mean() float64 { return roaring.Sum(s).Mean() }

// Sum returns the sum of the integers: Σ 2^i × the cardinality of slice i, and the base for each
// record. Without a filter that reads the cardinalities in the directories alone; with one, it
// counts each slice's records in the filter.
func (v View) Sum() (s Sum) { return Sum(roaring.SlicedView(v).Sum()) }
