// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// MaxGroupFields is by how many fields records may be grouped at once.
const MaxGroupFields = 3

// MaxGroups is how many groups one slice of them may have.
const MaxGroups = 1 << 22

// Group is the records of a set that are in one row, or one band of integers, of each of some fields.
type Group struct {
	Rows  [MaxGroupFields]uint64 // as many as there are fields: rows, or what IntegerRow says of the lower end
	Count uint64                 // at least 1
	Total uint64                 // of Tables, by one field: records in the row or band; else 0
}

const groupBytes = 40

// Groups returns the groups of a set by one to three fields, by descending count, then ascending rows. limit
// bounds their number, 0: all, at most MaxGroups. With after, those are returned that come behind it in that
// order. A record that has several values of a field is in several groups, and one that has none in no group.
//
// Cost: of EachGroup, and 40 bytes for each group that is returned. Errors: ErrLimit (too many groups), and
// those of EachGroup.
func Groups(ctx context.Context, snap posting.Snapshot, by []By, set bitmap.View, limit int, after *Group) (groups []Group, err error) {
	held := int64(0)
	defer func() { snap.Give(held) }()
	add := func(g Group) error {
		if after != nil && orderGroups(g, *after) <= 0 {
			return nil
		}
		groups = append(groups, g)
		if limit == 0 && len(groups) > MaxGroups {
			return fmt.Errorf("%w: got more than %d groups, want at most so many, or a limit", ErrLimit, MaxGroups)
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
	worst := uint64(0) // a group must have more records than so many
	cut := func() {
		slices.SortFunc(groups, orderGroups)
		if len(groups) >= limit {
			groups = groups[:limit]
			worst = groups[limit-1].Count
		}
	}
	// Groups come in ascending order of their rows: a later one must have more records than the last that is
	// kept, not as many.
	err = eachByRows(ctx, snap, by, set, func(g Group) error {
		if g.Count <= worst {
			return nil
		}
		if err := add(g); err != nil {
			return err
		}
		if len(groups) >= 2*limit {
			cut()
		}
		return nil
	})
	cut()
	return groups, err
}

// EachGroup calls fn with every group of a set by one to three fields, in the order of Groups, until fn returns
// an error, which it returns.
//
// Cost: in proportion to the records of the set and their values, whatever the fields and their order. Fields
// of few rows are counted as by Tables. A set field without a column, or of a set of many records, takes a walk
// over its lists, each once. The values of the records are sorted, with what has no room in memory in temporary
// files, and so are the groups. Errors: ErrInvalid (no or too many fields), ErrMemory, those of reading lists,
// of temporary files, or ctx's.
func EachGroup(ctx context.Context, snap posting.Snapshot, by []By, set bitmap.View, fn func(Group) error) (err error) {
	o := newGroupOrder(ctx, snap)
	defer func() { err = errors.Join(err, o.close()) }()
	if err := eachByRows(ctx, snap, by, set, o.add); err != nil {
		return err
	}
	return o.each(fn)
}

// orderGroups compares two groups by their places in an answer.
func orderGroups(a, b Group) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Rows[:], b.Rows[:]))
}

// eachByRows calls fn with every group, in ascending order of rows.
func eachByRows(ctx context.Context, snap posting.Snapshot, by []By, set bitmap.View, fn func(Group) error) (err error) {
	switch {
	case len(by) < 1 || len(by) > MaxGroupFields:
		return fmt.Errorf("%w: got %d fields to group by, want 1 to %d", ErrLimit, len(by), MaxGroupFields)
	case len(by) == 1 && snap.KindOf(by[0].Field) != posting.Integers:
		return eachRow(ctx, snap, by[0].Field, set, fn)
	}
	groups, ok, err := tabulated(ctx, snap, by, set)
	if err != nil {
		return err
	}
	if ok {
		slices.SortFunc(groups, func(a, b Group) int { return slices.Compare(a.Rows[:], b.Rows[:]) })
		for _, g := range groups {
			if err := fn(g); err != nil {
				return err
			}
		}
		return nil
	}
	t := crosstab{ctx: ctx, snap: snap}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.count(by, set); err != nil {
		return err
	}
	return t.each(func(values *wide, n uint64) error { return fn(t.group(values, n)) })
}

// eachRow calls fn with every row of a field that records of the set are in.
func eachRow(ctx context.Context, snap posting.Snapshot, field uint32, set bitmap.View, fn func(Group) error) error {
	counts, err := countQuickly(ctx, snap, field, set, 0)
	if err != nil {
		return err
	}
	offer := func(row, n uint64) error {
		if n == 0 {
			return nil
		}
		return fn(Group{Rows: [MaxGroupFields]uint64{row}, Count: n})
	}
	if counts == nil {
		return snap.Rows(ctx, field, 0, func(row uint64, l *posting.List) error { return offer(row, l.LenWithin(set)) })
	}
	defer counts.Close()
	for row, n := range counts.All() {
		if err := offer(row, n); err != nil {
			return err
		}
	}
	return nil
}
