// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// fewOperands is how many operands of an operator are walked beside one another. Each takes scratch
// memory. More are evaluated some at a time, and only the set that they make is kept: so memory
// does not grow with their number.
const fewOperands = 32

// and makes a conjunction. Negated operands are subtracted, the others are intersected from the
// smallest on.
func (p *plan) and(of []query.Expr, bind Bind) (*node, error) {
	if len(of) <= fewOperands {
		return p.conjunction(nil, of, bind)
	}
	var plus, minus, subtracted []query.Expr
	for _, e := range of {
		if not, negated := e.(query.Not); negated {
			minus, subtracted = append(minus, e), append(subtracted, not.Of)
		} else {
			plus = append(plus, e)
		}
	}
	if len(minus) > fewOperands {
		minus = []query.Expr{query.Not{Of: query.Or{Of: subtracted}}}
	}
	if len(plus) <= fewOperands {
		return p.conjunction(nil, append(plus, minus...), bind)
	}
	if err := p.bySize(plus, bind); err != nil {
		return nil, err
	}
	var among *mutable.Bitmap
	for len(plus) > fewOperands {
		part := p.empty()
		root, err := part.conjunction(among, plus[:fewOperands], bind)
		part, err = part.finish(part.existing(root, err))
		if err == nil {
			among, err = part.set(pack.Fastest)
			part.release()
		}
		if err != nil || among.IsEmpty() {
			return nil, err
		}
		plus = plus[fewOperands:]
	}
	return p.conjunction(among, append(plus, minus...), bind)
}

// conjunction makes the conjunction of a few operands, and of a set if it is not nil. Without an
// operand that is not negated, it is subtracted from the universe. All operands are bound, so that
// an unknown name is an error wherever it stands.
func (p *plan) conjunction(among *mutable.Bitmap, of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opAnd)
	if among != nil {
		k, err := p.setNode(among)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, k)
	}
	empty, universal := false, among == nil
	for _, e := range of {
		not, negated := e.(query.Not)
		if negated {
			e = not.Of
		}
		k, err := p.build(e, bind)
		switch {
		case err != nil:
			return nil, err
		case negated && k != nil:
			n.minus = append(n.minus, k)
		case !negated && k == nil:
			empty = true
		case !negated:
			n.plus, universal = append(n.plus, k), false
		}
	}
	if empty {
		return nil, nil
	}
	if universal {
		universe, err := p.list(model.Exists, 0)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, universe)
	}
	n.loose = !slices.ContainsFunc(n.plus, func(k *node) bool { return !k.loose })
	// Ranges of integers come last: they cost an operation a bit, and less the fewer records are
	// left.
	slices.SortFunc(n.plus, func(a, b *node) int {
		return cmp.Or(compareRanges(a, b), cmp.Compare(a.atMost, b.atMost))
	})
	slices.SortFunc(n.minus, func(a, b *node) int {
		return cmp.Or(compareRanges(a, b), cmp.Compare(b.atMost, a.atMost))
	})
	n.lists = len(n.minus) == 0 && !slices.ContainsFunc(n.plus, func(k *node) bool { return k.op != opList })
	n.atMost = n.plus[0].atMost
	for _, k := range n.plus {
		n.atMost = min(n.atMost, k.atMost)
	}
	return n, nil
}

// compareRanges puts ranges of integers behind everything else.
func compareRanges(a, b *node) int {
	switch x, y := a.op == opIntegers, b.op == opIntegers; {
	case x == y:
		return 0
	case x:
		return 1
	default:
		return -1
	}
}

// bySize sorts operands by the sizes of their lists. Those that are no lists come last.
func (p *plan) bySize(of []query.Expr, bind Bind) error {
	type sized struct {
		e    query.Expr
		size uint64
	}
	all := make([]sized, len(of))
	var l overlay.List
	for i, e := range of {
		if i%stepsPerLook == 0 && p.check.ctx.Err() != nil {
			return p.check.ctx.Err()
		}
		all[i] = sized{e, math.MaxUint64}
		if !isLeaf(e) {
			continue
		}
		leaf, err := bind(e)
		if err != nil {
			return err
		}
		row, ok, err := p.row(leaf)
		if err == nil && ok {
			err = p.snap.List(leaf.Field, row, &l)
			all[i].size = l.AtMost()
		}
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(all, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	for i := range all {
		of[i] = all[i].e
	}
	return nil
}

// setNode makes the node of a set.
func (p *plan) setNode(set *mutable.Bitmap) (*node, error) {
	n := p.node(opList)
	n.list.SetView(set.View())
	n.atMost = n.list.AtMost()
	return n, p.charge(int64(len(set.Bytes())) + scratchBytes)
}
