// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// integers is the records of a field whose integer is in one of some ranges. The field keeps a sign
// and the bits of the absolute value (posting.IntegerRow). One pass over the bits answers for all
// ranges: each block is split by a bit, from the highest down, and each half keeps the ranges that
// reach into it. A half that lies within a range is taken whole.
type integers struct {
	plan     *plan
	field    uint32
	wanted   [2][]span // by sign: absolute values from 0 on, and of integers below 0
	all      bool      // every integer is wanted
	filled   bool      // negative and digits are there
	any      *node     // the records that have an integer
	negative *node     // those with one below 0; nil: there are none
	digits   [integerDigits]*node
	width    int // digits that some absolute value has; digits that none has are nil below it, too

	split  []*container.Scratch // by depth: how often both halves were needed
	signs  [2]container.Scratch
	join   container.Scratch
	found  container.Block // what was taken so far
	sorted sortedOut
}

// integerDigits is how many bits the absolute value of an integer has.
const integerDigits = 64

const (
	// integerScratches is how many pieces of scratch memory integers have, beside one for each
	// depth.
	integerScratches = 4

	// keptSplits is how many of these an unused node keeps, and keptSpans how many ranges it has
	// memory for.
	keptSplits = 4
	keptSpans  = 256
)

// integers makes the node of the records whose integer is in one of some ranges. Its bits are read
// when a block is asked for: few records are looked up in the forward column instead.
func (p *plan) integers(field uint32, leaves ...Leaf) (*node, error) {
	p.ranges = p.ranges[:0]
	for i := range leaves {
		p.ranges = append(p.ranges, interval{leaves[i].From, leaves[i].To})
	}
	of := merged(p.ranges)
	if len(of) == 0 {
		return nil, nil
	}
	n := p.node(opIntegers)
	if n.integers == nil {
		n.integers = new(integers)
	}
	r := n.integers
	r.plan, r.field = p, field
	r.all = of[0] == interval{math.MinInt64, math.MaxInt64}
	appendMagnitudes(&r.wanted, of)
	var err error
	if r.any, err = p.list(field, model.IntegerAny); err != nil {
		return nil, err
	}
	n.atMost = r.any.atMost
	depths := bits.Len(uint(len(of))) + 1
	return n, p.charge(int64(len(of))*spanBytes + int64(integerScratches+depths)*scratchBytes)
}

// fill reads the lists of the sign and the bits, and reports whether it could.
func (r *integers) fill() bool {
	if r.filled {
		return true
	}
	r.filled = true
	p := r.plan
	var err error
	if r.negative, err = p.filled(r.field, model.IntegerNegative); err == nil {
		for i := range r.digits {
			if r.digits[i], err = p.filled(r.field, model.IntegerRow(i)); err != nil {
				break
			}
			if r.digits[i] != nil {
				r.width = i + 1
			}
		}
	}
	if err == nil {
		err = p.flushCharge()
	}
	if err != nil {
		p.pace.err = err
		return false
	}
	r.startFilled()
	return true
}

// clear lets go of the lists, and keeps some of the scratch memory.
func (r *integers) clear() {
	r.plan, r.any, r.negative, r.all, r.filled, r.width = nil, nil, nil, false, false, 0
	clear(r.digits[:])
	for i := range r.wanted {
		if r.wanted[i] = r.wanted[i][:0]; cap(r.wanted[i]) > keptSpans {
			r.wanted[i] = nil
		}
	}
	if len(r.split) > keptSplits {
		r.split = r.split[:keptSplits:keptSplits]
	}
	r.found = container.Block{}
	r.sorted.clear()
}

// filled makes the node of a list; nil if it has no records.
func (p *plan) filled(field uint32, row uint64) (*node, error) {
	n, err := p.list(field, row)
	if err != nil || n.atMost == 0 {
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

// within returns the records of a block, all of which have an integer, whose integer is in one of
// the ranges.
func (r *integers) within(b container.Block, key uint64) container.Block {
	if b.IsEmpty() || r.all {
		return b
	}
	if !r.filled && r.any.atMost <= lookedUp {
		return r.lookUp(b, key)
	}
	if !r.fill() {
		return overlay.EmptyBlock(key)
	}
	above, below := b, overlay.EmptyBlock(key)
	if r.negative != nil {
		sign := r.negative.at(key)
		above, below = r.signs[0].AndNot(b, sign), r.signs[1].And(b, sign)
	}
	r.found = overlay.EmptyBlock(key)
	r.take(above, r.width, 0, r.wanted[0], 0)
	r.take(below, r.width, 0, r.wanted[1], 0)
	if lows := r.sorted.lows(); len(lows) > 0 {
		r.found = r.join.Or(r.found, container.OfLows(key, lows, &r.signs[0]))
	}
	return r.found
}

// lookedUp is up to how many records a field has for each to be looked up in the forward column,
// where reading the lists of all bits would take longer.
const lookedUp = 256

// lookUp returns the records of a block whose integer is wanted, by the forward column.
func (r *integers) lookUp(b container.Block, key uint64) container.Block {
	s := &r.sorted
	s.having = b.AppendLow(s.having[:0])
	for _, low := range s.having {
		if r.contains(key<<16 | uint64(low)) {
			s.put(low)
		}
	}
	lows := s.lows()
	if len(lows) == 0 {
		return overlay.EmptyBlock(key)
	}
	return container.OfLows(key, lows, &r.signs[0])
}

// take takes the records of a block whose absolute value is wanted. All have absolute values from
// base on, which differ in the lowest digits only.
func (r *integers) take(b container.Block, digits int, base uint64, wanted []span, depth int) {
	for {
		if wanted = overlapping(wanted, base, digits); b.IsEmpty() || len(wanted) == 0 {
			return
		}
		if wanted[0].from <= base && wanted[0].to-base >= 1<<digits-1 {
			r.keep(b)
			return
		}
		if len(wanted) >= manySpans && b.Len() <= recordsOfSpan*len(wanted) {
			r.sortOut(b, digits, base, wanted)
			return
		}
		digits--
		if r.digits[digits] == nil {
			continue
		}
		digit, middle := r.digit(digits, b.Key), base+1<<digits
		low, high := wanted[0].from < middle, wanted[len(wanted)-1].to >= middle
		if low && high {
			r.take(r.scratch(depth+1).AndNot(b, digit), digits, base, wanted, depth+1)
			b, base = r.scratch(depth+1).And(b, digit), middle
			depth++
			continue
		}
		if high {
			b, base = r.scratch(depth).And(b, digit), middle
		} else {
			b = r.scratch(depth).AndNot(b, digit)
		}
	}
}

// scratch returns the memory of a depth. A block that lives there may be narrowed there, too.
func (r *integers) scratch(depth int) *container.Scratch {
	for len(r.split) <= depth {
		r.split = append(r.split, new(container.Scratch))
	}
	return r.split[depth]
}

// keep takes all records of a block, whose memory is used again afterwards.
func (r *integers) keep(b container.Block) {
	if r.found.IsEmpty() || b.Len() == 1<<16 {
		r.found = r.join.Copy(b)
		return
	}
	r.found = r.join.Or(r.found, b)
}

// digit returns the records whose absolute value has a bit.
func (r *integers) digit(i int, key uint64) container.Block {
	if r.digits[i] == nil {
		return overlay.EmptyBlock(key)
	}
	return r.digits[i].at(key)
}

// contains reports whether one record is in the ranges, by its integer in the forward column.
func (r *integers) contains(record uint64) bool {
	x, ok, err := r.plan.snap.Int(r.field, record)
	if err != nil {
		r.plan.pace.err = err
	}
	if err != nil || !ok {
		return false
	}
	if x < 0 {
		return has(r.wanted[1], magnitude(x))
	}
	return has(r.wanted[0], uint64(x))
}

const (
	// manySpans is how many ranges are many for a block.
	manySpans = 4

	// recordsOfSpan is up to how many records a block has for each range, to look these up one by
	// one.
	recordsOfSpan = 32
)

// sortOut takes the records of a block, of about as many as ranges: it puts their absolute values
// together from the digits that are left, and looks them up.
func (r *integers) sortOut(b container.Block, digits int, base uint64, wanted []span) {
	s := &r.sorted
	s.records = b.AppendLow(s.records[:0])
	s.values = slices.Grow(s.values[:0], len(s.records))[:len(s.records)]
	for i := range s.values {
		s.values[i] = base
	}
	for i := range digits {
		if r.digits[i] == nil {
			continue
		}
		at := 0
		s.having = s.meet.And(b, r.digit(i, b.Key)).AppendLow(s.having[:0])
		for _, low := range s.having {
			for s.records[at] != low {
				at++
			}
			s.values[at] |= 1 << i
		}
	}
	for i, x := range s.values {
		if has(wanted, x) {
			s.put(s.records[i])
		}
	}
}

// sortedOut is records that were looked up one by one.
type sortedOut struct {
	set     [1 << 10]uint64 // bits of those that are wanted
	some    bool            // there are any
	records []uint16        // scratch, as what follows
	having  []uint16
	values  []uint64
	meet    container.Scratch
}

// put notes a record.
func (s *sortedOut) put(low uint16) {
	s.set[low>>6] |= 1 << (low & 63)
	s.some = true
}

// lows returns the records that were put since the last call.
func (s *sortedOut) lows() []uint16 {
	if !s.some {
		return nil
	}
	s.some = false
	lows := s.records[:0]
	for i, word := range s.set {
		for ; word != 0; word &= word - 1 {
			lows = append(lows, uint16(i<<6+bits.TrailingZeros64(word)))
		}
	}
	clear(s.set[:])
	s.records = lows
	return lows
}

// keptValues is how many values an unused node has memory for.
const keptValues = 1 << 10

// clear lets go of what takes much memory.
func (s *sortedOut) clear() {
	if s.lows(); cap(s.records) > keptValues {
		s.records, s.having, s.values = nil, nil, nil
	}
}
