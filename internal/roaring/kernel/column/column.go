// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

const (
	// how many spans are asked for before their turn: with three lines each, some more than a
	// processor waits for at a time
	spansAhead = 12
	bytesAhead = 512 // of a span; of a longer one the processor sees by itself what comes next
)

// maxRowBytes is the number of bytes whose rows are counted in one call, which cannot be
// interrupted: whole rows of any width. A span counts for spanBytes more, as one without rows takes
// its time, too.
const (
	maxRowBytes = 12 << 13
	spanBytes   = 32
)

// CountRows adds one to the counter of each row in some spans. A row has width bytes (1 to 4),
// little-endian; rows stand one behind the other. This is the inner loop of counting over a value
// column. It returns how many rows have no counter. It ignores bytes at the end of a span that make
// no row.
//
// Spans may lie anywhere. It prefetches the spans to come while it counts the ones before; waiting
// for them is most of what a word cloud of a small part of the people takes.
//
// Increments are one by one whatever finds the rows. Vectors (AVX-512) spare what a processor
// guesses wrong: where each span ends, and how many lines of memory to ask for.
func CountRows(counts []uint32, spans [][]byte, width int) (beyond int) {
	return countRows(counts, spans, width)
}

func countRowsGeneric(counts []uint32, spans [][]byte, width int) (beyond int) {
	for i := range min(spansAhead, len(spans)) {
		askFor(spans[i])
	}
	for i, rows := range spans {
		if i+spansAhead < len(spans) {
			askFor(spans[i+spansAhead])
		}
		switch width {
		case 2:
			beyond += countTwos(counts, rows)
		case 3:
			beyond += countThrees(counts, rows)
		default:
			beyond += countWidth(counts, rows, width)
		}
	}
	return beyond
}

// askFor asks for the beginning of a span.
func askFor(rows []byte) { swar.Prefetch(rows[:min(len(rows), bytesAhead)]) }

// countWidth counts rows of any width.
func countWidth(counts []uint32, rows []byte, width int) (beyond int) {
	for ; len(rows) >= width; rows = rows[width:] {
		row := uint32(0)
		for i := range width {
			row |= uint32(rows[i]) << (8 * i)
		}
		beyond += countRow(counts, row)
	}
	return beyond
}

// countRow counts one row.
func countRow(counts []uint32, row uint32) (beyond int) {
	if uint64(row) >= uint64(len(counts)) {
		return 1
	}
	counts[row]++
	return 0
}

// countTwos counts rows of two bytes, four at a time.
func countTwos(counts []uint32, rows []byte) (beyond int) {
	n := uint64(len(counts))
	for ; len(rows) >= 8; rows = rows[8:] {
		x := binary.LittleEndian.Uint64(rows)
		a, b, c, d := x&0xFFFF, x>>16&0xFFFF, x>>32&0xFFFF, x>>48
		if a < n && b < n && c < n && d < n {
			counts[a]++
			counts[b]++
			counts[c]++
			counts[d]++
			continue
		}
		beyond += countRow(counts, uint32(a)) + countRow(counts, uint32(b)) + countRow(counts, uint32(c)) +
			countRow(counts, uint32(d))
	}
	for ; len(rows) >= 2; rows = rows[2:] {
		beyond += countRow(counts, uint32(binary.LittleEndian.Uint16(rows)))
	}
	return beyond
}

// countThrees counts rows of three bytes, four at a time: two words have two of them each.
func countThrees(counts []uint32, rows []byte) (beyond int) {
	n := uint64(len(counts))
	for ; len(rows) >= 12; rows = rows[12:] {
		p := (*[12]byte)(rows)
		x, y := binary.LittleEndian.Uint64(p[:8]), binary.LittleEndian.Uint64(p[4:])
		a, b, c, d := x&0xFFFFFF, x>>24&0xFFFFFF, y>>16&0xFFFFFF, y>>40
		if a < n && b < n && c < n && d < n {
			counts[a]++
			counts[b]++
			counts[c]++
			counts[d]++
			continue
		}
		beyond += countRow(counts, uint32(a)) + countRow(counts, uint32(b)) + countRow(counts, uint32(c)) +
			countRow(counts, uint32(d))
	}
	for ; len(rows) >= 3; rows = rows[3:] {
		beyond += countRow(counts, uint32(rows[0])|uint32(rows[1])<<8|uint32(rows[2])<<16)
	}
	return beyond
}
