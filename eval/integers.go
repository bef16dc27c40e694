// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"math/bits"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// integers is the records of a field whose integer is in a range. The field keeps a sign and the bits of the absolute value (posting.IntegerRow), so a range
// is one of absolute values below zero, and one from zero on.
type integers struct {
	plan     *plan
	field    uint32
	all      bool      // the range is of all integers
	filled   bool      // what follows but any is there
	any      *node     // the records that have an integer
	negative *node     // those with one below zero; nil: there are none
	digits   [64]*node // those in whose absolute value a bit is set; nil: there are none
	parts    [2]magnitudes
	join     bitmap.Scratch
}

// magnitudes is the half of a range on one side of zero.
type magnitudes struct {
	wanted   bool
	from, to uint64 // absolute values, both included
	base     bitmap.Scratch
	low      bitmap.Scratch
	high     bitmap.Scratch
}

// integerScratches is how many pieces of scratch memory integers have.
const integerScratches = 7

// integers makes the node of a range. Its bits are read when a block is asked for: few records are looked up in the forward column instead.
func (p *plan) integers(snap posting.Snapshot, l Leaf) (*node, error) {
	if l.From > l.To {
		return nil, nil
	}
	n := p.node(opIntegers)
	if n.integers == nil {
		n.integers = new(integers)
	}
	r := n.integers
	r.plan, r.field, r.all = p, l.Field, l.From == math.MinInt64 && l.To == math.MaxInt64
	if l.To >= 0 {
		r.parts[0].wanted, r.parts[0].from, r.parts[0].to = true, uint64(max(0, l.From)), uint64(l.To)
	}
	if l.From < 0 {
		r.parts[1].wanted, r.parts[1].from, r.parts[1].to = true, magnitude(min(-1, l.To)), magnitude(l.From)
		if l.To >= -1 {
			r.parts[1].from = 0 // which none has: all below zero are far enough from it
		}
	}
	var err error
	if r.any, err = p.list(snap, l.Field, posting.IntegerAny); err != nil {
		return nil, err
	}
	n.atMost = r.any.atMost
	return n, p.owe(integerScratches * scratchBytes)
}

// fill reads the lists of the sign and the bits, and reports whether it could.
func (r *integers) fill() bool {
	if r.filled {
		return true
	}
	r.filled = true
	p := r.plan
	var err error
	if r.negative, err = p.filled(p.snap, r.field, posting.IntegerNegative); err == nil && !r.all {
		for i := range r.digits {
			if r.digits[i], err = p.filled(p.snap, r.field, posting.IntegerRow(i)); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = p.settle()
	}
	if err != nil {
		p.pace.err = err
		return false
	}
	r.startFilled()
	return true
}

// clear lets go of the lists, and keeps the scratch memory.
func (r *integers) clear() {
	r.plan, r.any, r.negative, r.all, r.filled = nil, nil, nil, false, false
	clear(r.digits[:])
	r.parts[0].wanted, r.parts[1].wanted = false, false
}

// magnitude returns the absolute value of an integer below 0.
func magnitude(x int64) uint64 { return -uint64(x) }

// filled makes the node of a list; nil if it has no records.
func (p *plan) filled(snap posting.Snapshot, field uint32, row uint64) (*node, error) {
	n, err := p.list(snap, field, row)
	if err != nil || n.atMost == 0 {
		p.lists--
		p.used-- // nobody has the node
		p.nodes[p.used].list.Clear()
		return nil, err
	}
	return n, nil
}

// start makes every cursor stand before its first block.
func (r *integers) start() {
	r.any.start()
	if r.filled {
		r.startFilled()
	}
}

// startFilled is start for what fill reads.
func (r *integers) startFilled() {
	if r.negative != nil {
		r.negative.start()
	}
	for _, d := range r.digits {
		if d != nil {
			d.start()
		}
	}
}

// within returns the records of a block, all of which have an integer, whose integer is in the range.
func (r *integers) within(b bitmap.Block, key uint64) bitmap.Block {
	if b.IsEmpty() || !r.fill() {
		return posting.EmptyBlock(key)
	}
	above, below := b, posting.EmptyBlock(key)
	if r.negative != nil {
		sign := r.negative.at(key)
		above, below = r.parts[0].base.AndNot(b, sign), r.parts[1].base.And(b, sign)
	}
	return r.join.Or(r.part(&r.parts[0], above, key), r.part(&r.parts[1], below, key))
}

// part returns the records of a block whose absolute value is in a half of the range.
func (r *integers) part(m *magnitudes, b bitmap.Block, key uint64) bitmap.Block {
	switch {
	case !m.wanted || b.IsEmpty():
		return posting.EmptyBlock(key)
	case m.from == m.to:
		return r.equal(m, b, key)
	}
	if m.from > 0 {
		b = m.base.And(b, r.atLeast(m.from, &m.low, key))
	}
	if b.IsEmpty() || bits.Len64(m.to+1) > r.width() {
		return b
	}
	return m.base.AndNot(b, r.atLeast(m.to+1, &m.high, key))
}

// width returns how many bits the greatest absolute value has at most.
func (r *integers) width() int {
	n := len(r.digits)
	for n > 0 && r.digits[n-1] == nil {
		n--
	}
	return n
}

// equal returns the records of a block with one absolute value: from the highest bit on, so that it is soon known of most that they have not.
func (r *integers) equal(m *magnitudes, b bitmap.Block, key uint64) bitmap.Block {
	if bits.Len64(m.from) > r.width() {
		return posting.EmptyBlock(key)
	}
	for i := r.width() - 1; i >= 0 && !b.IsEmpty(); i-- {
		switch set := m.from>>i&1 != 0; {
		case set:
			b = m.base.And(b, r.digit(i, key))
		case r.digits[i] != nil:
			b = m.base.AndNot(b, r.digit(i, key))
		}
	}
	return b
}

// atLeast returns the records with an absolute value of x or more, above 0: bit by bit from the lowest on, one that is equal so far stays in if its bit is as
// great, and every other if it is greater or equal with those before.
func (r *integers) atLeast(x uint64, s *bitmap.Scratch, key uint64) bitmap.Block {
	if bits.Len64(x) > r.width() {
		return posting.EmptyBlock(key)
	}
	low := bits.TrailingZeros64(x)
	b := r.digit(low, key)
	for i := low + 1; i < r.width(); i++ {
		switch set := x>>i&1 != 0; {
		case set:
			b = s.And(b, r.digit(i, key))
		case r.digits[i] != nil:
			b = s.Or(b, r.digit(i, key))
		}
	}
	return b
}

// digit returns the records whose absolute value has a bit.
func (r *integers) digit(i int, key uint64) bitmap.Block {
	if r.digits[i] == nil {
		return posting.EmptyBlock(key)
	}
	return r.digits[i].at(key)
}

// contains reports whether one record is in the range, by its integer in the forward column.
func (r *integers) contains(record uint64) bool {
	x, ok, err := r.plan.snap.Int(r.field, record)
	if err != nil {
		r.plan.pace.err = err
	}
	if err != nil || !ok {
		return false
	}
	m, absolute := &r.parts[0], uint64(x)
	if x < 0 {
		m, absolute = &r.parts[1], magnitude(x)
	}
	return m.wanted && m.from <= absolute && absolute <= m.to
}
