// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// And returns the set of values that both a and b have.
//
// It walks both sets block by block, or probes the one with the values of the other if that is a
// short list, and lays the result out once, as a compact set: one allocation up to 400 bytes, two
// beyond. Beside the result, nothing is allocated once the package's builders are warm. The same
// holds for [Or], [AndNot] and [Xor].
func And(a, b view.View) *mutable.Bitmap { return combined(container.And, &a, &b) }

// Or returns the set of values that at least one of a and b has. See [And].
func Or(a, b view.View) *mutable.Bitmap { return combined(container.Or, &a, &b) }

// AndNot returns the set of values of a that b has not. See [And].
func AndNot(a, b view.View) *mutable.Bitmap { return combined(container.AndNot, &a, &b) }

// Xor returns the set of values that only one of a and b has. See [And].
func Xor(a, b view.View) *mutable.Bitmap { return combined(container.Xor, &a, &b) }

// combined builds the result of an operation.
func combined(op container.Op, a, b *view.View) *mutable.Bitmap {
	switch {
	case op == container.And && b.Form() == view.FormSingle:
		a, b = b, a
		fallthrough
	case a.Form() == view.FormSingle && (op == container.And || op == container.AndNot):
		if (meets(b, a.Single()) == 1) != (op == container.And) {
			return new(mutable.Bitmap)
		}
		return mutable.Clone(*a)
	case op == container.And && a.Form() == view.FormList && b.Form() == view.FormList:
		if m, ok := andLists(a, b); ok {
			return m
		}
	case op == container.And && rangesDisjoint(a, b):
		return new(mutable.Bitmap)
	case op == container.And:
		if m, ok := andFixedInDirectory(a, b); ok {
			return m
		}
	}
	c := BorrowResult()
	m, ok := c.combine(op, a, b)
	c.Release()
	if ok {
		return m
	}
	builder := pack.BorrowBuilder()
	defer builder.Release()
	CombineInto(builder, op, a, b)
	return mutable.NewBitmap(builder, pack.AsTheyAre)
}

// andLists returns the intersection of two lists; ok is false if they should be merged.
func andLists(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	n, ok := listsAndLen(a, b)
	if !ok {
		if max(a.ListLen(), b.ListLen()) >= offsetsFrom && byOffsets(a, b) {
			c := BorrowResult()
			defer c.Release()
			if sameLists(a, b) {
				if m, ok = c.andSameLists(a, b); ok {
					return m, true
				}
			}
			return c.andOffsets(a, b), true
		}
		if !near(a, b) {
			return andLookedUp(a, b)
		}
		n, ok = common(nil, a, b)
	}
	switch {
	case ok && n == 0: // which most pairs of lists have in common
		return new(mutable.Bitmap), true
	case !ok || !near(a, b):
		return nil, false
	}
	c := BorrowResult()
	defer c.Release()
	values := slices.Grow(c.lists[0][:0], eliasfano.MaxAnd)[:eliasfano.MaxAnd]
	c.lists[0] = values
	if n, ok = common(values, a, b); !ok {
		return nil, false
	}
	return c.ofValues(values[:n]), true
}

// CombineInto appends the result of an operation to an empty builder; it must be laid out as it is.
func CombineInto(m *pack.Builder, op container.Op, a, b *view.View) {
	m.Layout = pack.AsTheyAre
	if op == container.And {
		if driver, probed, ok := drive(a, b); ok {
			probeInto(m, driver, probed, true)
			return
		}
	}
	switch {
	case Sparse(a) && op == container.AndNot:
		probeInto(m, a, b, false)
	case Sparse(a) && Sparse(b):
		mergePair(m, op, a, b)
	default:
		walkInto(m, op, a, b)
	}
}

// ascending passes ascending values on to a builder. It drops values that do not exceed the one
// before, as invalid bytes may have them.
type ascending struct {
	m    *pack.Builder
	last uint64
	any  bool
}

func (to *ascending) add(x uint64) {
	if x > to.last || !to.any {
		to.m.Append(x)
		to.last, to.any = x, true
	}
}

// probeInto appends the values of a short list that are, or are not, in the other set.
func probeInto(m *pack.Builder, list, in *view.View, want bool) {
	var values [64]uint64
	to := ascending{m: m}
	var f Feed
	var p Prober
	f.Open(list)
	p.Open(in)
	for k := f.Fill(values[:]); k > 0; k = f.Fill(values[:]) {
		for _, x := range values[:k] {
			if p.has(x) == want {
				to.add(x)
			}
		}
	}
}

// mergePair combines two short lists.
func mergePair(m *pack.Builder, op container.Op, a, b *view.View) {
	var x, y [64]uint64
	to := ascending{m: m}
	var f, g Feed
	f.Open(a)
	g.Open(b)
	onlyFirst, onlySecond, both := op>>2&1 == 1, op>>1&1 == 1, op>>3&1 == 1
	xs, ys := x[:f.Fill(x[:])], y[:g.Fill(y[:])]
	for len(xs) > 0 || len(ys) > 0 {
		switch {
		case len(ys) == 0 || len(xs) > 0 && xs[0] < ys[0]:
			if onlyFirst {
				to.add(xs[0])
			}
			xs = xs[1:]
		case len(xs) == 0 || ys[0] < xs[0]:
			if onlySecond {
				to.add(ys[0])
			}
			ys = ys[1:]
		default:
			if both {
				to.add(xs[0])
			}
			xs, ys = xs[1:], ys[1:]
		}
		if len(xs) == 0 {
			xs = x[:f.Fill(x[:])]
		}
		if len(ys) == 0 {
			ys = y[:g.Fill(y[:])]
		}
	}
}

// walkInto combines two sets block by block.
func walkInto(m *pack.Builder, op container.Op, a, b *view.View) {
	s := view.Scratches.Get().(*container.Scratch)
	defer view.Scratches.Put(s)
	x, y := a.Cursor(nil), b.Cursor(nil)
	if op == container.And {
		for view.MeetCursors(&x, &y) {
			m.AppendBlock(s.And(meetingBlocks(&x, &y)))
		}
	} else {
		walkAllInto(m, op, &x, &y, s)
	}
	x.Release()
	y.Release()
}

// walkAllInto combines the blocks of a with the blocks of b of the same key. Or and Xor take the
// blocks of other keys, too.
func walkAllInto(m *pack.Builder, op container.Op, a, b *view.Cursor, s *container.Scratch) {
	more := a.Next()
	if op == container.AndNot {
		for ; more; more = a.Next() {
			if b.Seek(a.Pos) && b.Pos == a.Pos {
				m.AppendBlock(s.AndNot(a.Block(), b.Block()))
			} else {
				m.AppendBlock(a.Block())
			}
		}
		return
	}
	other := b.Next()
	for more || other {
		switch {
		case !other || more && a.Pos < b.Pos:
			m.AppendBlock(a.Block())
			more = a.Next()
		case !more || b.Pos < a.Pos:
			m.AppendBlock(b.Block())
			other = b.Next()
		default:
			if op == container.Or {
				m.AppendBlock(s.Or(a.Block(), b.Block()))
			} else {
				m.AppendBlock(s.Xor(a.Block(), b.Block()))
			}
			more, other = a.Next(), b.Next()
		}
	}
}
