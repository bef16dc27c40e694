// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"sort"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// RowChunks holds the entries of a large row by chunk, as a bitmap holds its blocks. A block is
// patched from it without reading the entries, which take eight times the memory.
type RowChunks struct {
	All   []RowChunk // ascending by key
	Lows  []uint16   // of the rows of a level
	Dense []DenseChunk
}

// RowChunk holds the low 16 bits of the records that the entries of one chunk name. Set records
// come first, then cut ones, each ascending.
type RowChunk struct {
	Key           uint64
	From, Cut, To uint32 // set between from and cut, cut between cut and to
	Dense         uint32 // the place of its denseChunk, from 1; 0 if it has none
}

// DenseChunk holds the records of a chunk with many entries as blocks. One block has the set
// records and one the cut ones. Either may be empty. A bitset answers each look-up in one step,
// where a search among thousands takes ten.
type DenseChunk struct {
	Set, Cut container.Block
	bytes    int32 // of both
}

const (
	rowChunkBytes   = 24
	LowBytes        = 2 // a low
	denseChunkBytes = 88

	// DenseFrom is from how many records on that are set, or cut, a chunk is dense. It takes three
	// times as much room then as without, and hardly more where it has many.
	DenseFrom = 1 << 11

	// chunkEntries is how many entries a chunk must have on average, for a row to be kept chunk by
	// chunk: to look into one takes as long as looking fewer up.
	chunkEntries = 8
)

// chunksOf returns a bound on the chunks that the entries of a row span. It returns 0 if the chunks
// have too few entries each.
func chunksOf(entries []Entry) int {
	first, last := entries[0].Record>>17, entries[len(entries)-1].Record>>17
	if last-first < uint64(len(entries)/chunkEntries) {
		return int(last-first) + 1 // or fewer
	}
	n := 1
	for i := 1; i < len(entries); i++ {
		if entries[i].Record>>17 != entries[i-1].Record>>17 {
			n++
		}
	}
	if n > len(entries)/chunkEntries {
		return 0
	}
	return n
}

// newRowChunks returns the entries of a row by chunk. It uses what is left of the given memory.
func newRowChunks(entries []Entry, room []RowChunk, lows []uint16) RowChunks {
	all, to := room[:0], 0
	var dense []DenseChunk
	for to < len(entries) {
		key, from, sets := entries[to].Record>>17, to, 0
		for ; to < len(entries) && entries[to].Record>>17 == key; to++ {
			sets += int(entries[to].Record & 1)
		}
		SplitEntries(entries[from:to], lows[from:to], sets)
		chunk := RowChunk{Key: key, From: uint32(from), Cut: uint32(from + sets), To: uint32(to)}
		if max(sets, to-from-sets) >= DenseFrom {
			dense = append(dense, newDenseChunk(key, lows[from:from+sets], lows[from+sets:to]))
			chunk.Dense = uint32(len(dense))
		}
		all = append(all, chunk)
	}
	return RowChunks{all, lows, dense}
}

// newDenseChunk returns what is said of a chunk as blocks.
func newDenseChunk(key uint64, set, cut []uint16) (c DenseChunk) {
	values := make([]uint64, 0, max(len(set), len(cut)))
	block := func(lows []uint16) (b container.Block) {
		if len(lows) < DenseFrom {
			return b
		}
		values = values[:0]
		for _, x := range lows {
			values = append(values, key<<16|uint64(x))
		}
		all := pair.FromSorted(values)
		all.Pack(pack.Balanced) // a bitset, or runs
		c.bytes += int32(cap(all.Bytes()))
		if blocks := all.View().Cursor(nil); blocks.Next() {
			b = blocks.Block() // borrows the bytes
		}
		return b
	}
	c.Set, c.Cut = block(set), block(cut)
	return c
}

// SplitEntries writes the low 16 bits of the records of entries. The set ones come first. sets is
// their number. It has no branch that depends on the entries.
func SplitEntries(entries []Entry, lows []uint16, sets int) {
	set, cut := 0, sets
	for i := range entries {
		x := entries[i].Record
		is := int(x & 1)
		lows[cut^(cut^set)&-is] = uint16(x >> 1)
		set, cut = set+is, cut+1-is
	}
}

// ChunksBefore returns how many of the first chunks have smaller keys than one. It takes few steps
// when those are few.
func ChunksBefore(chunks []RowChunk, key uint64) int {
	n := 1
	for n <= len(chunks) && chunks[n-1].Key < key {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(chunks))-low, func(i int) bool { return chunks[low+i].Key >= key })
}

// bytes returns the memory that the chunks of the row hold.
func (c *RowChunks) bytes() int64 {
	n := rowChunkBytes*int64(cap(c.All)) + LowBytes*int64(len(c.Lows)) + denseChunkBytes*int64(cap(c.Dense))
	for i := range c.Dense {
		n += int64(c.Dense[i].bytes)
	}
	return n
}
