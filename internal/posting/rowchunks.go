// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sort"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// rowChunks are the marks of a row that has many, chunk by chunk, as the blocks of a bitmap are:
// what a block is patched by, without a look at the marks, of which each takes eight times as much
// memory.
type rowChunks struct {
	all   []rowChunk // ascending by key
	lows  []uint16   // of the rows of a tier
	dense []denseChunk
}

// rowChunk is what marks say of the records of one chunk: the low 16 bits of those that are set,
// and then of those that are cut, each ascending.
type rowChunk struct {
	key           uint64
	from, cut, to uint32 // set between from and cut, cut between cut and to
	dense         uint32 // the place of its denseChunk, from 1; 0 if it has none
}

// denseChunk is what marks say of the records of a chunk of which they name many, as blocks, those
// that are set, those that are cut, or both; the other one is empty. A bitset is one look for each
// record that is looked up, where a search among thousands is ten.
type denseChunk struct {
	set, cut container.Block
	bytes    int32 // of both
}

const (
	rowChunkBytes   = 24
	lowBytes        = 2
	denseChunkBytes = 88

	// denseFrom is from how many records on that are set, or cut, a chunk is dense. It takes three
	// times as much room then as without, and hardly more where it has many.
	denseFrom = 1 << 11

	// chunkMarks is how many marks a chunk must have on average, for a row to be kept chunk by
	// chunk: to look into one takes as long as looking fewer up.
	chunkMarks = 8
)

// chunksOf returns in how many chunks the marks of a row are; 0 if they are too few in each.
func chunksOf(marks []entry) int {
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

// newRowChunks returns the marks of a row chunk by chunk, in what is left of memory that it is
// given.
func newRowChunks(marks []entry, room []rowChunk, lows []uint16) rowChunks {
	all, to := room[:0], 0
	var dense []denseChunk
	for to < len(marks) {
		key, from, sets := marks[to].record>>17, to, 0
		for ; to < len(marks) && marks[to].record>>17 == key; to++ {
			sets += int(marks[to].record & 1)
		}
		splitEntries(marks[from:to], lows[from:to], sets)
		chunk := rowChunk{key: key, from: uint32(from), cut: uint32(from + sets), to: uint32(to)}
		if max(sets, to-from-sets) >= denseFrom {
			dense = append(dense, newDenseChunk(key, lows[from:from+sets], lows[from+sets:to]))
			chunk.dense = uint32(len(dense))
		}
		all = append(all, chunk)
	}
	return rowChunks{all, lows, dense}
}

// newDenseChunk returns what is said of a chunk as blocks.
func newDenseChunk(key uint64, set, cut []uint16) (c denseChunk) {
	var values []uint64
	block := func(lows []uint16) (b container.Block) {
		if len(lows) < denseFrom {
			return b
		}
		values = values[:0]
		for _, x := range lows {
			values = append(values, key<<16|uint64(x))
		}
		all := bitmap.FromSorted(values)
		all.Pack(bitmap.Balanced) // a bitset, or runs
		c.bytes += int32(cap(all.Bytes()))
		if blocks := all.View().Cursor(nil); blocks.Next() {
			b = blocks.Block() // borrows the bytes
		}
		return b
	}
	c.set, c.cut = block(set), block(cut)
	return c
}

// splitEntries writes the low 16 bits of the records of marks, first of those that are set, of
// which the number is given, and then of the others. Which are is not guessed.
func splitEntries(marks []entry, lows []uint16, sets int) {
	set, cut := 0, sets
	for i := range marks {
		x := marks[i].record
		is := int(x & 1)
		lows[cut^(cut^set)&-is] = uint16(x >> 1)
		set, cut = set+is, cut+1-is
	}
}

// chunksBefore returns how many of the first chunks have smaller keys than one. It takes few steps
// when those are few.
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
	n := rowChunkBytes*int64(cap(c.all)) + lowBytes*int64(len(c.lows)) + denseChunkBytes*int64(cap(c.dense))
	for i := range c.dense {
		n += int64(c.dense[i].bytes)
	}
	return n
}
