// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/eval"
)

// Group is the records of a selection that have one value in each of some fields.
type Group struct {
	Keys  []string // the values, in the order in which the fields were given
	Count uint64   // of the records, at least 1
	Rows  []uint64 // the numbers of the values in their fields
	Total uint64   // of Tables, by one field: records that have the value; else 0
}

// Groups returns how many of the records have each combination of values of one to three fields, by descending count; of equal counts the values that were first written
// come first. limit bounds the number of groups, 0: all, at most eval.MaxGroups. A record with several values in a field is in several groups, and one with none in
// no group.
//
// Cost: a walk over the first field, for each of its values that the records have one over the second, and so on: fields of few values should come first. Errors:
// ErrUnknownField, ErrInvalid, ErrLimit, ErrMemory, ErrCorrupt, ctx's, or the store's.
func (n *Selection) Groups(ctx context.Context, limit int, fields ...string) ([]Group, error) {
	return n.GroupsAfter(ctx, nil, limit, fields...)
}

// GroupsAfter is Groups from behind a place on: after is the last group of the page before, of which Count and Rows are looked at, nil for the first page. In one snapshot pages have each group once.
// Cost and errors as of Groups.
func (n *Selection) GroupsAfter(ctx context.Context, after *Group, limit int, fields ...string) ([]Group, error) {
	if len(fields) < 1 || len(fields) > eval.MaxGroupFields {
		return nil, invalid("groups: got %d fields, want 1 to %d", len(fields), eval.MaxGroupFields)
	}
	if limit < 0 {
		return nil, invalid("groups: got a limit of %d, want 0 or more", limit)
	}
	bound, ids := make([]*boundField, len(fields)), make([]uint32, len(fields))
	for i, name := range fields {
		f, err := n.withRows(name)
		if err != nil {
			return nil, err
		}
		bound[i], ids[i] = f, f.id
	}
	var place *eval.Group
	if after != nil {
		if len(after.Rows) != len(fields) {
			return nil, invalid("groups: got a place of %d fields, want %d", len(after.Rows), len(fields))
		}
		place = &eval.Group{Count: after.Count}
		copy(place.Rows[:], after.Rows)
	}
	found, err := eval.Groups(ctx, n.s.lists, ids, n.set.View(), limit, place)
	if err != nil {
		return nil, err
	}
	return n.groups(bound, found)
}

// groups returns groups with the keys of their rows.
func (n *Selection) groups(bound []*boundField, found []eval.Group) ([]Group, error) {
	groups, keys, rows := make([]Group, len(found)), make([]string, len(found)*len(bound)), make([]uint64, len(found)*len(bound))
	for i := range groups {
		groups[i].Count, groups[i].Total = found[i].Count, found[i].Total
		groups[i].Rows, rows = rows[:len(bound):len(bound)], rows[len(bound):]
		copy(groups[i].Rows, found[i].Rows[:])
		groups[i].Keys, keys = keys[:len(bound):len(bound)], keys[len(bound):]
	}
	for k, f := range bound {
		err := n.keysOf(f, len(found), func(i int) uint64 { return found[i].Rows[k] }, func(i int, key string) { groups[i].Keys[k] = key })
		if err != nil {
			return nil, err
		}
	}
	return groups, nil
}
