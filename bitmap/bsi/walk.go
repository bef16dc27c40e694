// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// walk goes through bit-sliced integers chunk by chunk, and holds the memory in which a chunk
// is computed.
type walk struct {
	view    View
	records view.Cursor
	filter  view.Cursor
	slices  [maxSlices]view.Cursor
	all     container.Block // the records of the chunk that have an integer and are in the filter

	// What a chunk's block lives in: the records; the candidates for the lower and for the upper
	// bound; the result; one operation's.
	inFilter, low, high, found, step container.Scratch

	values *[container.ChunkValues]uint64 // distance of each record of the chunk, see decode
	lows   []uint16
	few    []uint64 // distances to be sorted
}

// walks lends to questions.
var walks = sync.Pool{New: func() any { return new(walk) }}

// walk returns a walk before the first chunk, to be released.
func (v View) walk() *walk {
	w := walks.Get().(*walk)
	w.view = v
	w.restart()
	return w
}

// restart goes back before the first chunk.
func (w *walk) restart() {
	w.rewind(&w.records, w.view.records())
	if w.view.filtered {
		w.rewind(&w.filter, w.view.filter)
	}
	for i := range int(w.view.width) {
		w.rewind(&w.slices[i], w.view.slice(i))
	}
}

func (w *walk) rewind(c *view.Cursor, v view.View) {
	c.Release()
	*c = v.Cursor(nil)
}

// release gives the walk back. It must not keep the bytes of the integers alive.
func (w *walk) release() {
	w.rewind(&w.records, view.View{})
	w.rewind(&w.filter, view.View{})
	for i := range int(w.view.width) {
		w.rewind(&w.slices[i], view.View{})
	}
	w.view, w.all = View{}, container.Block{}
	walks.Put(w)
}

// next moves to the next chunk with a record that has an integer and is in the filter.
func (w *walk) next() bool {
	if !w.view.filtered {
		for w.records.Next() {
			if w.all = w.records.Block(); !w.all.IsEmpty() {
				return true
			}
		}
		return false
	}
	for view.MeetCursors(&w.records, &w.filter) {
		if w.all = w.inFilter.And(w.records.Block(), w.filter.Block()); !w.all.IsEmpty() {
			return true
		}
	}
	return false
}

// slice returns the records of the chunk with bit i. It stays valid until the next chunk.
func (w *walk) slice(i int) container.Block {
	if c := &w.slices[i]; c.Seek(w.all.Key) && c.Key() == w.all.Key {
		return c.Block()
	}
	return container.Block{Key: w.all.Key}
}

// having returns the records of b with bit i as given. They are in s, or a block that stays valid
// as long as b does. b may live in s.
func (w *walk) having(s *container.Scratch, b container.Block, i int, bit uint64) container.Block {
	if bit&1 != 0 {
		return s.And(b, w.slice(i))
	}
	return s.AndNot(b, w.slice(i))
}

// ownCopy returns b, or a copy of it in s if it lives elsewhere.
func ownCopy(s *container.Scratch, b container.Block) container.Block {
	if b.IsEmpty() || len(b.Data) == 0 || s.Holds(b) || &b.Data[0] == &s.Buf[1][0] {
		return b
	}
	b.Data = s.Buf[0][:copy(s.Buf[0][:], b.Data)]
	return b
}

// collect adds b to a result that lives in found.
func (w *walk) collect(result, b container.Block) container.Block {
	return ownCopy(&w.found, w.found.Or(result, b))
}

// decode writes the distance of each record of b to values, at the low 16 bits of its ID. It
// returns these low bits. They are valid until the next call.
func (w *walk) decode(b container.Block) []uint16 {
	if w.values == nil {
		w.values = new([container.ChunkValues]uint64)
	}
	w.lows = b.AppendLow(w.lows[:0])
	for _, low := range w.lows {
		w.values[low] = 0
	}
	if b.IsEmpty() {
		return w.lows
	}
	for i := range int(w.view.width) {
		markBits(w.step.And(b, w.slice(i)), w.values, 1<<i)
	}
	return w.lows
}

// markBits sets a bit of the number of each value of the block.
func markBits(b container.Block, numbers *[container.ChunkValues]uint64, bit uint64) {
	switch b.Kind {
	case container.Bitset:
		words := b.Words()
		for low, ok := bitset.Next(words, 0); ok; low, ok = bitset.Next(words, low+1) {
			numbers[low] |= bit
			if low == container.ChunkValues-1 {
				return
			}
		}
	case container.Run:
		next := 0
		for i := range len(b.Data) / 4 {
			lo, hi := run.From(b.Data, i, next)
			next = max(next, hi)
			for ; lo < hi; lo++ {
				numbers[lo] |= bit
			}
		}
	default:
		for i := range len(b.Data) / 2 {
			numbers[array.Low(b.Data, i)] |= bit
		}
	}
}
