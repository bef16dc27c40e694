// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/posting"
	"github.com/uproar-db/uproar/query"
)

// MaxLists is how many posting lists one query may read: each takes some 16 KB of scratch memory, and each operation as much again. Leaves that
// can have no records do not count.
const MaxLists = 4096

// ErrLimit is matched when a query reads more than MaxLists posting lists, or more bytes than its context allows.
var ErrLimit = sentinel.ErrLimit

// plan is a query bound to the lists of a snapshot, with all scratch memory that it needs. Plans are pooled.
type plan struct {
	root  *node   // nil: no record fits
	nodes []*node // all that this plan ever used; the first used of them are in the tree
	used  int
	lists int
	snap  posting.Snapshot
	held  int64 // memory counted against the bound of the database
	owed  int64 // memory that is not counted yet
	pace  pace
	lows  []uint16 // scratch for listing

	explain map[*node]made // what nodes were made of; nil: nobody wants to know
}

var plans = sync.Pool{New: func() any { return new(plan) }}

// newPlan binds and orders a query. The caller releases the plan.
func newPlan(ctx context.Context, snap posting.Snapshot, e query.Expr, bind Bind) (*plan, error) {
	return newExplained(ctx, snap, e, bind, nil)
}

// newExplained is newPlan, and notes what nodes are made of, if explain is not nil.
func newExplained(ctx context.Context, snap posting.Snapshot, e query.Expr, bind Bind, explain map[*node]made) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := query.Validate(e); err != nil {
		return nil, err
	}
	p, snap := plans.Get().(*plan), snap.Under(ctx)
	p.pace, p.snap, p.explain = pace{ctx: ctx}, snap, explain
	root, err := (*node)(nil), checkNames(e, bind)
	if err == nil {
		root, err = p.build(snap, query.Simplify(e), bind)
	}
	if err == nil && root != nil && root.loose {
		root, err = p.existing(root)
	}
	return p.finish(root, err)
}

// finish returns the plan with its root, or gives it back if it could not be made.
func (p *plan) finish(root *node, err error) (*plan, error) {
	if err == nil {
		err = p.settle()
	}
	if err != nil {
		p.release()
		return nil, err
	}
	p.root = root
	return p, nil
}

// keepNodes is how many nodes a pooled plan keeps: a few unusually large queries must not hold memory for ever.
const keepNodes = 64

// release gives the plan's memory back.
func (p *plan) release() {
	for _, n := range p.nodes[:p.used] {
		n.list.Clear()
		n.cursor.Release()
		clear(n.plus)
		clear(n.minus)
		n.plus, n.minus = n.plus[:0], n.minus[:0]
		if n.integers != nil {
			n.integers.clear()
		}
	}
	if len(p.nodes) > keepNodes {
		p.nodes = nil
	}
	p.snap.Give(p.held)
	p.root, p.used, p.lists, p.pace, p.snap, p.held, p.owed = nil, 0, 0, pace{}, posting.Snapshot{}, 0, 0
	p.explain = nil
	plans.Put(p)
}

// scratchBytes is the memory in which one node of a plan decodes blocks.
const scratchBytes = 16 << 10

// owe says that the plan takes so much memory. It is counted in portions: a query that is over in a microsecond has no time for more.
func (p *plan) owe(bytes int64) error {
	if p.owed += bytes; p.owed < 1<<20 {
		return nil
	}
	return p.settle()
}

// limitKey finds, in a context, how much a query may read.
type limitKey struct{}

// leastLimit is the least limit: what a plan owes is not looked at below it.
const leastLimit = 1 << 20

// WithLimit returns a context in which a query may read so many bytes of posting lists, with the scratch memory of its operations, at least 1 MiB. One that would read more is ErrLimit before it reads
// them.
func WithLimit(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, limitKey{}, max(bytes, leastLimit))
}

// settle counts what the plan owes.
func (p *plan) settle() error {
	if all := p.held + p.owed; all > leastLimit {
		if limit, ok := p.pace.ctx.Value(limitKey{}).(int64); ok && all > limit {
			return fmt.Errorf("%w: it would read %d bytes of posting lists or more, want at most %d", ErrLimit, all, limit)
		}
	}
	if err := p.snap.Take(p.owed); err != nil {
		return err
	}
	p.held, p.owed = p.held+p.owed, 0
	return nil
}

func (p *plan) node(o op) *node {
	if p.used == len(p.nodes) {
		p.nodes = append(p.nodes, new(node))
	}
	n := p.nodes[p.used]
	p.used++
	n.op, n.atMost, n.pace, n.loose, n.begun, n.lists = o, 0, &p.pace, false, false, false
	if o != opList {
		p.owed += scratchBytes
		if n.scratch == nil {
			n.scratch = new(bitmap.Scratch)
		}
	}
	return n
}

// build makes the node of an expression; nil when no record can fit.
func (p *plan) build(snap posting.Snapshot, e query.Expr, bind Bind) (*node, error) {
	if p.explain != nil {
		return p.explained(snap, e, bind)
	}
	return p.make(snap, e, bind)
}

func (p *plan) make(snap posting.Snapshot, e query.Expr, bind Bind) (*node, error) {
	switch e := e.(type) {
	case query.All:
		return p.list(snap, posting.Exists, 0)
	case query.Nothing:
		return nil, nil
	case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved, query.Bitmap:
		leaf, err := bind(e)
		if err != nil {
			return nil, err
		}
		return p.leaf(snap, e, leaf)
	case query.Through:
		return p.through(snap, e, bind)
	case query.Not:
		return p.and(snap, []query.Expr{e}, bind)
	case query.And:
		return p.and(snap, e.Of, bind)
	case query.Or:
		return p.or(snap, e.Of, bind)
	case query.Xor:
		return p.xor(snap, e.Of, bind)
	case query.AtLeast:
		return p.counted(snap, e, bind)
	default:
		return nil, fmt.Errorf("eval: got an expression of type %T, want one of package query", e)
	}
}

func (p *plan) list(snap posting.Snapshot, field uint32, row uint64) (*node, error) {
	if p.lists++; p.lists > MaxLists {
		return nil, fmt.Errorf("%w: got more than %d posting lists, want at most so many", ErrLimit, MaxLists)
	}
	n := p.node(opList)
	if err := snap.List(field, row, &n.list); err != nil {
		return nil, err
	}
	n.atMost = n.list.AtMost()
	return n, p.owe(n.list.Bytes() + scratchBytes)
}

// and makes a conjunction: operands that are negated are subtracted, the others intersected from the smallest on. Without any of the others, it is
// subtracted from the universe. All operands are bound, so that an unknown name is an error wherever it stands.
func (p *plan) and(snap posting.Snapshot, of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opAnd)
	empty, universal := false, true
	for _, e := range of {
		not, negated := e.(query.Not)
		if negated {
			e = not.Of
		}
		k, err := p.build(snap, e, bind)
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
		universe, err := p.list(snap, posting.Exists, 0)
		if err != nil {
			return nil, err
		}
		n.plus = append(n.plus, universe)
	}
	n.loose = !slices.ContainsFunc(n.plus, func(k *node) bool { return !k.loose })
	// Ranges of integers come last: they cost an operation a bit, and less the fewer records are left.
	slices.SortFunc(n.plus, func(a, b *node) int { return cmp.Or(compareRanges(a, b), cmp.Compare(a.atMost, b.atMost)) })
	slices.SortFunc(n.minus, func(a, b *node) int { return cmp.Or(compareRanges(a, b), cmp.Compare(b.atMost, a.atMost)) })
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

func (p *plan) or(snap posting.Snapshot, of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opOr)
	for _, e := range of {
		k, err := p.build(snap, e, bind)
		if err != nil {
			return nil, err
		}
		if k != nil {
			n.plus = append(n.plus, k)
			n.atMost += k.atMost
			n.loose = n.loose || k.loose
		}
	}
	if len(n.plus) == 0 {
		return nil, nil
	}
	return n, nil
}

// walk calls fn for each container key from key on for which the query may have values, until fn returns false.
func (p *plan) walk(key uint64, fn func(key uint64) bool) error {
	if p.root == nil {
		return nil
	}
	p.root.start()
	for p.pace.step() {
		at, ok := p.root.next(key)
		if !ok || !fn(at) {
			break
		}
		key = at + 1
	}
	return p.pace.err
}
