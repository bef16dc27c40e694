// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Shift returns the set of the values plus offset. It drops values that leave the range of uint64.
// The result is packed as [Fastest].
//
// Blocks are copied if the offset is a multiple of 65 536. Otherwise each is cut in two, in its
// kind, and joined with the part that its neighbour left in the same chunk, at about the cost of a
// [pair.Or]. Besides the result it allocates nothing once the package's memory is warm.
func Shift(v view.View, offset int64) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	w := cutters.Get().(*cutter)
	defer cutters.Put(w)
	w.shift(m, v, offset)
	return mutable.NewBitmap(m, pack.Fastest)
}

// cutter moves blocks up by less than a chunk.
type cutter struct {
	decoded container.Scratch // of the cursor
	joined  container.Scratch
	low     bitset.Words    // the part of a block that stays in its chunk
	high    [2]bitset.Words // the part that leaves it, which is read when the next block has been cut
}

var cutters = sync.Pool{New: func() any { return new(cutter) }}

// shift appends the values of v plus offset.
func (w *cutter) shift(m *pack.Builder, v view.View, offset int64) {
	chunks, by := offset>>16, int(offset&0xFFFF) // rounded down, and up from there
	c := v.Cursor(&w.decoded)
	if chunks < 0 {
		// The chunk before the first that stays has values that by moves into it.
		if !c.Seek(uint64(-chunks) - 1) {
			return
		}
	} else if !c.Next() {
		return
	}
	var left container.Block // what the last block put into the chunk after its own
	for more := true; more; more = c.Next() {
		block := c.Block()
		key := int64(c.Pos) + chunks
		if key > container.MaxKey {
			break
		}
		low, high := container.WithKey(block, uint64(key)), container.Block{}
		if by > 0 {
			into := &w.high[0]
			if !left.IsEmpty() && &left.Data[0] == &w.high[0][0] {
				into = &w.high[1]
			}
			low, high = w.cut(block, by, into)
			low.Key, high.Key = uint64(key), uint64(key+1)
		}
		if key < 0 {
			low = container.Block{}
		}
		switch {
		case left.IsEmpty():
		case left.Key == low.Key:
			low = w.joined.Or(left, low)
		default:
			m.AppendBlock(left)
		}
		m.AppendBlock(low)
		if left = high; key >= container.MaxKey || key < -1 {
			left = container.Block{}
		}
	}
	m.AppendBlock(left)
}

// cut moves a block up by less than a chunk: what stays in the chunk is written to w.low, the rest
// to high.
func (w *cutter) cut(b container.Block, by int, high *bitset.Words) (stay, leave container.Block) {
	switch b.Kind {
	case container.Bitset:
		n, m := bitset.ShiftBits(&w.low, high, b.Words(), by)
		if n > 0 {
			stay = container.BitsetBlock(0, &w.low, n)
		}
		if m > 0 {
			leave = container.BitsetBlock(0, high, m)
		}
		return stay, leave
	case container.Run:
		return w.cutRuns(b.Data, by, high)
	}
	n := array.Search(b.Data, uint16(container.ChunkValues-by))
	return container.ArrayBlock(0, moveArray(&w.low, b.Data[:2*n], by)),
		container.ArrayBlock(0, moveArray(high, b.Data[2*n:], by))
}

// moveArray writes lows plus by, modulo 65 536.
func moveArray(dst *bitset.Words, lows []byte, by int) []byte {
	for i := range len(lows) / 2 {
		binary.LittleEndian.PutUint16(dst[2*i:], array.Low(lows, i)+uint16(by))
	}
	return dst[:len(lows)]
}

// cutRuns is cut of runs.
func (w *cutter) cutRuns(runs []byte, by int, high *bitset.Words) (stay, leave container.Block) {
	var size, n [2]int
	dst := [2]*bitset.Words{&w.low, high}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := run.From(runs, i, next)
		if next = max(next, hi); lo >= hi {
			continue // only in runs that are not valid
		}
		for part := range dst {
			// The part of the run in this chunk or in the next.
			from, to := max(lo+by-part<<16, 0), min(hi+by-part<<16, container.ChunkValues)
			if from >= to {
				continue
			}
			binary.LittleEndian.PutUint16(dst[part][size[part]:], uint16(from))
			binary.LittleEndian.PutUint16(dst[part][size[part]+2:], uint16(to-from-1))
			size[part] += 4
			n[part] += to - from
		}
	}
	if n[0] > 0 {
		stay = container.RunBlock(0, w.low[:size[0]], n[0])
	}
	if n[1] > 0 {
		leave = container.RunBlock(0, high[:size[1]], n[1])
	}
	return stay, leave
}
