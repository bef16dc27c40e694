// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/internal/trace"
)

// Tables returns for each list of one to three fields what Groups returns for it. For a single
// field it also returns the Total of each row. It counts fields of few rows, such as demographics,
// in one pass: it intersects each block of the set with the lists of all their rows while it is in
// the processor's nearest cache. It is exact.
//
// Cost: an intersection that is only counted for each row of such a field and each combination of
// rows; of other tables that of Groups, or Top. Errors: as of Groups.
func Tables(ctx context.Context, snap reader.Snapshot, tables [][]By, set view.View, limit int) (answers [][]Group,
	err error) {
	ctx, step := trace.Begin(ctx, "tabulate")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	answers = make([][]Group, len(tables))
	for _, by := range tables {
		if len(by) < 1 || len(by) > MaxFields {
			return nil, fmt.Errorf("%w: got %d fields to group by, want 1 to %d", sentinel.ErrLimit, len(by),
				MaxFields)
		}
	}
	t := tabulations.Get().(*tabulation)
	defer tabulations.Put(t)
	defer t.release(snap)
	if err := t.count(ctx, snap, tables, set); err != nil {
		return nil, err
	}
	for i, by := range tables {
		if k := slices.IndexFunc(t.tables, func(x table) bool { return x.number == i }); k >= 0 {
			answers[i] = page(t.groups(&t.tables[k], true), limit)
			continue
		}
		var err error
		if answers[i], err = tableAlone(ctx, snap, by, set, limit); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// tableAlone is Tables for a table that is counted by itself.
func tableAlone(ctx context.Context, snap reader.Snapshot, by []By, set view.View, limit int) ([]Group, error) {
	if len(by) > 1 {
		return Groups(ctx, snap, by, set, limit, nil)
	}
	if snap.KindOf(by[0].Field) == model.Integers {
		return bandsAlone(ctx, snap, by, set, limit)
	}
	top, err := ranking.Top(ctx, snap, by[0].Field, set, ranking.Options{Limit: limit})
	groups := make([]Group, len(top))
	for i, x := range top {
		groups[i] = Group{Rows: [MaxFields]uint64{x.Row}, Count: x.Count, Total: x.Total}
	}
	return groups, err
}

// bandsAlone is Tables for one integer field.
func bandsAlone(ctx context.Context, snap reader.Snapshot, by []By, set view.View, limit int) ([]Group, error) {
	groups, err := Groups(ctx, snap, by, set, limit, nil)
	if err != nil || len(groups) == 0 {
		return groups, err
	}
	all, err := rowcount.Rest(ctx, snap, view.View{})
	if err != nil {
		return nil, err
	}
	defer snap.Give(int64(len(all.Bytes())))
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(a.Rows[0], b.Rows[0]) })
	err = EachGroup(ctx, snap, by, all.View(), func(g Group) error {
		k, found := slices.BinarySearchFunc(groups, g, func(a, b Group) int {
			return cmp.Compare(a.Rows[0], b.Rows[0])
		})
		if found {
			groups[k].Total = g.Count
		}
		return nil
	})
	slices.SortFunc(groups, orderGroups)
	return groups, err
}

// page cuts ordered groups to the limit.
func page(groups []Group, limit int) []Group {
	if limit > 0 && len(groups) > limit {
		groups = groups[:limit]
	}
	return groups
}
