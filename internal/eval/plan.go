// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/query"
)

// ErrLimit is matched when a query needs more memory than its context allows (WithLimit).
var ErrLimit = sentinel.ErrLimit

// plan is a query bound to the lists of a snapshot, with all scratch memory that it needs. Plans
// are pooled.
type plan struct {
	root      *node   // nil: no record fits
	nodes     []*node // all that this plan ever used; the first used of them are in the tree
	used      int
	snap      reader.Snapshot
	above     int64         // memory of the plan that this one is a part of
	held      int64         // memory counted against the bound of the database
	uncharged int64         // memory that is not counted yet
	pages     overlay.Pages // counted
	check     ctxCheck
	lows      []uint16     // scratch for listing
	alike     []alike      // scratch for disjunctions
	ranges    []interval   // scratch for ranges of integers
	parts     []query.Expr // operands of unfinished disjunctions that are not made yet

	explain map[*node]made // what nodes were made of; nil: nobody wants to know

	traced traced
}

var plans = sync.Pool{New: func() any { return new(plan) }}

// empty returns a plan without nodes for a part of the query.
func (p *plan) empty() *plan {
	s := plans.Get().(*plan)
	s.check, s.snap, s.above = ctxCheck{ctx: p.check.ctx}, p.snap, p.above+p.held+p.uncharged
	return s
}

// finish returns the plan with its root, or gives it back if it could not be made.
func (p *plan) finish(root *node, err error) (*plan, error) {
	if err == nil {
		err = p.flushCharge()
	}
	p.traced.planned(err)
	if err != nil {
		p.release()
		return nil, err
	}
	p.root = root
	return p, nil
}

// keepNodes is how many nodes a pooled plan keeps: a few unusually large queries must not hold
// memory for ever.
const keepNodes = 160

// release gives the plan's memory back.
func (p *plan) release() {
	p.traced.end(p)
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
	if cap(p.ranges) > keptSpans {
		p.ranges = nil
	}
	if cap(p.parts) > keepNodes {
		p.parts = nil
	}
	if cap(p.alike) > keepNodes {
		p.alike = nil
	}
	p.snap.Give(p.held)
	p.pages.Reset()
	p.root, p.used, p.check, p.snap, p.above, p.held, p.uncharged = nil, 0, ctxCheck{}, reader.Snapshot{}, 0, 0, 0
	p.explain = nil
	plans.Put(p)
}

// scratchBytes is the memory in which one node of a plan decodes blocks.
const scratchBytes = 16 << 10

// charge says that the plan takes so much memory. It is counted in portions: a query that is over
// in a microsecond has no time for more.
func (p *plan) charge(bytes int64) error {
	if p.uncharged += bytes; p.uncharged < 1<<20 {
		return nil
	}
	return p.flushCharge()
}

// limitKey finds, in a context, how much memory a query may take.
type limitKey struct{}

// leastLimit is the least limit: what a plan owes is not looked at below it.
const leastLimit = 1 << 20

// WithLimit returns a context that bounds the memory of a query: pages, sets and scratch memory.
// Only bytes, at least 1 MiB, may be alive at a time. A page counts once, however many of its lists
// the query reads. A query that needs more fails with ErrLimit.
func WithLimit(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, limitKey{}, max(bytes, leastLimit))
}

// flushCharge counts what the plan owes.
func (p *plan) flushCharge() error {
	if all := p.above + p.held + p.uncharged; all > leastLimit {
		if limit, ok := p.check.ctx.Value(limitKey{}).(int64); ok && all > limit {
			return fmt.Errorf("%w: it needs %d bytes of posting lists and memory at a time or more, want at most %d",
				ErrLimit, all, limit)
		}
	}
	if err := p.snap.Take(p.uncharged); err != nil {
		return err
	}
	p.held, p.uncharged = p.held+p.uncharged, 0
	return nil
}

func (p *plan) node(o op) *node {
	if p.used == len(p.nodes) {
		p.nodes = append(p.nodes, new(node))
	}
	n := p.nodes[p.used]
	p.used++
	n.op, n.atMost, n.check, n.loose, n.begun, n.lists = o, 0, &p.check, false, false, false
	if o != opList {
		p.uncharged += scratchBytes
		if n.scratch == nil {
			n.scratch = new(container.Scratch)
		}
	}
	return n
}

// list makes the node of a posting list.
func (p *plan) list(field uint32, row uint64) (*node, error) {
	n := p.node(opList)
	if err := p.snap.List(field, row, &n.list); err != nil {
		return nil, err
	}
	return p.listed(n)
}

// listed counts what the list of a node takes.
func (p *plan) listed(n *node) (*node, error) {
	n.atMost = n.list.AtMost()
	return n, p.charge(p.pages.Hold(&n.list) + scratchBytes)
}

// alike is the leaves of a disjunction that are of one field and one kind.
type alike struct {
	of     []query.Expr
	leaves []Leaf
}

// made is what a node was made of, and how long that took.
type made struct {
	expr query.Expr
	took time.Duration
}
