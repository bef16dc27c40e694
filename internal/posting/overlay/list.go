// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// List is one posting list as a snapshot sees it: the bitmap on its page, or several when the list
// is kept in pieces, without the records that were deleted, overlaid with the edits of the delta.
// Nothing is merged or copied: its views borrow the pages, which stay valid as long as the List
// holds them.
//
// The zero value is the empty list. A List may be read from any number of goroutines, and reused:
// filling it again keeps its room.
type List struct {
	First view.View     // the only piece, or the first
	rest  []view.View   // further pieces, ascending
	from  []uint64      // the container keys from which on these have the records
	Mask  view.View     // what the pieces have and the list has not
	Edits []model.Edit  // ascending by record, each record once
	Much  delta.RowRuns // the edits instead, where they are many and nothing was taken away as a whole
	Refs  []format.Ref  // of the manifest: what the views keep alive
	Held  int64         // bytes of a set that is no list of the index, and that only l keeps alive

	Universe uint64 // in how many chunks records are, if that is known
}

// Reset makes l the list of one piece with edits, which are borrowed.
func (l *List) Reset(v view.View, edits []model.Edit) {
	l.First, l.rest, l.from, l.Mask, l.Edits, l.Much = v, l.rest[:0], l.from[:0], view.View{}, edits, l.Much[:0]
	l.Refs, l.Held, l.Universe = nil, 0, 0
}

// SetView makes l the list of a bitmap that is no posting list, which it borrows. The bitmap must
// be valid (see [view.View.Validate]).
func (l *List) SetView(v view.View) {
	clear(l.rest)
	clear(l.Much)
	l.Reset(v, l.Edits[:0])
}

// AddPiece appends a piece above the list's other pieces. Its records begin at a container key.
func (l *List) AddPiece(v view.View, from uint64) {
	if l.First.IsEmpty() && len(l.rest) == 0 {
		l.First = v
		return
	}
	l.rest, l.from = append(l.rest, v), append(l.from, from)
}

// TrimMask drops the mask if it has no record of the pieces: of few deletions most lists know
// nothing.
func (l *List) TrimMask() {
	if l.Mask.IsEmpty() {
		return
	}
	for i := range l.Pieces() {
		if pair.Intersects(l.Piece(i), l.Mask) {
			return
		}
	}
	l.Mask = view.View{}
}

// Clear makes l the empty list and lets go of the pages; the room for edits is kept.
func (l *List) Clear() {
	clear(l.rest)
	clear(l.Much)
	l.Reset(view.View{}, l.Edits[:0])
}

// Pieces returns how many bitmaps of pages the list is kept in, at least 1.
func (l *List) Pieces() int { return 1 + len(l.rest) }

// Piece returns one of them.
func (l *List) Piece(i int) view.View {
	if i == 0 {
		return l.First
	}
	return l.rest[i-1]
}

// Pending returns the number of edits. Some may name the same record.
func (l *List) Pending() int { return len(l.Edits) + l.Much.Len() }

// IsUnedited reports whether the list is what its pieces have: there is nothing to overlay.
func (l *List) IsUnedited() bool { return l.Mask.IsEmpty() && len(l.Edits)+len(l.Much) == 0 }

// FoldRuns merges runs, if they are few.
func (l *List) FoldRuns(field uint32) {
	if all := l.Much.Len(); all == 0 || all >= delta.RunsFrom && len(l.Much) <= delta.MostRuns {
		return
	}
	l.Edits = delta.AppendRunEdits(l.Edits, field, l.Much)
	clear(l.Much)
	l.Much = l.Much[:0]
}

// allEdits returns the edits, ascending by record, each record once: borrowed, or in new memory if
// they are many.
func (l *List) allEdits() []model.Edit {
	if len(l.Much) > 0 {
		return l.Much.Edits(nil)
	}
	return l.Edits
}

// edited returns what the edits say of a record.
func (l *List) edited(record uint64) (set, ok bool) {
	if len(l.Much) > 0 {
		return l.Much.Find(record)
	}
	i := sort.Search(len(l.Edits), func(i int) bool { return l.Edits[i].Record >= record })
	if i < len(l.Edits) && l.Edits[i].Record == record {
		return l.Edits[i].Set, true
	}
	return false, false
}

// Len returns the exact number of records. Cost: the directories of the pieces, and a probe for
// each edit.
func (l *List) Len() uint64 {
	if len(l.rest) == 0 && l.Pending() == 0 && l.Mask.IsEmpty() {
		return l.First.Len()
	}
	n := uint64(0)
	for i := range l.Pieces() {
		n += l.Piece(i).Len()
		if !l.Mask.IsEmpty() {
			n -= pair.AndLen(l.Piece(i), l.Mask)
		}
	}
	for _, e := range l.allEdits() {
		switch had := l.baseContains(e.Record); {
		case e.Set && !had:
			n++
		case !e.Set && had:
			n--
		}
	}
	return n
}

// AtMost returns a bound on Len without probing for the edits: what a planner orders by.
func (l *List) AtMost() uint64 {
	n := uint64(l.Pending())
	for i := range l.Pieces() {
		n += l.Piece(i).Len()
	}
	return n
}

// Max returns a bound on the records of the list. It is the greatest record unless edits or
// deletions removed that one. ok is false if the list cannot have any.
func (l *List) Max() (record uint64, ok bool) {
	record, ok = l.Piece(l.Pieces() - 1).Max()
	if n := len(l.Edits); n > 0 {
		record, ok = max(record, l.Edits[n-1].Record), true
	}
	if len(l.Much) > 0 {
		record, ok = max(record, l.Much.Last()), true
	}
	return record, ok
}

// Bytes returns how much memory l keeps alive by itself: its pages, whether the cache still has
// them or not, and its edits. See Pages for several lists.
func (l *List) Bytes() int64 {
	var none Pages
	return none.Hold(l)
}

// Contains reports whether the record is in the list.
func (l *List) Contains(record uint64) bool {
	if l.Pending() > 0 {
		if set, ok := l.edited(record); ok {
			return set
		}
	}
	return l.baseContains(record)
}

func (l *List) baseContains(record uint64) bool {
	piece := l.First
	if len(l.rest) > 0 {
		piece = l.Piece(sort.Search(len(l.from), func(i int) bool { return l.from[i] > record>>16 }))
	}
	return piece.Contains(record) && (l.Mask.IsEmpty() || !l.Mask.Contains(record))
}

// baseAmong returns those of some records, which ascend, that the pages have, in the memory of
// these.
func (l *List) baseAmong(records []uint64) []uint64 {
	if len(l.rest) == 0 && l.Mask.IsEmpty() {
		return roaring.Among(l.First, records)
	}
	found := records[:0]
	for i := range l.Pieces() {
		some := records
		if i < len(l.from) {
			some = records[:recordsBelow(records, l.from[i]<<16)]
		}
		records = records[len(some):]
		for _, x := range roaring.Among(l.Piece(i), some) {
			if l.Mask.IsEmpty() || !l.Mask.Contains(x) {
				found = append(found, x)
			}
		}
	}
	return found
}

// Cursor walks the blocks of a List in ascending order of container key. It holds the scratch
// memory for decoding packed containers, for leaving deleted records out and for overlaying edits,
// 16 KB each from when it is first needed, and is meant to be reused. Not for concurrent use.
type Cursor struct {
	list     *List
	at       int // piece that base walks
	base     view.Cursor
	more     bool          // base stands on a block
	edits    []model.Edit  // those not passed yet
	runs     delta.RunWalk // the edits instead, where they are in runs
	editKey  uint64        // of the first container that edits are of
	pending  bool          // there is one
	key      uint64
	mask     view.Cursor
	masked   bool // mask stands on a block
	decoded  *container.Scratch
	cleared  *container.Scratch
	patched  *container.Scratch
	set, cut []uint16
}

// Reset places the cursor before the first block of l. The cursor borrows l until it is reset or
// released.
func (c *Cursor) Reset(l *List) {
	if c.decoded == nil {
		c.decoded = new(container.Scratch)
	}
	if c.patched == nil && l.Pending() > 0 {
		c.patched = new(container.Scratch)
	}
	c.list, c.at, c.edits, c.key = l, 0, l.Edits, 0
	c.runs.Reset(l.Much)
	c.seekEdits(0)
	c.base = l.First.Cursor(c.decoded)
	c.more = c.base.Seek(0)
	c.masked = false
	if !l.Mask.IsEmpty() {
		if c.cleared == nil {
			c.cleared = new(container.Scratch)
		}
		c.mask = l.Mask.Cursor(nil)
		c.masked = c.mask.Seek(0)
	}
}

// resetPages places the cursor before the first block of the list's pages. It ignores edits and
// deletions.
func (c *Cursor) resetPages(l *List) {
	if c.decoded == nil {
		c.decoded = new(container.Scratch)
	}
	c.list, c.at, c.edits, c.key, c.pending, c.masked = l, 0, nil, 0, false, false
	c.base = l.First.Cursor(c.decoded)
	c.more = c.base.Seek(0)
}

// undecoded returns a bound on the records that Block must decode on the pages.
func (c *Cursor) undecoded() int { return c.base.Undecoded() }

// Release lets go of the list and keeps the scratch memory.
func (c *Cursor) Release() {
	if c.list == nil {
		return
	}
	c.list, c.base, c.edits, c.more, c.pending = nil, view.Cursor{}, nil, false, false
	c.runs.Release()
	c.mask, c.masked = view.Cursor{}, false
}

// Seek moves to the first block whose container key is at least key. It reports whether there is
// one. It never moves backwards. It may stop at a block that edits or deletions have emptied.
func (c *Cursor) Seek(key uint64) bool {
	if c.more && c.base.Key() < key {
		c.more = c.base.Seek(key)
	}
	for !c.more && c.at+1 < c.list.Pieces() {
		c.at++
		c.base = c.list.Piece(c.at).Cursor(c.decoded)
		c.more = c.base.Seek(key)
	}
	if c.pending && c.editKey < key {
		c.seekEdits(key)
	}
	if !c.pending {
		if c.more {
			c.key = c.base.Key()
		}
		return c.more
	}
	c.key = c.editKey
	if c.more {
		c.key = min(c.key, c.base.Key())
	}
	return true
}

// seekEdits passes over the edits of containers before one.
func (c *Cursor) seekEdits(key uint64) {
	if len(c.list.Much) > 0 {
		c.editKey, c.pending = c.runs.Seek(key)
		return
	}
	if len(c.edits) > 0 && c.edits[0].Record>>16 < key {
		c.edits = c.edits[sort.Search(len(c.edits), func(i int) bool { return c.edits[i].Record>>16 >= key }):]
	}
	if c.pending = len(c.edits) > 0; c.pending {
		c.editKey = c.edits[0].Record >> 16
	}
}

// blockEdits returns the edits from the current block on. In runs, it returns only the edits of the
// block. The block must have some.
func (c *Cursor) blockEdits() []model.Edit {
	if len(c.list.Much) > 0 {
		return c.runs.Block()
	}
	return c.edits
}

// Next moves to the block after the current one.
func (c *Cursor) Next() bool { return c.Seek(c.key + 1) }

// Key returns the container key of the current block.
func (c *Cursor) Key() uint64 { return c.key }

// BlockLen returns the cardinality of the current block.
func (c *Cursor) BlockLen() int {
	if c.masks() || c.pending && c.editKey == c.key {
		return c.Block().Len()
	}
	return c.base.BlockLen()
}

// masks reports whether the mask has values in the current block, and moves it there.
func (c *Cursor) masks() bool {
	if c.masked && c.mask.Key() < c.key {
		c.masked = c.mask.Seek(c.key)
	}
	return c.masked && c.mask.Key() == c.key
}

// unedited reports whether the current block is as the pages have it.
func (c *Cursor) unedited() bool {
	return !c.pending && !c.masked && c.more && c.base.Key() == c.key
}

// Block returns the current block, valid until the cursor moves.
func (c *Cursor) Block() container.Block {
	if c.unedited() {
		return c.base.Block()
	}
	var block container.Block
	if c.more && c.base.Key() == c.key {
		block = c.base.Block()
		if c.masks() {
			block = c.cleared.AndNot(block, c.mask.Block())
		}
	} else {
		block = EmptyBlock(c.key)
	}
	if !c.pending || c.editKey != c.key {
		return block
	}
	c.set, c.cut = c.set[:0], c.cut[:0]
	for _, e := range c.blockEdits() {
		if e.Record>>16 != c.key {
			break
		}
		if e.Set {
			c.set = append(c.set, uint16(e.Record))
		} else {
			c.cut = append(c.cut, uint16(e.Record))
		}
	}
	return c.patched.Patch(block, c.set, c.cut)
}

// EmptyBlock returns the empty block with a container key. It takes no memory.
func EmptyBlock(key uint64) container.Block { return container.OfLows(key, nil, nil) }
