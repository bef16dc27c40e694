// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/query"
)

// operands adds the nodes of operands to an operator. Those that can have no records are left out.
// All are bound, so that an unknown name is an error wherever it stands.
func (p *plan) operands(n *node, of []query.Expr, bind Bind) error {
	for _, e := range of {
		k, err := p.build(e, bind)
		if err != nil {
			return err
		}
		n.add(k)
	}
	return nil
}

// xor makes the node of the records that are in an odd number of operands. Of more than a few, the
// ranges of an integer field are one node.
func (p *plan) xor(of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opXor)
	if len(of) > fewOperands {
		var err error
		if of, err = oddRanges(p, n, of, bind); err != nil {
			return nil, err
		}
	}
	if len(of) > fewOperands {
		k, err := p.joined(p.snap.Parity(), of[fewOperands:], bind)
		if err != nil {
			return nil, err
		}
		n.add(k)
		of = of[:fewOperands]
	}
	if err := p.operands(n, of, bind); err != nil || len(n.plus) == 0 {
		return nil, err
	}
	return n, nil
}

// oddRanges adds a node for each integer field that an exclusive or has ranges of. It returns the
// other operands.
func oddRanges(p *plan, n *node, of []query.Expr, bind Bind) (others []query.Expr, err error) {
	ranges := make(map[uint32][]Leaf)
	for i, e := range of {
		if i%stepsPerLook == 0 && p.check.ctx.Err() != nil {
			return nil, p.check.ctx.Err()
		}
		if isLeaf(e) {
			leaf, err := bind(e)
			if err != nil {
				return nil, err
			}
			if leaf.Kind == Integers {
				ranges[leaf.Field] = append(ranges[leaf.Field], leaf)
				continue
			}
		}
		others = append(others, e)
	}
	for _, field := range slices.Sorted(maps.Keys(ranges)) {
		odd := covered(ranges[field], func(times int) bool { return times%2 == 1 })
		k, err := p.integers(field, odd...)
		if err != nil {
			return nil, err
		}
		n.add(k)
	}
	return others, nil
}

// oftenRanges makes the node of the records that are in enough operands. ok is false unless all
// operands are ranges of one integer field.
func oftenRanges(p *plan, e query.AtLeast, bind Bind) (n *node, ok bool, err error) {
	ranges := make([]Leaf, 0, len(e.Of))
	for i, x := range e.Of {
		if i%stepsPerLook == 0 && p.check.ctx.Err() != nil {
			return nil, false, p.check.ctx.Err()
		}
		if !isLeaf(x) {
			return nil, false, nil
		}
		leaf, err := bind(x)
		if err != nil || leaf.Kind != Integers || i > 0 && leaf.Field != ranges[0].Field {
			return nil, false, err
		}
		ranges = append(ranges, leaf)
	}
	n, err = p.integers(ranges[0].Field, covered(ranges, func(times int) bool { return times >= e.N })...)
	return n, true, err
}

// counted makes the node of the records that are in enough operands.
func (p *plan) counted(e query.AtLeast, bind Bind) (*node, error) {
	if e.N < 1 {
		return p.list(model.Exists, 0) // which Simplify leaves none of
	}
	if len(e.Of) > fewOperands {
		if n, ok, err := oftenRanges(p, e, bind); ok || err != nil {
			return n, err
		}
		return p.tallied(e, bind)
	}
	n := p.node(opCount)
	if err := p.operands(n, e.Of, bind); err != nil || len(n.plus) < e.N {
		return nil, err
	}
	n.least, n.atMost = e.N, n.atMost/uint64(e.N)
	if n.counter == nil {
		n.counter = new(counter)
	}
	more := n.counter.grow(bits.Len(uint(len(n.plus))))
	return n, p.charge(int64(more) * scratchBytes)
}
