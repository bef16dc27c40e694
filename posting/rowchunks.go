// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "sort"

// rowChunks are the marks of a row that has many, chunk by chunk, as the blocks of a bitmap are: what a block is patched by, without a look at the marks, of which each takes eight times as much memory.
type rowChunks struct {
	all  []rowChunk // ascending by key
	lows []uint16   // of the rows of a tier
}

// rowChunk is what marks say of the records of one chunk: the low 16 bits of those that are set, and then of those that are cut, each ascending.
type rowChunk struct {
	key           uint64
	from, cut, to uint32 // set between from and cut, cut between cut and to
}

const (
	rowChunkBytes = 24
	lowBytes      = 2

	// chunkMarks is how many marks a chunk must have on average, for a row to be kept chunk by chunk: to look into one takes as long as looking fewer up.
	chunkMarks = 8
)

// chunksOf returns in how many chunks the marks of a row are; 0 if they are too few in each.
func chunksOf(marks []mark) int {
	first, last := marks[0].record>>17, marks[len(marks)-1].record>>17
	if last-first < uint64(len(marks)/chunkMarks) {
		return int(last-first) + 1 // or fewer
	}
	n := 1
	for i := 1; i < len(marks); i++ {
		if marks[i].record>>17 != marks[i-1].record>>17 {
			n++
		}
	}
	if n > len(marks)/chunkMarks {
		return 0
	}
	return n
}

// newRowChunks returns the marks of a row chunk by chunk, in what is left of memory that it is given.
func newRowChunks(marks []mark, room []rowChunk, lows []uint16) rowChunks {
	all, to := room[:0], 0
	for to < len(marks) {
		key, from, sets := marks[to].record>>17, to, 0
		for ; to < len(marks) && marks[to].record>>17 == key; to++ {
			sets += int(marks[to].record & 1)
		}
		all = append(all, rowChunk{key, uint32(from), uint32(from + sets), uint32(to)})
		splitMarks(marks[from:to], lows[from:to], sets)
	}
	return rowChunks{all, lows}
}

// splitMarks writes the low 16 bits of the records of marks, first of those that are set, of which the number is given, and then of the others. Which are is not guessed.
func splitMarks(marks []mark, lows []uint16, sets int) {
	set, cut := 0, sets
	for i := range marks {
		x := marks[i].record
		is := int(x & 1)
		lows[cut^(cut^set)&-is] = uint16(x >> 1)
		set, cut = set+is, cut+1-is
	}
}

// chunksBefore returns how many of the first chunks have smaller keys than one. It takes few steps when those are few.
func chunksBefore(chunks []rowChunk, key uint64) int {
	n := 1
	for n <= len(chunks) && chunks[n-1].key < key {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(chunks))-low, func(i int) bool { return chunks[low+i].key >= key })
}

// bytes returns the memory that the chunks of the row hold.
func (c *rowChunks) bytes() int64 {
	return rowChunkBytes*int64(cap(c.all)) + lowBytes*int64(len(c.lows))
}
