// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/column"
)

// CountRows adds one to the counter of each row in some spans of bytes: what is counted within a
// set when the rows of its records are kept one behind the other, in a value column, and not as
// sets. A row takes width bytes, 1 to 4, little-endian; bytes at the end of a span that make no row
// are left out. It returns how many rows have no counter. Nothing is allocated. Cost: about a
// nanosecond for each row; spans may be far away in memory, as those to come are asked for while
// the ones before are counted.
func CountRows(counts []uint32, spans [][]byte, width int) (beyond int) {
	if width < 1 || width > 4 {
		panic("bitmap: CountRows: rows take 1 to 4 bytes")
	}
	return column.CountRows(counts, spans, width)
}

// SmallWords writes words of a column of 1 to 7 bits to dst, and returns the greatest. Each stands
// at place offset plus a low. Words follow each other from the lowest bit on; two bytes must be
// readable where each begins. dst must have room for len(lows) words. SmallWords panics at a place
// outside the column. It allocates nothing and works by vectors.
func SmallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	if bits < 1 || bits > 7 {
		panic("bitmap: SmallWords: words take 1 to 7 bits")
	}
	return column.SmallWords(dst, lows, words, offset, bits)
}

// KeepLows writes the lows whose bit is set in among to dst, and returns how many. Bit x of among,
// from the lowest of the first byte on, stands for x. Lows may have any order, which the result
// keeps. dst must have room for all; it may be lows. KeepLows allocates nothing and works by
// vectors.
func KeepLows(dst, lows []uint16, among *[container.MaxPayload]byte) int {
	return array.KeepLows(dst, lows, (*bitset.Words)(among))
}

// FirstCount returns the place of the first count that is at least least. If there is none it
// returns len(counts). It allocates nothing and works by vectors.
func FirstCount(counts []uint32, least uint32) int { return column.FirstCount(counts, least) }

// LastShare returns the place of the last count that is large enough, or -1. Such a count is at
// least least, and at least part times the size beside it, as floating-point numbers. counts and
// sizes must have the same length. LastShare finds what is typical of a set: counts are numbers
// within it, sizes those within everything. It allocates nothing and works by vectors.
func LastShare(counts, sizes []uint32, least uint32, part float64) int {
	if len(sizes) != len(counts) {
		panic("bitmap: LastShare: as many sizes as counts are wanted")
	}
	return column.LastShare(counts, sizes, least, part)
}
