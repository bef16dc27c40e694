// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// newPlan binds and orders a query. The caller releases the plan.
func newPlan(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind) (*plan, error) {
	return newExplained(ctx, snap, e, bind, nil)
}

// newExplained is newPlan, and notes what nodes are made of, if explain is not nil.
func newExplained(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind, explain map[*node]made) (*plan,
	error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := query.Validate(e); err != nil {
		return nil, err
	}
	p := plans.Get().(*plan)
	ctx = p.traced.begin(ctx)
	p.check, p.snap, p.explain = ctxCheck{ctx: ctx}, snap.Under(ctx), explain
	if err := checkNames(e, bind); err != nil {
		return p.finish(nil, err)
	}
	return p.finish(p.whole(query.Simplify(e), bind))
}

// whole makes the node of an expression, without records that do not exist.
func (p *plan) whole(e query.Expr, bind Bind) (*node, error) {
	return p.existing(p.build(e, bind))
}

// part plans a part of the query for itself. The caller releases the plan.
func (p *plan) part(e query.Expr, bind Bind) (*plan, error) {
	s := p.empty()
	return s.finish(s.whole(e, bind))
}

// build makes the node of an expression; nil when no record can fit.
func (p *plan) build(e query.Expr, bind Bind) (*node, error) {
	if p.explain == nil {
		return p.make(e, bind)
	}
	return p.explained(e, func() (*node, error) { return p.make(e, bind) })
}

func (p *plan) make(e query.Expr, bind Bind) (*node, error) {
	switch e := e.(type) {
	case query.All:
		return p.list(model.Exists, 0)
	case query.Nothing:
		return nil, nil
	case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved, query.Bitmap:
		leaf, err := bind(e)
		if err != nil {
			return nil, err
		}
		return p.leaf(e, leaf)
	case query.Through:
		return p.through(e, bind)
	case query.Not:
		return p.and([]query.Expr{e}, bind)
	case query.And:
		return p.and(e.Of, bind)
	case query.Or:
		return p.or(e.Of, bind)
	case query.Xor:
		return p.xor(e.Of, bind)
	case query.AtLeast:
		return p.counted(e, bind)
	default:
		return nil, fmt.Errorf("eval: got an expression of type %T, want one of package query", e)
	}
}
