// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"iter"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval/crosstab"
	"github.com/uproar-db/uproar/internal/schema"
)

// By is what records are grouped by: a field, and of an Integer field a band of integers.
type By struct {
	Field string
	Band  string // "": each value is a group
}

// ParseBy reads what String writes: a field, such as "city", or an Integer field and its band, such
// as "age by 10" or "joined by month". Selection.Groups says which bands there are. Errors:
// ErrInvalid.
func ParseBy(text string) (By, error) {
	field, band, err := schema.ParseBy(text)
	return By{Field: field, Band: band}, err
}

// String returns the text of what is grouped by.
func (b By) String() string {
	if b.Band == "" {
		return b.Field
	}
	return b.Field + " by " + b.Band
}

// Group is the records of a selection with one combination of values or bands of some fields.
type Group struct {
	Keys  []string // the values, or the lower ends of bands as Field.Text writes them, in the order of the fields
	Count uint64   // of the records, at least 1
	Rows  []uint64 // where the values stand in the order of their fields; of groups of equal counts the lesser is first
	Total uint64   // of Tables, by one field: all records that have the value; else 0
}

// Groups counts the records of each combination of values of one to three fields. The groups are in
// descending order of count. At equal counts the value first written comes first, and the lesser
// integer. limit bounds the number of groups; 0 means all, at most 4 194 304. A record with several
// values in a field is in several groups, and one with none in no group.
//
// Each of by is in the form that ParseBy reads. An Integer field may have a band. A band of numbers
// is its width: "age by 10" or "height by 0.1". A band of days is "day", "week" (from Monday on),
// "month", "quarter" or "year". A band of times is one of these, in UTC, or "hour". Bands of
// numbers begin at multiples of their width, below 0 too: -1 is in the band of -10. The key of a
// band is its lower end, or the least integer if that is above it. Without a band, each integer is
// a group.
//
// Cost: in proportion to the records and their values, whatever the order of the fields. A Set
// field without a column also takes a step for each of its values. What does not fit into memory is
// sorted in temporary files. The returned groups are held in memory: use AllGroups for millions of
// them.
//
// Errors: ErrUnknownField, ErrInvalid, ErrLimit, ErrMemory, ErrCorrupt, ctx's, of temporary files,
// or the store's.
func (n *Selection) Groups(ctx context.Context, limit int, by ...string) ([]Group, error) {
	return n.GroupsAfter(ctx, nil, limit, by...)
}

// GroupsAfter is Groups from behind a place on: after is the last group of the page before, of
// which Count and Rows are looked at, nil for the first page. In one snapshot pages have each group
// once. Cost and errors as of Groups.
func (n *Selection) GroupsAfter(ctx context.Context, after *Group, limit int, by ...string) ([]Group, error) {
	if limit < 0 {
		return nil, invalid("groups: got a limit of %d, want 0 or more", limit)
	}
	g, err := n.grouping("groups", by)
	if err != nil {
		return nil, err
	}
	var place *crosstab.Group
	if after != nil {
		if len(after.Rows) != len(by) {
			return nil, invalid("groups: got a place of %d fields, want %d", len(after.Rows), len(by))
		}
		place = &crosstab.Group{Count: after.Count}
		copy(place.Rows[:], after.Rows)
	}
	found, err := crosstab.Groups(ctx, n.s.lists, g.by, n.set.View(), limit, place)
	if err != nil {
		return nil, err
	}
	return g.groups(found)
}

// AllGroups returns the groups of Groups without a limit, one after the other. Its memory does not
// grow with their number. It ends with the first error. Cost and errors as of Groups.
func (n *Selection) AllGroups(ctx context.Context, by ...string) iter.Seq2[Group, error] {
	return func(yield func(Group, error) bool) {
		g, err := n.grouping("groups", by)
		if err != nil {
			yield(Group{}, err)
			return
		}
		stop := errors.New("uproar: no more groups are wanted")
		waiting := make([]crosstab.Group, 0, groupsAtOnce)
		show := func() error {
			groups, err := g.groups(waiting)
			if err != nil {
				return err
			}
			waiting = waiting[:0]
			for _, group := range groups {
				if !yield(group, nil) {
					return stop
				}
			}
			return nil
		}
		err = crosstab.EachGroup(ctx, n.s.lists, g.by, n.set.View(), func(x crosstab.Group) error {
			if waiting = append(waiting, x); len(waiting) < groupsAtOnce {
				return nil
			}
			return show()
		})
		if err == nil {
			err = show()
		}
		if err != nil && err != stop {
			yield(Group{}, err)
		}
	}
}

// groupsAtOnce is of how many groups the keys are read together.
const groupsAtOnce = 1 << 12

// grouping is the fields that groups are by.
type grouping struct {
	n      *Selection
	fields []*schema.Bound
	by     []crosstab.By
	keys   [crosstab.MaxFields]binding.RowKeys // of each field
}

// grouping finds the fields that are named; what is the question that they are asked in.
func (n *Selection) grouping(what string, by []string) (*grouping, error) {
	if len(by) < 1 || len(by) > crosstab.MaxFields {
		return nil, invalid("%s: got %d fields, want 1 to %d", what, len(by), crosstab.MaxFields)
	}
	g := &grouping{n: n, fields: make([]*schema.Bound, 0, len(by)), by: make([]crosstab.By, 0, len(by))}
	for _, text := range by {
		b, err := ParseBy(text)
		if err != nil {
			return nil, err
		}
		f, err := n.s.field(b.Field)
		if err != nil {
			return nil, err
		}
		g.keys[len(g.fields)] = binding.RowKeys{Lists: n.s.lists, Field: f, Keep: true}
		of := crosstab.By{Field: f.ID}
		if b.Band != "" {
			band, err := f.Field.Band(b.Band)
			if err != nil {
				return nil, err
			}
			of.Band = crosstab.Band(band)
		}
		g.fields, g.by = append(g.fields, f), append(g.by, of)
	}
	return g, nil
}

// groups returns groups with the keys of their rows.
func (g *grouping) groups(found []crosstab.Group) ([]Group, error) {
	each := len(g.fields)
	groups, keys, rows := make([]Group, len(found)), make([]string, len(found)*each), make([]uint64, len(found)*each)
	for i := range groups {
		groups[i] = Group{Count: found[i].Count, Total: found[i].Total, Keys: keys[:each:each], Rows: rows[:each:each]}
		copy(groups[i].Rows, found[i].Rows[:])
		keys, rows = keys[each:], rows[each:]
	}
	for k, f := range g.fields {
		if f.Type == schema.Integer {
			for i := range groups {
				groups[i].Keys[k] = f.Text(crosstab.RowInteger(found[i].Rows[k]))
			}
			continue
		}
		row := func(i int) uint64 { return groups[i].Rows[k] }
		if err := g.keys[k].Read(len(groups), row, func(i int, key string) { groups[i].Keys[k] = key }); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// Tables returns the groups of several lists of one to three fields. For each list it counts the
// records of each combination of values or bands, as Groups does with the limit. For a list of one
// field it also returns the Total of each value. Fields of few values, such as demographics, are
// counted in one pass over the records: several tables cost little more than one.
//
// Cost: for such fields, an intersection that is only counted for each value and each combination
// of values. For other tables, that of Groups or Top. Errors: as of Groups.
func (n *Selection) Tables(ctx context.Context, limit int, of ...[]string) ([][]Group, error) {
	if limit < 0 {
		return nil, invalid("tables: got a limit of %d, want 0 or more", limit)
	}
	by, groupings := make([][]crosstab.By, len(of)), make([]*grouping, len(of))
	for i, fields := range of {
		g, err := n.grouping("tables", fields)
		if err != nil {
			return nil, err
		}
		by[i], groupings[i] = g.by, g
	}
	found, err := crosstab.Tables(ctx, n.s.lists, by, n.set.View(), limit)
	if err != nil {
		return nil, err
	}
	tables := make([][]Group, len(of))
	for i := range of {
		if tables[i], err = groupings[i].groups(found[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
