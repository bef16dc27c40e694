// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// integers is the records of a field whose integer is in one of some ranges. The field keeps a sign
// and the bits of the absolute value (model.IntegerRow). One pass over the bits answers for all
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

// within returns the records of a block whose integer is in one of the ranges. All records of the
// block must have an integer.
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
	r.appendWanted(above, r.width, 0, r.wanted[0], 0)
	r.appendWanted(below, r.width, 0, r.wanted[1], 0)
	if lows := r.sorted.lows(); len(lows) > 0 {
		r.found = r.join.Or(r.found, container.OfLows(key, lows, &r.signs[0]))
	}
	return r.found
}

// lookedUp is the most records of a field that are each looked up in the value column. Reading
// the lists of all bits would take longer for these.
const lookedUp = 256

// lookUp returns the records of a block whose integer is wanted, by the value column.
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

// appendWanted takes the records of a block whose absolute value is wanted. All have absolute
// values from base on, which differ in the lowest digits only.
func (r *integers) appendWanted(b container.Block, digits int, base uint64, wanted []span, depth int) {
	for {
		if wanted = overlapping(wanted, base, digits); b.IsEmpty() || len(wanted) == 0 {
			return
		}
		if wanted[0].from <= base && wanted[0].to-base >= 1<<digits-1 {
			r.appendAll(b)
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
			r.appendWanted(r.scratch(depth+1).AndNot(b, digit), digits, base, wanted, depth+1)
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

// appendAll takes all records of a block, whose memory is used again afterwards.
func (r *integers) appendAll(b container.Block) {
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

// contains reports whether one record is in the ranges, by its integer in the value column.
func (r *integers) contains(record uint64) bool {
	x, ok, err := r.plan.snap.Int(r.field, record)
	if err != nil {
		r.plan.check.err = err
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
