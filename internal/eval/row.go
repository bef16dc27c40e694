// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// Row names a posting list.
type Row struct {
	Field uint32
	Row   uint64
}

// CountAnd returns how many records are in every one of some posting lists: Count of their
// conjunction, for callers that have it as numbers. It allocates nothing once its scratch memory is
// there. Errors: ErrLimit, those of reading lists, or ctx's.
func CountAnd(ctx context.Context, snap reader.Snapshot, rows ...Row) (uint64, error) {
	if len(rows) == 2 {
		if n, ok, err := countPair(ctx, snap, rows[0], rows[1]); ok || err != nil {
			return n, err
		}
	}
	p, err := planAnd(ctx, snap, rows)
	if err != nil {
		return 0, err
	}
	defer p.release()
	if p.root != nil && len(rows) == 1 {
		p.root = p.root.plus[0]
	}
	return p.count()
}

// countPair is CountAnd of two lists, if these are not to be walked over: they are read together.
func countPair(ctx context.Context, snap reader.Snapshot, a, b Row) (n uint64, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return 0, false, err
	}
	p := plans.Get().(*plan)
	defer p.release()
	ctx = p.traced.begin(ctx)
	p.check, p.snap = ctxCheck{ctx: ctx}, snap.Under(ctx)
	listA, listB := &p.node(opList).list, &p.node(opList).list
	if err := p.snap.Paired(&[2]reader.Paired{{Field: a.Field, Row: a.Row, List: listA},
		{Field: b.Field, Row: b.Row, List: listB}}); err != nil {
		return 0, false, err
	}
	p.uncharged += p.pages.Hold(listA) + p.pages.Hold(listB) + 2*scratchBytes
	if err := p.flushCharge(); err != nil {
		return 0, false, err
	}
	n, ok = overlay.AndLen(listA, listB)
	return n, ok, nil
}

// planAnd plans the conjunction of some posting lists, the smallest first. The root is nil if no
// record can fit, as with no lists. The caller releases the plan.
func planAnd(ctx context.Context, snap reader.Snapshot, rows []Row) (*plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := plans.Get().(*plan)
	ctx = p.traced.begin(ctx)
	p.check, p.snap = ctxCheck{ctx: ctx}, snap.Under(ctx)
	return p.finish(p.rows(rows))
}

// rows makes the conjunction of some posting lists.
func (p *plan) rows(rows []Row) (*node, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	root := p.node(opAnd)
	for _, r := range rows {
		k, err := p.list(r.Field, r.Row)
		if err != nil || k.atMost == 0 {
			return nil, err
		}
		root.plus = append(root.plus, k)
	}
	root.lists = true
	if len(rows) > 1 {
		slices.SortFunc(root.plus, func(a, b *node) int { return cmp.Compare(a.atMost, b.atMost) })
	}
	return root, nil
}
