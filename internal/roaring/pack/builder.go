// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Builder writes a set from its values or blocks in ascending order. The zero value is ready for
// use; Reset makes it so again and keeps the memory, so that a Builder that has grown to its work
// allocates nothing.
//
// It holds the set, chunk by chunk as array, bitset or runs, until Body chooses the containers. Not
// for concurrent use.
type Builder struct {
	Chunks []Chunk
	Data   []byte // payloads of chunks
	key    uint64 // of lows
	lows   []uint16
	plan   []planned
	values uint64 // in chunks
	Layout Layout
	// of the runs of lows, from the second on, as many as a container of runs may have
	starts [container.MaxPayload / 4]uint16
}

// Chunk is a finished chunk: a payload that is valid, in the smallest of the three kinds that lie
// within a chunk.
type Chunk struct {
	Key    uint64
	At     int // in data
	Size   int32
	N      int32
	lo, hi uint16 // first and last value
	Kind   uint8
	As     uint8 // the kind that a portable file has it in
}

// Reset makes the builder empty.
func (b *Builder) Reset() {
	b.Chunks, b.Data, b.lows, b.plan = b.Chunks[:0], b.Data[:0], b.lows[:0], b.plan[:0]
	b.values = 0
}

// Len returns the number of values so far.
func (b *Builder) Len() uint64 { return b.values + uint64(len(b.lows)) }

// Append adds x, which must not be less than the values before it. A value that is there already
// changes nothing. Append may follow Body, Bitmap and AppendBlock, also within the last chunk, at
// the cost of reading that chunk once. It panics if x is out of order.
func (b *Builder) Append(x uint64) {
	if n := len(b.lows); n > 0 {
		if x>>16 == b.key && uint16(x) > b.lows[n-1] {
			b.lows = append(b.lows, uint16(x))
			return
		}
		if last := b.key<<16 | uint64(b.lows[n-1]); x <= last {
			if x < last {
				panic(fmt.Sprintf("bitmap: Builder.Append: got %d after %d, want ascending values", x, last))
			}
			return
		}
	} else if n := len(b.Chunks); n > 0 && b.Chunks[n-1].Key == x>>16 {
		b.reopen()
		b.Append(x)
		return
	}
	b.Begin(x >> 16)
	b.lows = append(b.lows, uint16(x))
}

// reopen makes the last chunk, which must be finished, the current one.
func (b *Builder) reopen() {
	c := b.Chunks[len(b.Chunks)-1]
	payload := b.Block(len(b.Chunks) - 1)
	b.key, b.lows = c.Key, payload.AppendLow(b.lows)
	b.Chunks, b.Data = b.Chunks[:len(b.Chunks)-1], b.Data[:c.At]
	b.values -= uint64(c.N)
}

// Begin finishes the current chunk and begins another.
func (b *Builder) Begin(key uint64) {
	b.Finish()
	if n := len(b.Chunks); n > 0 && key <= b.Chunks[n-1].Key {
		panic(fmt.Sprintf("bitmap: Builder: got chunk %d after %d, want ascending keys", key, b.Chunks[n-1].Key))
	}
	b.key = key
}

// AppendSorted adds values as long as they ascend, and returns how many they were.
func (b *Builder) AppendSorted(values []uint64) int {
	for i := 0; i < len(values); {
		key := values[i] >> 16
		b.Begin(key)
		most := min(len(values)-i, container.ChunkValues)
		lows := slices.Grow(b.lows, most)[:most]
		last := values[i]
		lows[0] = uint16(last)
		n := 1
		for i++; i < len(values) && values[i]>>16 == key; i++ {
			x := values[i]
			if x <= last {
				if x == last {
					continue
				}
				b.lows = lows[:n]
				return i
			}
			last = x
			lows[n] = uint16(x)
			n++
		}
		b.lows = lows[:n]
		if i < len(values) && values[i] < last {
			return i
		}
	}
	return len(values)
}

// Finish makes a chunk of the current lows.
func (b *Builder) Finish() {
	n := len(b.lows)
	if n == 0 {
		return
	}
	// Where runs begin is written down for each value, and kept if one does: a branch would be
	// foretold wrongly once for each run.
	starts, runs, before := &b.starts, 1, int(b.lows[0])
	for i, low := range b.lows[1:] {
		x := int(low)
		starts[runs%len(starts)] = uint16(i + 1)
		runs += int(uint64(before+1-x) >> 63)
		before = x
	}
	kind, size := SmallestKind(n, runs)
	c := b.Room(n, b.lows[0], b.lows[n-1], kind, size)
	switch dst := b.Data[c.At : c.At+size]; kind {
	case container.Array:
		putLows(dst, b.lows)
	case container.Bitset:
		clear(dst)
		bitset.SetLows((*bitset.Words)(dst), b.lows)
	case container.Run:
		start := 0
		for r := range runs {
			end := n
			if r+1 < runs {
				end = int(starts[r+1])
			}
			binary.LittleEndian.PutUint32(dst[4*r:], uint32(b.lows[start])|uint32(end-1-start)<<16)
			start = end
		}
	}
	b.lows = b.lows[:0]
}

// putLows writes lows as an array, four at a time.
func putLows(dst []byte, lows []uint16) {
	for len(lows) >= 4 && len(dst) >= 8 {
		binary.LittleEndian.PutUint64(dst, uint64(lows[0])|uint64(lows[1])<<16|uint64(lows[2])<<32|uint64(lows[3])<<48)
		lows, dst = lows[4:], dst[8:]
	}
	for i, low := range lows {
		binary.LittleEndian.PutUint16(dst[2*i:], low)
	}
}

// SmallestKind returns the smallest kind within a chunk for n values in runs, and the size of its
// payload. Of kinds of one size it takes the first of bitset, array, run: the faster one.
func SmallestKind(n, runs int) (kind uint8, size int) {
	kind, size = container.Bitset, container.MaxPayload
	if 2*n < container.MaxPayload {
		kind, size = container.Array, 2*n
	}
	if 4*runs < size {
		kind, size = container.Run, 4*runs
	}
	return kind, size
}

// AppendBlock adds the values of a block, whose key must be larger than that of every value before
// it. It copies what it needs. It panics if the key is out of order. The bytes of the block need
// not be valid: what becomes of them is unspecified then, but is a valid set.
func (b *Builder) AppendBlock(block container.Block) {
	if block.IsEmpty() {
		return
	}
	b.Begin(block.Key)
	switch {
	case b.Layout == AsTheyAre:
		b.copyBlock(block)
	case block.Kind == container.Array:
		b.appendArray(block.Data)
	case block.Kind == container.Bitset:
		b.AppendWords(block.Words())
	case block.Kind == container.Run:
		b.appendRuns(block.Data)
	}
}

// copyBlock adds a block in the kind that it has, without looking at its values.
func (b *Builder) copyBlock(block container.Block) {
	lo, _ := block.Min()
	hi, _ := block.Max()
	n := min(max(block.Len(), 1), container.ChunkValues) // an operand that is not valid may claim anything
	c := b.Room(n, lo, hi, block.Kind, len(block.Data))
	copy(b.Data[c.At:], block.Data)
}

// Room adds a chunk, whose payload the caller writes to data.
func (b *Builder) Room(n int, lo, hi uint16, kind uint8, size int) Chunk {
	c := Chunk{Key: b.key, At: len(b.Data), Size: int32(size), N: int32(n), lo: lo, hi: hi, Kind: kind}
	b.Data = slices.Grow(b.Data, size)[:len(b.Data)+size]
	b.Chunks = append(b.Chunks, c)
	b.values += uint64(n)
	return c
}

// Block returns finished chunk i.
func (b *Builder) Block(i int) container.Block {
	c := &b.Chunks[i]
	return container.Block{Key: c.Key, Data: b.Data[c.At : c.At+int(c.Size)], N: c.N, Kind: c.Kind}
}

// appendArray adds the chunk of an array.
func (b *Builder) appendArray(lows []byte) {
	n := len(lows) / 2
	runs, ascending := array.Shape(lows)
	if !ascending {
		w := new(bitset.Words)
		bitset.SetArray(w, lows)
		b.AppendWords(w)
		return
	}
	kind, size := SmallestKind(n, runs)
	c := b.Room(n, array.Low(lows, 0), array.Low(lows, n-1), kind, size)
	switch dst := b.Data[c.At:]; kind {
	case container.Array:
		copy(dst, lows)
	case container.Bitset:
		clear(dst)
		bitset.SetArray((*bitset.Words)(dst), lows)
	case container.Run:
		run.FromArray(dst, lows)
	}
}

// appendRuns adds the chunk of runs.
func (b *Builder) appendRuns(runs []byte) {
	n, next := 0, 0
	for i := range len(runs) / 4 {
		lo, hi := run.At(runs, i)
		if lo < next || lo+int(array.Low(runs, 2*i+1))+1 != hi {
			w := new(bitset.Words)
			run.Set(w, runs)
			b.AppendWords(w)
			return
		}
		n += hi - lo
		next = hi + 1
	}
	lo, _ := run.At(runs, 0)
	kind, size := SmallestKind(n, len(runs)/4)
	c := b.Room(n, uint16(lo), uint16(next-2), kind, size)
	switch dst := b.Data[c.At:]; kind {
	case container.Array:
		run.ToArray(dst, runs)
	case container.Bitset:
		clear(dst)
		run.Set((*bitset.Words)(dst), runs)
	case container.Run:
		copy(dst, runs)
	}
}

// AppendWords adds the chunk of a bitset, which may be empty.
func (b *Builder) AppendWords(w *bitset.Words) {
	n, runs := bitset.Shape(w)
	if n == 0 {
		return
	}
	lo, _ := bitset.Next(w, 0)
	hi, _ := bitset.Previous(w, container.ChunkValues-1)
	kind, size := SmallestKind(n, runs)
	c := b.Room(n, lo, hi, kind, size)
	switch dst := b.Data[c.At:]; kind {
	case container.Array:
		bitset.ToArray(dst, w)
	case container.Bitset:
		copy(dst, w[:])
	case container.Run:
		run.FromBitset(dst, w)
	}
}

// AppendDense adds the chunk of a bitset unless none of its bits is one.
func (b *Builder) AppendDense(key uint64, words *bitset.Words, ones uint64) {
	if ones != 0 {
		b.Begin(key)
		b.AppendWords(words)
	}
}

// AppendView adds the values of a set.
func (b *Builder) AppendView(v view.View) {
	c := v.Cursor(nil)
	for c.Next() {
		b.AppendBlock(c.Block())
	}
	c.Release()
}
