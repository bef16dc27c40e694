// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AppendPortable32 appends the set in the 32-bit portable format of RoaringFormatSpec to dst and
// returns the longer slice. CRoaring and RoaringBitmap's libraries for Go and Java write the same
// bytes for the set with the given runs.
//
// If a value is above 2^32 - 1, dst is returned as it was, with a [*RangeError]. The cost is one
// pass over the set and a copy of it in the package's memory. Only dst is allocated beside it. dst
// must not overlap the bytes of the set beyond its length.
func AppendPortable32(dst []byte, v bitmap.View, runs Runs) ([]byte, error) {
	if x, _ := v.Max(); x > math.MaxUint32 {
		return dst, &RangeError{Value: x, Max: math.MaxUint32}
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	c := view.View(v).Cursor(nil)
	defer c.Release()
	if c.Next() {
		portablePiece(m, &c, 0, runs)
	}
	return appendPortable(m, dst), nil
}

// AppendPortable64 appends the set in the 64-bit portable format of RoaringFormatSpec to dst and
// returns the longer slice: see [FromPortable64] for who reads it, and [AppendPortable32] for
// cost and containers.
func AppendPortable64(dst []byte, v bitmap.View, runs Runs) []byte {
	m := pack.BorrowBuilder()
	defer m.Release()
	c := view.View(v).Cursor(nil)
	defer c.Release()
	start, count := len(dst), uint64(0)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	for more := c.Next(); more; {
		high := c.Key() >> 16
		m.Reset()
		more = portablePiece(m, &c, high, runs)
		if len(m.Chunks) > 0 {
			count++
			dst = binary.LittleEndian.AppendUint32(dst, uint32(high))
			dst = appendPortable(m, dst)
		}
	}
	binary.LittleEndian.PutUint64(dst[start:], count)
	return dst
}

// WritePortable32 writes what [AppendPortable32] appends to w, at once, and returns the number
// of bytes written.
func WritePortable32(w io.Writer, v bitmap.View, runs Runs) (int64, error) {
	b, err := AppendPortable32(nil, v, runs)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

// WritePortable64 writes what [AppendPortable64] appends to w, and returns the number of bytes
// written. It holds one of the 32-bit sets in memory, not all.
func WritePortable64(w io.Writer, v bitmap.View, runs Runs) (written int64, err error) {
	count := uint64(0)
	for c := view.View(v).Cursor(nil); c.Seek(nextPiece(&c, count)); {
		count++
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	c := view.View(v).Cursor(nil)
	defer c.Release()
	b := binary.LittleEndian.AppendUint64(nil, count)
	for more := c.Next(); ; {
		n, err := w.Write(b)
		if written += int64(n); err != nil || !more {
			return written, err
		}
		high := c.Key() >> 16
		m.Reset()
		more = portablePiece(m, &c, high, runs)
		b = appendPortable(m, binary.LittleEndian.AppendUint32(b[:0], uint32(high)))
	}
}

// nextPiece returns the first key behind the 32-bit set that the cursor is in. It returns 0 if the
// cursor has seen none.
func nextPiece(c *view.Cursor, seen uint64) uint64 {
	if seen == 0 {
		return 0
	}
	return (c.Key()>>16 + 1) << 16
}

// portablePiece adds the cursor's block and those after it with the same high 32 bits. It chooses
// how each is written. It returns whether the cursor stands at a block behind them.
func portablePiece(b *pack.Builder, c *view.Cursor, high uint64, runs Runs) (more bool) {
	for more = true; more && c.Key()>>16 == high; more = c.Next() {
		block := c.Block()
		had := len(b.Chunks)
		b.AppendBlock(block)
		for i := had; i < len(b.Chunks); i++ {
			choosePortable(&b.Chunks[i], runs, block.Kind)
		}
	}
	return more
}

// choosePortable chooses the kind that the chunk is written as; stored is the kind that it came
// from.
func choosePortable(c *pack.Chunk, runs Runs, stored uint8) {
	c.As = container.Bitset
	if c.N <= container.MaxArray {
		c.As = container.Array
	}
	switch {
	case runs == RunsAsStored && stored == container.Run:
		c.As = container.Run
	case runs == RunsIfSmaller && c.Kind == container.Run && 2+c.Size < min(2*c.N, container.MaxPayload):
		// The runs of a portable file are preceded by their number: on a par they are not smaller.
		// The builder has found every chunk whose runs are.
		c.As = container.Run
	}
}

// portableSize returns the number of bytes of a container.
func portableSize(b *pack.Builder, c *pack.Chunk) int {
	switch c.As {
	case container.Array:
		return 2 * int(c.N)
	case container.Bitset:
		return container.MaxPayload
	}
	return 2 + 4*runCount(b, c)
}

// runCount returns the number of runs of a chunk.
func runCount(b *pack.Builder, c *pack.Chunk) int {
	data := b.Data[c.At : c.At+int(c.Size)]
	switch c.Kind {
	case container.Array:
		runs, _ := array.Shape(data)
		return runs
	case container.Bitset:
		_, runs := bitset.Shape((*bitset.Words)(data))
		return runs
	}
	return len(data) / 4
}

// appendPortable appends the chunks, which have the same high 32 bits, as a set of the 32-bit
// format.
func appendPortable(b *pack.Builder, dst []byte) []byte {
	count, withRuns, size := len(b.Chunks), false, 0
	for i := range b.Chunks {
		withRuns = withRuns || b.Chunks[i].As == container.Run
		size += portableSize(b, &b.Chunks[i])
	}
	start := len(dst)
	dst = slices.Grow(dst, 8+(count+7)/8+8*count+size)
	if withRuns {
		dst = binary.LittleEndian.AppendUint32(dst, cookieRuns|uint32(count-1)<<16)
		flags := len(dst)
		dst = append(dst, make([]byte, (count+7)/8)...)
		for i := range b.Chunks {
			if b.Chunks[i].As == container.Run {
				dst[flags+i>>3] |= 1 << (i & 7)
			}
		}
	} else {
		dst = binary.LittleEndian.AppendUint32(dst, cookieNoRuns)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(count))
	}
	for i := range b.Chunks {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(b.Chunks[i].Key))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(b.Chunks[i].N-1))
	}
	if !withRuns || count >= portableOffsets {
		at := len(dst) - start + 4*count
		for i := range b.Chunks {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(at))
			at += portableSize(b, &b.Chunks[i])
		}
	}
	for i := range b.Chunks {
		dst = appendContainer(b, dst, &b.Chunks[i])
	}
	return dst
}

// appendContainer appends a chunk in the kind that it is written as.
func appendContainer(b *pack.Builder, dst []byte, c *pack.Chunk) []byte {
	from := b.Data[c.At : c.At+int(c.Size)]
	if c.As == container.Run {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(runCount(b, c)))
	}
	if c.As == c.Kind {
		return append(dst, from...)
	}
	size := portableSize(b, c)
	if c.As == container.Run {
		size -= 2
	}
	end := len(dst) + size
	dst = slices.Grow(dst, size)[:end]
	to := dst[end-size : end : end]
	switch container.Pair(c.Kind, c.As) {
	case container.ArrayBitset:
		clear(to)
		bitset.SetArray((*bitset.Words)(to), from)
	case container.ArrayRun:
		run.FromArray(to, from)
	case container.BitsetArray:
		bitset.ToArray(to, (*bitset.Words)(from))
	case container.BitsetRun:
		run.FromBitset(to, (*bitset.Words)(from))
	case container.RunArray:
		run.ToArray(to, from)
	case container.RunBitset:
		clear(to)
		run.Set((*bitset.Words)(to), from)
	}
	return dst
}
