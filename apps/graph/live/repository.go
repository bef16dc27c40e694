// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"slices"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
)

// record names a record of an account.
type record struct {
	collection Collection
	key        string
}

// content is what a record says. It has no target if the record is deleted.
type content struct {
	target, list string
	rev          string // of the repository that says so
	fetched      bool   // the record came with its whole repository
	there        bool   // it is not deleted, though it may have no target
}

// repository gathers the records of one account, to be written at once.
type repository struct {
	records map[record]content
	last    time.Duration // when the last of them came, by the clock of the connection
}

func newRepository(now time.Duration) *repository {
	return &repository{records: make(map[record]content), last: now}
}

// put notes what an event says of a record.
func (p *repository) put(e *Event, now time.Duration) {
	p.last = now
	p.records[record{e.Collection, e.Key}] = content{e.Target, e.List, e.Rev, e.Backfill,
		e.Kind == Written}
}

// edges returns the edges of a collection, in the order of their keys. A list item is an edge of
// its list; list "" is the edges to all lists.
func (p *repository) edges(of Collection, list string) (edges []graph.Edge) {
	for r, c := range p.records {
		switch {
		case r.collection != of || c.target == "":
		case of != ListItem || c.list == list:
			edges = append(edges, graph.Edge{Target: c.target, Key: r.key})
		case list == "":
			edges = append(edges, graph.Edge{Target: c.list, Key: r.key})
		}
	}
	slices.SortFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(a.Key, b.Key) })
	return edges
}
