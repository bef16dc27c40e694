// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"maps"
	"slices"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// others reads the other subjects of records that link to one.
type others struct {
	*links
	self   bool            // the other subject is the subject itself: both paths are one
	wanted map[uint64]bool // nil: all
}

// others reads the parameters that two calls have, the DIDs under the name did.
func (a *asked) others(did string) (*others, error) {
	collection, path, subject := bySource(a.params)
	toOther := "." + a.required("pathToOther")
	l, err := a.links(collection, path, subject, a.filter(did))
	if err != nil {
		return nil, err
	}
	if _, err := find(a.graph, collection, toOther); err != nil {
		return nil, err
	}
	o := &others{links: l, self: toOther == path}
	for name := range a.filter("otherSubject") {
		if o.wanted == nil {
			o.wanted = make(map[uint64]bool)
		}
		id, known, err := l.id(name)
		if err != nil {
			return nil, err
		}
		if known {
			o.wanted[id] = true
		}
	}
	return o, nil
}

// other returns the number of the other subject of a record.
func (o *others) other(of link) uint64 {
	switch {
	case o.self:
		return o.subject
	case o.of.inverse == "":
		return of.other
	default:
		return of.row
	}
}

// each tells the records whose other subject is wanted.
func (o *others) each(tell func(l link, other uint64) error) error {
	return o.links.each(func(l link) error {
		other := o.other(l)
		if o.wanted != nil && !o.wanted[other] {
			return nil
		}
		return tell(l, other)
	})
}

// manyToMany lists records with their other subject, the oldest first.
func manyToMany(a *asked) (call.Reply, error) {
	p := page{most: a.limit(), oldest: true, after: a.after()}
	o, err := a.others("linkDid")
	if err != nil {
		return nil, err
	}
	p.shown = o.shown
	err = o.each(func(l link, _ uint64) error {
		if !l.keyed {
			return nil
		}
		return p.offer(l)
	})
	if err != nil {
		return nil, err
	}
	list, cursor := p.end()
	r := &itemsReply{cursor: cursor}
	for _, l := range list {
		var i item
		if i.record, err = o.record(l); err == nil {
			i.other, err = o.snapshot.Key(o.other(l))
		}
		if err != nil {
			return nil, err
		}
		r.items = append(r.items, i)
	}
	return r, nil
}

// group is the records that have one other subject.
type group struct {
	total    uint64
	distinct map[any]bool // their accounts
}

// manyToManyCounts counts records by their other subject, in the order in which these became known.
// Hidden accounts' are not counted.
func manyToManyCounts(a *asked) (call.Reply, error) {
	after, most := uint64(0), a.limit()
	more := a.cursor(&after)
	o, err := a.others("did")
	if err != nil {
		return nil, err
	}
	groups := make(map[uint64]*group)
	held := 0
	err = o.each(func(l link, other uint64) error {
		if more && other <= after {
			return nil
		}
		if ok, err := o.shown(l); err != nil || !ok {
			return err
		}
		g := groups[other]
		if g == nil {
			g = &group{distinct: make(map[any]bool)}
			groups[other] = g
		}
		g.total++
		var account any = l.row
		if o.of.relation == graph.Members {
			account = o.owners[l.row]
		}
		if !g.distinct[account] {
			g.distinct[account] = true
			held++
		}
		return o.grow(held)
	})
	if err != nil {
		return nil, err
	}
	r := &countsReply{}
	for i, other := range slices.Sorted(maps.Keys(groups)) {
		if i == most {
			if most > 0 {
				r.cursor = cursorOf(after)
			}
			break
		}
		after = other
		name, err := o.snapshot.Key(other)
		if err != nil {
			return nil, err
		}
		r.counts = append(r.counts, count{name, groups[other].total, uint64(len(groups[other].distinct))})
	}
	return r, nil
}
