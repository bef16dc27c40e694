// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// link is a record that links to the subject.
type link struct {
	key   uint64 // of the record: by its time, and before all times other keys
	row   uint64 // the account, or the list, whose edge has the record
	other uint64 // whom the edge leads to
	keyed bool   // false: the edge is there, but no record of it is known
}

// compare orders links by time. Records of several accounts may have one key.
func (l link) compare(o link) int {
	return cmp.Or(cmp.Compare(l.key, o.key), cmp.Compare(l.row, o.row))
}

// links reads what links to a subject from one source, in one state. Not for concurrent use.
type links struct {
	ctx      context.Context
	of       source
	snapshot uproar.Snapshot
	keys     uproar.EdgeKeys
	name     string // of the subject
	subject  uint64
	known    bool // the subject exists
	dids     map[string]bool
	hidden   uproar.RowID
	hides    bool               // anybody is hidden
	owners   map[uint64]*holder // of lists
	holders  map[string]*holder
}

// holder is an account whose records are list items.
type holder struct {
	did    string
	hidden bool
}

// read returns the links to a subject from some accounts; dids nil: from all. The snapshot stays
// the caller's.
func read(ctx context.Context, s uproar.Snapshot, of source, subject string, dids map[string]bool) (l *links,
	err error) {
	l = &links{ctx: ctx, of: of, snapshot: s, name: subject, dids: dids, owners: make(map[uint64]*holder),
		holders: make(map[string]*holder)}
	if l.keys, err = s.EdgeKeys(string(of.relation)); err != nil {
		return nil, err
	}
	if l.hidden, l.hides, err = s.RowID(graph.HiddenField, graph.HiddenRow); err != nil {
		return nil, err
	}
	l.subject, l.known, err = l.id(subject)
	return l, err
}

// id returns the number of an account or a list.
func (l *links) id(name string) (id uint64, known bool, err error) {
	if graph.CheckAccount(name) != nil {
		return 0, false, nil
	}
	id, err = l.snapshot.ID(name)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return 0, false, nil
	}
	return id, err == nil, err
}

// rowsAhead is how many accounts are looked up at a time.
const rowsAhead = 1024

// each tells the links, those of one row together and ascending. An edge without a record is one
// link that is not keyed.
func (l *links) each(tell func(link) error) error {
	switch {
	case !l.known:
		return nil
	case l.of.inverse == "":
		return l.eachOf(l.subject, tell)
	case l.dids != nil && l.of.relation != graph.Members:
		return l.eachWanted(tell)
	}
	q := query.Related{Field: l.of.inverse, Key: l.name}
	return l.pages(q, func(row uint64) error { return l.eachOf(row, tell) })
}

// pages tells what a query fits.
func (l *links) pages(q query.Expr, tell func(id uint64) error) error {
	for p := (uproar.Page{Limit: rowsAhead}); ; {
		list, err := l.snapshot.IDs(l.ctx, q, p)
		if err != nil {
			return err
		}
		for _, id := range list.IDs {
			if err := tell(id); err != nil {
				return err
			}
		}
		if !list.More {
			return nil
		}
		p.From = list.Next
	}
}

// eachWanted is each where few accounts are wanted: only they are looked at.
func (l *links) eachWanted(tell func(link) error) error {
	for did := range l.dids {
		row, known, err := l.id(did)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		links, err := l.snapshot.Has(string(l.of.relation), did, l.name)
		if err == nil && links {
			err = l.eachOf(row, tell)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachOf tells the links of one row.
func (l *links) eachOf(row uint64, tell func(link) error) error {
	if l.of.relation == graph.Members {
		h, err := l.holder(row)
		if err != nil || h == nil || l.dids != nil && !l.dids[h.did] {
			return err
		}
	}
	records, err := l.keys.Append(nil, row, allKeys, maxKeys)
	if err != nil {
		return err
	}
	found := false
	for _, r := range records {
		if l.of.inverse != "" && r.Target != l.subject {
			continue
		}
		found = true
		if err := tell(link{r.Key, row, r.Target, true}); err != nil {
			return err
		}
	}
	switch {
	case l.of.inverse == "":
		keyed := make([]uint64, len(records))
		for i, r := range records {
			keyed[i] = r.Target
		}
		return l.eachUnkeyed(keyed, tell)
	case !found:
		return tell(link{row: row, other: l.subject})
	}
	return nil
}

// eachUnkeyed tells the members of a list of which no record is known: all but the keyed ones.
func (l *links) eachUnkeyed(keyed []uint64, tell func(link) error) error {
	members := query.Related{Field: string(l.of.relation), Key: l.name}
	n, err := l.snapshot.CountAnd(l.ctx, members)
	if err != nil {
		return err
	}
	slices.Sort(keyed)
	if keyed = slices.Compact(keyed); uint64(len(keyed)) == n {
		return nil
	}
	return l.pages(members, func(member uint64) error {
		if _, ok := slices.BinarySearch(keyed, member); ok {
			return nil
		}
		return tell(link{row: l.subject, other: member})
	})
}

// What asks for all keys.
const (
	allKeys = 1<<64 - 1
	maxKeys = 1<<31 - 1
)

// holder returns whose list a row is; nil if it is no list.
func (l *links) holder(row uint64) (*holder, error) {
	if h, met := l.owners[row]; met {
		return h, nil
	}
	name, err := l.snapshot.Key(row)
	if err != nil {
		return nil, err
	}
	did, ok := ownerOf(name)
	if !ok {
		l.owners[row] = nil
		return nil, nil
	}
	h := l.holders[did]
	if h == nil {
		h = &holder{did: did}
		id, known, err := l.id(did)
		if err == nil && known && l.hides {
			h.hidden, err = l.snapshot.HasRow(l.hidden, id)
		}
		if err != nil {
			return nil, err
		}
		l.holders[did] = h
	}
	l.owners[row] = h
	return h, l.grow(len(l.owners))
}

// entryBytes is about what an entry of a map takes.
const entryBytes = 128

// grow says that something of so many entries is held.
func (l *links) grow(entries int) error {
	if entries%rowsAhead != 0 {
		return nil
	}
	return uproar.Grow(l.ctx, entries*entryBytes)
}

// account returns the DID of the account that wrote the record of a link.
func (l *links) account(of link) (string, error) {
	if l.of.relation == graph.Members {
		return l.owners[of.row].did, nil
	}
	return l.snapshot.Key(of.row)
}

// shown reports whether the account of a link is not hidden.
func (l *links) shown(of link) (bool, error) {
	switch {
	case !l.hides:
		return true, nil
	case l.of.relation == graph.Members:
		return !l.owners[of.row].hidden, nil
	}
	is, err := l.snapshot.HasRow(l.hidden, of.row)
	return !is, err
}

// record returns the record of a link.
func (l *links) record(of link) (r record, err error) {
	if r.did, err = l.account(of); err != nil {
		return r, err
	}
	r.collection = l.of.collection
	key, err := l.keys.AppendText(nil, of.key)
	r.key = string(key)
	return r, err
}
