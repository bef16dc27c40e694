// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AndLen returns the number of records of the list that are in a set, exactly. Cost: an
// intersection that is only counted, and two probes for each edit; it allocates nothing unless
// records were deleted since the last flush.
func (l *List) AndLen(set view.View) uint64 {
	n := uint64(0)
	for i := range l.Pieces() {
		n += pair.AndLen(l.Piece(i), set)
		if !l.Mask.IsEmpty() {
			n -= roaring.AndAllLen(l.Piece(i), set, l.Mask)
		}
	}
	for _, e := range l.allEdits() {
		if !set.Contains(e.Record) {
			continue
		}
		switch had := l.baseContains(e.Record); {
		case e.Set && !had:
			n++
		case !e.Set && had:
			n--
		}
	}
	return n
}

// And returns the records of the list that are in a set, as a bitmap of their own. c is used for
// the walk, if the list is not as its pages have it.
func (l *List) And(set view.View, c *Cursor) *mutable.Bitmap {
	if l.Pieces() == 1 && l.Mask.IsEmpty() && l.Pending() == 0 {
		return pair.And(l.First, set)
	}
	var b pack.Builder
	var decoded, met container.Scratch
	other := set.Cursor(&decoded)
	c.Reset(l)
	for ok := c.Seek(0); ok && other.Seek(c.Key()); {
		if at := other.Key(); at > c.Key() {
			ok = c.Seek(at)
			continue
		}
		b.AppendBlock(met.And(c.Block(), other.Block()))
		ok = c.Next()
	}
	return mutable.NewBitmap(&b, pack.Fastest)
}

// AppendTo appends the records of the list, ascending. c is used for the walk, if the list is not
// as its pages have it.
func (l *List) AppendTo(dst []uint64, c *Cursor) []uint64 {
	if l.Pieces() == 1 && l.Mask.IsEmpty() && l.Pending() == 0 {
		return l.First.AppendTo(dst)
	}
	c.Reset(l)
	for ok := c.Seek(0); ok; ok = c.Next() {
		dst = c.Block().AppendTo(dst)
	}
	return dst
}
