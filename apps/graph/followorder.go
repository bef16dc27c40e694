// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// followOrder has the order of a viewer's follows in one state, once somebody asks for it. Safe for
// concurrent use.
type followOrder struct {
	graph *Graph
	once  sync.Once
	ranks []targetRank // ascending by target
	err   error
}

// targetRank is the place of a target in the order of follows.
type targetRank struct {
	target uint64
	rank   int
}

// sorted returns the accounts that two lists have in common, the first of which is whom the viewer
// follows: in the order of these follows. Those without a record come first.
func (o *followOrder) sorted(ctx context.Context, s uproar.Snapshot, viewer string, of [2]query.Related) ([]uint64,
	error) {
	o.once.Do(func() { o.read(s, viewer) })
	if o.err != nil {
		return nil, o.err
	}
	page, err := s.IDs(ctx, query.And{Of: []query.Expr{of[0], of[1]}}, uproar.Page{})
	if err != nil {
		return nil, err
	}
	found, ranks := make([]targetRank, len(page.IDs)), o.ranks
	for i, id := range page.IDs {
		at, ok := slices.BinarySearchFunc(ranks, id, func(r targetRank, id uint64) int {
			return cmp.Compare(r.target, id)
		})
		found[i] = targetRank{id, -1}
		if ranks = ranks[at:]; ok {
			found[i].rank = ranks[0].rank
		}
	}
	slices.SortFunc(found, func(a, b targetRank) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.target, b.target))
	})
	for i, r := range found {
		page.IDs[i] = r.target
	}
	return page.IDs, nil
}

// read finds the place of each target: that of its first record.
func (o *followOrder) read(s uproar.Snapshot, viewer string) {
	_, records, err := recordsOf(s, Follows, viewer)
	if o.err = err; err != nil {
		return
	}
	o.ranks = make([]targetRank, len(records))
	for i, k := range records {
		o.ranks[i] = targetRank{k.Target, i}
	}
	slices.SortFunc(o.ranks, func(a, b targetRank) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.rank, b.rank))
	})
	o.ranks = slices.CompactFunc(o.ranks, func(a, b targetRank) bool { return a.target == b.target })
}
