// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math"
	"math/bits"
)

// Rows of an integer field (bit-sliced: O'Neil and Quass, Improved Query Performance with Variant
// Indexes, SIGMOD 1997).
const (
	IntegerAny      uint64 = 0 // the records that have an integer
	IntegerNegative uint64 = 1 // the records whose integer is below 0
	IntegerBits     uint64 = 2
)

// IntegerRow returns the row of bit i of the integers' absolute values, i from 0 to 63. It holds
// the records whose value has that bit set. Bit 63 is set for the least int64 alone.
func IntegerRow(i int) uint64 { return IntegerBits + uint64(i) }

// LeastWord stands for two integers in a value column: the least int64 and the greatest.
// There are 2^64 of them, and 0 says that there is none. Row IntegerRow(63) tells the two apart.
const LeastWord = math.MaxUint64

// IntegerWord returns what stands for an integer in a value column: zigzag, so that small
// integers of either sign take few bytes, plus 1.
func IntegerWord(x int64) uint64 {
	if x == math.MinInt64 {
		return LeastWord
	}
	return Zigzag(x) + 1
}

// Integer returns the integer that a word stands for, of two the greater one; the word is not 0.
func Integer(word uint64) int64 {
	return Unzigzag(word - 1)
}

// integerRows is the rows that a record with an integer is in, as bits: bit 0 is row 0.
type integerRows struct {
	low  uint64 // rows 0 to 63
	high uint64 // rows 64 and 65
}

// rowsOf returns the rows of an integer.
func rowsOf(x int64) (rows integerRows) {
	rows.low = 1 << IntegerAny
	size := uint64(x)
	if x < 0 {
		rows.low, size = rows.low|1<<IntegerNegative, -size
	}
	rows.low |= size << IntegerBits
	rows.high = size >> (64 - IntegerBits)
	return rows
}

// oldRows returns the rows that a record with a word may be in.
func oldRows(word uint64) (rows integerRows) {
	switch word {
	case 0:
		return rows
	case LeastWord:
		a, b := rowsOf(math.MinInt64), rowsOf(math.MinInt64+1)
		return integerRows{a.low | b.low, a.high | b.high}
	}
	return rowsOf(Integer(word))
}

// AppendChange appends the edits of lists that follow when the word of a record changes from old to
// f.word.
func AppendChange(dst []Edit, kind Kind, f ValueEdit, old uint64) []Edit {
	if kind == Rows {
		if old != 0 {
			dst = append(dst, Edit{Field: f.Field, Row: old - 1, Record: f.Record})
		}
		if f.Word != 0 {
			dst = append(dst, Edit{Field: f.Field, Set: true, Row: f.Word - 1, Record: f.Record})
		}
		return dst
	}
	was, is := oldRows(old), integerRows{}
	if f.Word != 0 {
		is = rowsOf(f.Integer())
	}
	low, high := was.low^is.low, was.high^is.high
	if old == LeastWord { // the record is in some of the rows only
		low, high = was.low|is.low, was.high|is.high
	}
	for ; low != 0; low &= low - 1 {
		row := bits.TrailingZeros64(low)
		dst = append(dst, Edit{Field: f.Field, Set: is.low>>row&1 != 0, Row: uint64(row), Record: f.Record})
	}
	for ; high != 0; high &= high - 1 {
		row := bits.TrailingZeros64(high)
		dst = append(dst, Edit{Field: f.Field, Set: is.high>>row&1 != 0, Row: 64 + uint64(row), Record: f.Record})
	}
	return dst
}

// Zigzag turns small integers of either sign into small numbers.
func Zigzag(x int64) uint64 { return uint64(x)<<1 ^ uint64(x>>63) }

// Unzigzag is the reverse of zigzag.
func Unzigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }
