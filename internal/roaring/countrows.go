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

// SmallWords writes the words at some places of a column, each the offset plus a low, and returns
// the greatest. Words of 1 to 7 bits stand one behind the other, the first from the lowest bit on;
// two bytes must be there where each begins. dst must have room for as many as there are lows. It
// panics at a place that is not in the column. Nothing is allocated. Cost: some 0.4 ns a word, by
// vectors.
func SmallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	if bits < 1 || bits > 7 {
		panic("bitmap: NarrowWords: words take 1 to 7 bits")
	}
	return column.SmallWords(dst, lows, words, offset, bits)
}

// KeepLows writes those of lows that are among some bits, one for each number of 16 bits, from the
// lowest of the first byte on. It keeps their order, which may be any, and returns how many they
// are. dst must have room for all; it may be lows. Nothing is allocated. Cost: some 0.3 ns for
// each, by vectors.
func KeepLows(dst, lows []uint16, among *[container.MaxPayload]byte) int {
	return array.KeepLows(dst, lows, (*bitset.Words)(among))
}

// FirstCount returns the place of the first of some counts that is no less than the given one; how
// many there are, if none is. Nothing is allocated. Cost: some 0.1 ns for each count that is passed
// over, by vectors.
func FirstCount(counts []uint32, least uint32) int { return column.FirstCount(counts, least) }

// LastShare returns the place of the last of some counts that is no less than the given one, and no
// less than a part of the size beside it, as floating-point numbers; -1, if none is. There must be
// as many sizes as counts. It finds what is typical of a set: counts are those within it, sizes
// those within all. Nothing is allocated. Cost: some 0.2 ns for each count that is passed over, by
// vectors.
func LastShare(counts, sizes []uint32, least uint32, part float64) int {
	if len(sizes) != len(counts) {
		panic("bitmap: LastShare: as many sizes as counts are wanted")
	}
	return column.LastShare(counts, sizes, least, part)
}
