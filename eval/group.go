// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// MaxGroupFields is by how many fields records may be grouped at once.
const MaxGroupFields = 3

// MaxGroups is how many groups one answer may have, if it has no limit.
const MaxGroups = 1 << 22

// Group is the records of a set that are in one row of each of some fields.
type Group struct {
	Rows  [MaxGroupFields]uint64 // as many as there are fields
	Count uint64                 // at least 1
	Total uint64                 // of Tables, by one field: records in the row; else 0
}

const groupBytes = 40

// Groups returns the groups of a set by one to three fields, by descending count, then ascending rows; limit bounds their number, 0: all, at most MaxGroups. A record
// that has several values of a field is in several groups, and one that has none in no group. With after, those are wanted that come behind it in that order. It is exact.
//
// Cost: of fields of few rows that of Tables; else a walk over the first field, for each of its rows with records of the set one over the second, and so on: fields of few rows should come first. Errors:
// ErrLimit (too many groups), ErrMemory, those of reading lists, or ctx's.
func Groups(ctx context.Context, snap posting.Snapshot, fields []uint32, set bitmap.View, limit int, after *Group) ([]Group, error) {
	if len(fields) < 1 || len(fields) > MaxGroupFields {
		return nil, fmt.Errorf("%w: got %d fields to group by, want 1 to %d", ErrLimit, len(fields), MaxGroupFields)
	}
	if len(fields) > 1 {
		if groups, ok, err := tabulated(ctx, snap, fields, set); ok || err != nil {
			return page(groups, limit, after), err
		}
	}
	g := grouping{ctx: ctx, snap: snap, fields: fields, limit: limit, after: after}
	defer func() { snap.Give(g.held) }()
	counts, err := g.quickly(set)
	if err == nil && !counts {
		err = g.walk(set, 0)
	}
	if err != nil {
		return nil, err
	}
	g.cut()
	return g.groups, nil
}

// page cuts from groups in order those that are wanted.
func page(groups []Group, limit int, after *Group) []Group {
	if after != nil {
		at, _ := slices.BinarySearchFunc(groups, *after, func(g, after Group) int {
			if orderGroups(g, after) <= 0 {
				return -1
			}
			return 1
		})
		groups = groups[at:]
	}
	if limit > 0 && len(groups) > limit {
		groups = groups[:limit]
	}
	return groups
}

// grouping gathers groups.
type grouping struct {
	ctx    context.Context
	snap   posting.Snapshot
	fields []uint32
	limit  int
	after  *Group // nil: all
	at     Group  // the rows on the way to here
	groups []Group
	worst  uint64 // a group must have more records than so many
	held   int64
}

// quickly groups by one field over its forward column, if that costs less.
func (g *grouping) quickly(set bitmap.View) (done bool, err error) {
	if len(g.fields) > 1 {
		return false, nil
	}
	counts, err := countQuickly(g.ctx, g.snap, g.fields[0], set, 0)
	if counts == nil || err != nil {
		return false, err
	}
	defer counts.Close()
	for row, n := range counts.All() {
		if g.at.Rows[0], g.at.Count = row, n; n > g.worst {
			if err := g.add(); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}

// walk adds the groups of a set by the fields from one on.
func (g *grouping) walk(set bitmap.View, depth int) error {
	var c posting.Cursor
	size, last := set.Len(), depth == len(g.fields)-1
	return g.snap.Rows(g.ctx, g.fields[depth], 0, func(row uint64, l *posting.List) error {
		if min(l.AtMost(), size) <= g.worst {
			return nil
		}
		g.at.Rows[depth] = row
		if last {
			if g.at.Count = l.LenWithin(set); g.at.Count > g.worst {
				return g.add()
			}
			return nil
		}
		if l.LenWithin(set) <= g.worst {
			return nil
		}
		return g.walk(l.Within(set, &c).View(), depth+1)
	})
}

// orderGroups compares two groups by their places in an answer.
func orderGroups(a, b Group) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Rows[:], b.Rows[:]))
}

func (g *grouping) add() error {
	if g.after != nil && orderGroups(g.at, *g.after) <= 0 {
		return nil
	}
	g.groups = append(g.groups, g.at)
	if g.limit > 0 && len(g.groups) >= 2*g.limit {
		g.cut()
	}
	if len(g.groups) > MaxGroups {
		return fmt.Errorf("%w: got more than %d groups, want at most so many, or a limit", ErrLimit, MaxGroups)
	}
	if need := int64(cap(g.groups)) * groupBytes; need > g.held {
		if err := g.snap.Take(need - g.held); err != nil {
			return err
		}
		g.held = need
	}
	return nil
}

// cut sorts the groups and keeps as many as are wanted. Groups come in ascending order of their rows, so that a later one must have more records than the last that
// is kept, not as many.
func (g *grouping) cut() {
	slices.SortFunc(g.groups, orderGroups)
	if g.limit > 0 && len(g.groups) >= g.limit {
		g.groups = g.groups[:g.limit]
		g.worst = g.groups[g.limit-1].Count
	}
}
