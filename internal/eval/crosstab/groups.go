// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/internal/trace"
)

// Groups returns the groups of a set by one to three fields, by descending count, then ascending
// rows. limit bounds their number, 0: all, at most maxGroups. With after, those are returned that
// come behind it in that order. A record that has several values of a field is in several groups,
// and one that has none in no group.
//
// Cost: of EachGroup, and 40 bytes for each group that is returned. Errors: ErrLimit (too many
// groups), and those of EachGroup.
func Groups(ctx context.Context, snap reader.Snapshot, by []By, set view.View, limit int,
	after *Group) (groups []Group, err error) {
	ctx, step := trace.Begin(ctx, "group")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	held := int64(0)
	defer func() { snap.Give(held) }()
	add := func(g Group) error {
		if after != nil && orderGroups(g, *after) <= 0 {
			return nil
		}
		groups = append(groups, g)
		if limit == 0 && len(groups) > maxGroups {
			return fmt.Errorf("%w: got more than %d groups, want at most so many, or a limit", sentinel.ErrLimit,
				maxGroups)
		}
		need := int64(cap(groups)) * groupBytes
		if need <= held {
			return nil
		}
		err := snap.Take(need - held)
		if err == nil {
			held = need
		}
		return err
	}
	if limit == 0 {
		return groups, EachGroup(ctx, snap, by, set, add)
	}
	t := topGroups{limit: limit, add: add, groups: &groups}
	err = countGroups(ctx, snap, by, set, func(c *counted[uint64]) error { return offerAll(&t, c) },
		func(c *counted[wide]) error { return offerAll(&t, c) })
	t.cut()
	return groups, err
}

// topGroups keeps the first groups. They are offered in ascending order of their rows, so that a
// later one must have more records than the last that is kept, not as many.
type topGroups struct {
	limit  int
	add    func(Group) error
	groups *[]Group
	worst  uint64 // a group must have more records than this
}

// cut sorts the groups and keeps as many as are wanted.
func (t *topGroups) cut() {
	slices.SortFunc(*t.groups, orderGroups)
	if len(*t.groups) >= t.limit {
		*t.groups = (*t.groups)[:t.limit]
		t.worst = (*t.groups)[t.limit-1].Count
	}
}

func offerAll[K tuple](t *topGroups, c *counted[K]) error {
	return c.each(func(x *cell[K]) error {
		if x.n <= t.worst {
			return nil
		}
		if err := t.add(c.group(x)); err != nil {
			return err
		}
		if len(*t.groups) >= 2*t.limit {
			t.cut()
		}
		return nil
	})
}

// EachGroup calls fn with every group of a set by one to three fields, in the order of Groups. It
// stops at the first error of fn and returns it.
//
// Cost: in proportion to the records of the set and their values, whatever the fields and their
// order. Fields of few rows are counted as by Tables. A set field without a column, or of a set of
// many records, takes a walk over its lists, each once. It sorts the values of the records, and the
// groups, in temporary files if memory is short. Errors: ErrLimit (no or too many fields),
// ErrMemory, those of reading lists, of temporary files, or ctx's.
func EachGroup(ctx context.Context, snap reader.Snapshot, by []By, set view.View, fn func(Group) error) (err error) {
	ctx, step := trace.Begin(ctx, "group")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	return countGroups(ctx, snap, by, set, func(c *counted[uint64]) error { return inOrder(ctx, snap, c, fn) },
		func(c *counted[wide]) error { return inOrder(ctx, snap, c, fn) })
}

// inOrder calls fn with groups by descending count.
func inOrder[K tuple](ctx context.Context, snap reader.Snapshot, c *counted[K], fn func(Group) error) (err error) {
	o := newByCount[K](ctx, snap)
	defer func() { err = closed(err, o.close()) }()
	if err := c.each(o.add); err != nil {
		return err
	}
	return o.each(func(x *cell[K]) error { return fn(c.group(x)) })
}

// counted is groups that are counted: each goes through their cells in ascending order of rows, and
// group says what they stand for.
type counted[K tuple] struct {
	each  func(fn func(*cell[K]) error) error
	group func(*cell[K]) Group
}

// countGroups counts the groups of a set, and gives them to one of two functions.
func countGroups(ctx context.Context, snap reader.Snapshot, by []By, set view.View,
	packed func(*counted[uint64]) error, apart func(*counted[wide]) error) (err error) {
	switch {
	case len(by) < 1 || len(by) > MaxFields:
		return fmt.Errorf("%w: got %d fields to group by, want 1 to %d", sentinel.ErrLimit, len(by), MaxFields)
	case len(by) == 1 && snap.KindOf(by[0].Field) != model.Integers:
		return packed(&counted[uint64]{
			each:  func(fn func(*cell[uint64]) error) error { return eachRow(ctx, snap, by[0].Field, set, fn) },
			group: func(c *cell[uint64]) Group { return Group{Rows: wide{c.key}, Count: c.n} },
		})
	}
	groups, ok, err := tabulated(ctx, snap, by, set)
	if err != nil {
		return err
	}
	if ok {
		return apart(&counted[wide]{
			each:  func(fn func(*cell[wide]) error) error { return eachOf(groups, fn) },
			group: func(c *cell[wide]) Group { return Group{Rows: c.key, Count: c.n} },
		})
	}
	t := tupleCounter{ctx: ctx, snap: snap}
	defer func() { err = closed(err, t.close()) }()
	if err := t.count(by, set); err != nil {
		return err
	}
	if t.wide != nil {
		return apart(&counted[wide]{each: t.wide.each, group: func(c *cell[wide]) Group {
			return t.group(c.key, c.n)
		}})
	}
	return packed(&counted[uint64]{each: t.each, group: func(c *cell[uint64]) Group {
		return t.group(t.unpack(c.key), c.n)
	}})
}

// eachOf calls fn with groups, which it sorts.
func eachOf(groups []Group, fn func(*cell[wide]) error) error {
	slices.SortFunc(groups, func(a, b Group) int { return slices.Compare(a.Rows[:], b.Rows[:]) })
	var x cell[wide]
	for i := range groups {
		x.key, x.n = groups[i].Rows, groups[i].Count
		if err := fn(&x); err != nil {
			return err
		}
	}
	return nil
}

// eachRow calls fn with every row of a field that records of the set are in.
func eachRow(ctx context.Context, snap reader.Snapshot, field uint32, set view.View,
	fn func(*cell[uint64]) error) error {
	counts, err := rowcount.Quickly(ctx, snap, field, set, 0)
	if err != nil {
		return err
	}
	var x cell[uint64]
	if counts == nil {
		return snap.Rows(ctx, field, 0, func(row uint64, l *overlay.List) error {
			if x.key, x.n = row, l.AndLen(set); x.n > 0 {
				return fn(&x)
			}
			return nil
		})
	}
	defer counts.Close()
	for x.key, x.n = range counts.All() {
		if err := fn(&x); err != nil {
			return err
		}
	}
	return nil
}
