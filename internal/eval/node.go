// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// op is what a node does.
type op uint8

const (
	opList     op = iota // a posting list
	opAnd                // what is in all of plus and in none of minus
	opOr                 // what is in any of plus
	opXor                // what is in an odd number of plus
	opCount              // what is in at least a number of plus
	opIntegers           // the records whose integer is in a range
)

// node is one operation of a plan, with the scratch memory to carry it out. A node is used again by
// later plans.
type node struct {
	op     op
	plus   []*node
	minus  []*node
	atMost uint64 // bound on the cardinality
	check  *ctxCheck
	loose  bool // it may have records that do not exist
	begun  bool // the cursor has been reset, where a list is walked by itself
	lists  bool // opAnd: plus are lists, and there is no minus

	list    overlay.List
	cursor  overlay.Cursor
	scratch *container.Scratch // of the others

	least    int       // of opCount
	counter  *counter  // of opCount
	integers *integers // of opIntegers; kept for a later one
	lows     []uint16  // scratch for probing
}

// ctxCheck looks at the context once every stepsPerLook steps of a walk. The steps may be spread
// over nodes and blocks.
type ctxCheck struct {
	ctx   context.Context
	steps int
	err   error // the context's; the walk is over
}

// stepsPerLook is how many container keys are met between two looks at the context: some tens of
// microseconds.
const stepsPerLook = 256

// step reports whether the walk may go on.
func (p *ctxCheck) step() bool {
	if p.steps++; p.steps%stepsPerLook == 0 && p.err == nil {
		p.err = p.ctx.Err()
	}
	return p.err == nil
}

// next returns the first container key of at least key for which the node may have values. Keys
// must not descend from call to call, between two calls of start.
func (n *node) next(key uint64) (uint64, bool) {
	switch n.op {
	case opList:
		ok := n.cursor.Seek(key)
		return n.cursor.Key(), ok
	case opIntegers:
		return n.integers.any.next(key)
	case opCount:
		return n.nextCounted(key)
	case opOr, opXor:
		least, found := uint64(math.MaxUint64), false
		for _, k := range n.plus {
			if at, ok := k.next(key); ok {
				least, found = min(least, at), true
			}
		}
		return least, found
	default:
		for agreed := 0; agreed < len(n.plus); {
			if agreed = 0; !n.check.step() {
				return 0, false
			}
			for _, k := range n.plus {
				at, ok := k.next(key)
				if !ok {
					return 0, false
				}
				if at > key {
					key = at
					break
				}
				agreed++
			}
		}
		return key, true
	}
}

// block returns the values of the node with a container key, valid until the node is asked for
// another. next(key) must have been called.
func (n *node) block(key uint64) container.Block {
	switch n.op {
	case opList:
		return n.listBlock(key)
	case opCount:
		return n.countedBlock(key)
	case opIntegers:
		return n.integers.within(n.integers.any.block(key), key)
	}
	b := n.plus[0].at(key)
	for _, k := range n.plus[1:] {
		switch {
		case n.op == opOr:
			b = n.scratch.Or(b, k.at(key))
		case n.op == opXor:
			b = n.scratch.Xor(b, k.at(key))
		case b.IsEmpty():
			return b
		default:
			b = n.scratch.And(b, k.narrow(b, key))
		}
	}
	for _, k := range n.minus {
		if b.IsEmpty() {
			return b
		}
		b = n.scratch.AndNot(b, k.narrow(b, key))
	}
	return b
}

// fewProbed is the most records that are probed in an operand instead of computing its block. Lists
// are not probed so.
const fewProbed = 32

// narrow is at, but need only be right for the records of b: few are probed, and a range of
// integers looks at no others.
func (n *node) narrow(b container.Block, key uint64) container.Block {
	switch {
	case n.op == opList:
		return n.at(key)
	case b.Len() <= fewProbed:
		n.lows = b.AppendLow(n.lows[:0])
		in := slices.DeleteFunc(n.lows, func(low uint16) bool { return !n.contains(key<<16 | uint64(low)) })
		return container.OfLows(key, in, n.scratch)
	case n.op != opIntegers:
		return n.at(key)
	}
	if at, ok := n.next(key); !ok || at != key {
		return overlay.EmptyBlock(key)
	}
	return n.integers.within(n.scratch.And(b, n.integers.any.block(key)), key)
}

// count returns the number of values of the node with a container key. The last operation is
// counted without being carried out.
func (n *node) count(key uint64) int {
	switch {
	case n.op == opList:
		return n.listLen(key)
	case n.op == opCount || n.op == opIntegers:
		return n.block(key).Len()
	case len(n.minus) > 0:
		last := len(n.minus) - 1
		rest := n.minus
		n.minus = n.minus[:last]
		b := n.block(key)
		n.minus = rest
		if b.IsEmpty() {
			return 0
		}
		return b.AndNotLen(n.minus[last].narrow(b, key))
	case n.lists && len(n.plus) > 1:
		return n.countLists(key)
	case len(n.plus) > 1:
		last := len(n.plus) - 1
		rest := n.plus
		n.plus = n.plus[:last]
		b := n.block(key)
		n.plus = rest
		if n.op == opOr {
			return b.OrLen(n.plus[last].at(key))
		}
		if n.op == opXor {
			return b.XorLen(n.plus[last].at(key))
		}
		if b.IsEmpty() {
			return 0
		}
		return b.AndLen(n.plus[last].narrow(b, key))
	default:
		return n.plus[0].count(key)
	}
}

// countLists is count of a conjunction of lists. It is what count does without the calls between: a
// block is of more words than Go keeps in registers, and the processor waits for each copy that is
// made of it on its way.
func (n *node) countLists(key uint64) int {
	b := n.plus[0].cursor.Block()
	last := len(n.plus) - 1
	for _, k := range n.plus[1:last] {
		if b.IsEmpty() {
			return 0
		}
		b = n.scratch.And(b, k.cursor.Block())
	}
	return b.AndLen(n.plus[last].cursor.Block())
}

// at moves the node to a container key and returns its values there.
func (n *node) at(key uint64) container.Block {
	if n.op == opList && key > 0 && n.cursor.Key() == key { // it has been moved there
		return n.cursor.Block()
	}
	if at, ok := n.next(key); !ok || at != key {
		return overlay.EmptyBlock(key)
	}
	return n.block(key)
}

func (n *node) listBlock(key uint64) container.Block {
	if n.cursor.Key() != key {
		return overlay.EmptyBlock(key)
	}
	return n.cursor.Block()
}

func (n *node) listLen(key uint64) int {
	if n.cursor.Key() != key {
		return 0
	}
	return n.cursor.BlockLen()
}

// start makes every cursor below the node stand before its first block.
func (n *node) start() {
	if n.op == opList {
		n.cursor.Reset(&n.list)
	}
	for _, k := range n.plus {
		k.start()
	}
	for _, k := range n.minus {
		k.start()
	}
	if n.op == opIntegers {
		n.integers.start()
	}
}

// contains reports whether one record is in the node's set, by probing the lists.
func (n *node) contains(record uint64) bool {
	switch n.op {
	case opList:
		return n.list.Contains(record)
	case opIntegers:
		return n.integers.contains(record)
	case opXor, opCount:
		in := 0
		for _, k := range n.plus {
			if k.contains(record) {
				in++
			}
		}
		if n.op == opXor {
			return in%2 != 0
		}
		return in >= n.least
	case opOr:
		for _, k := range n.plus {
			if k.contains(record) {
				return true
			}
		}
		return false
	default:
		for _, k := range n.plus {
			if !k.contains(record) {
				return false
			}
		}
		for _, k := range n.minus {
			if k.contains(record) {
				return false
			}
		}
		return true
	}
}
