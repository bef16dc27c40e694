// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/posting"
	"github.com/uproar-db/uproar/query"
)

// Bind says which posting list a leaf of a query is: a query.Equal or query.Related. ok is false when the leaf can have no records, such as a value that
// no record ever had. An error of it ends the evaluation and is returned as it is.
type Bind func(leaf query.Expr) (field uint32, row uint64, ok bool, err error)

// plan is a query bound to the lists of a snapshot, with all scratch memory that it needs. Plans are pooled.
type plan struct {
	root  *node
	nodes []*node // all that this plan ever used; the first used of them are in the tree
	used  int
}

var plans = sync.Pool{New: func() any { return new(plan) }}

// newPlan binds and orders a query. The caller releases the plan.
func newPlan(ctx context.Context, snap posting.Snapshot, e query.Expr, bind Bind) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := query.Validate(e); err != nil {
		return nil, err
	}
	p := plans.Get().(*plan)
	root, err := p.build(snap, query.Simplify(e), bind)
	if err != nil {
		p.release()
		return nil, err
	}
	p.root = root
	return p, nil
}

// release gives the plan's memory back.
func (p *plan) release() {
	for _, n := range p.nodes[:p.used] {
		n.list.Clear()
		n.plus, n.minus = n.plus[:0], n.minus[:0]
	}
	p.root, p.used = nil, 0
	plans.Put(p)
}

func (p *plan) node(o op) *node {
	if p.used == len(p.nodes) {
		p.nodes = append(p.nodes, new(node))
	}
	n := p.nodes[p.used]
	p.used++
	n.op, n.atMost = o, 0
	return n
}

// build makes the node of an expression.
func (p *plan) build(snap posting.Snapshot, e query.Expr, bind Bind) (*node, error) {
	switch e := e.(type) {
	case query.All:
		return p.list(snap, posting.Exists, 0)
	case query.Nothing:
		return p.node(opList), nil
	case query.Equal, query.Related:
		field, row, ok, err := bind(e)
		if err != nil {
			return nil, err
		}
		if !ok {
			return p.node(opList), nil
		}
		return p.list(snap, field, row)
	case query.Not:
		return p.and(snap, []query.Expr{e}, bind)
	case query.And:
		return p.and(snap, e.Of, bind)
	case query.Or:
		return p.or(snap, e.Of, bind)
	default:
		return nil, fmt.Errorf("eval: got an expression of type %T, want one of package query", e)
	}
}

func (p *plan) list(snap posting.Snapshot, field uint32, row uint64) (*node, error) {
	n := p.node(opList)
	if err := snap.List(field, row, &n.list); err != nil {
		return nil, err
	}
	n.atMost = n.list.AtMost()
	return n, nil
}

// and makes a conjunction: operands that are negated are subtracted, the others intersected from the smallest on. Without any of the others, it is
// subtracted from the universe.
func (p *plan) and(snap posting.Snapshot, of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opAnd)
	for _, e := range of {
		if not, ok := e.(query.Not); ok {
			k, err := p.build(snap, not.Of, bind)
			if err != nil {
				return nil, err
			}
			n.minus = append(n.minus, k)
			continue
		}
		k, err := p.build(snap, e, bind)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, k)
	}
	if len(n.plus) == 0 {
		universe, err := p.list(snap, posting.Exists, 0)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, universe)
	}
	slices.SortFunc(n.plus, func(a, b *node) int { return cmp.Compare(a.atMost, b.atMost) })
	slices.SortFunc(n.minus, func(a, b *node) int { return cmp.Compare(b.atMost, a.atMost) })
	n.atMost = n.plus[0].atMost
	return n, nil
}

func (p *plan) or(snap posting.Snapshot, of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opOr)
	for _, e := range of {
		k, err := p.build(snap, e, bind)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, k)
		n.atMost += k.atMost
	}
	return n, nil
}

// checkEvery is how many blocks are walked between two looks at the context.
const checkEvery = 64

// walk calls fn for each container key from key on for which the query may have values, until fn returns false.
func (p *plan) walk(ctx context.Context, key uint64, fn func(key uint64) bool) error {
	p.root.start()
	for i := 0; ; i++ {
		if i%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		at, ok := p.root.next(key)
		if !ok || !fn(at) {
			return nil
		}
		key = at + 1
	}
}
