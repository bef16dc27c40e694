// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
)

// EdgesPage says which part of a list of edges is wanted.
type EdgesPage struct {
	Oldest bool   // first the oldest; else the newest
	Cursor string // that came with the page before; "" begins
	Limit  int    // how many at most, at least 1
	Hidden bool   // with hidden accounts
}

// CursorError says that a cursor was not made by [Graph.Edges].
type CursorError struct{ Cursor string }

// Error shows the cursor.
func (e *CursorError) Error() string {
	return fmt.Sprintf("graph: cursor %s, want one of the page before, such as 1764100801250__3m6i4wtqkuf2l",
		shown(e.Cursor))
}

// Edges returns a page of what an account has in a keyed relation, in the order of its records: by
// the time of a TID, and before all TIDs other keys, by first appearance. An edge stands where its
// first record is, and has its key; one without a record is in no page. cursor is that of the next
// page, "" if there is none: it stays good whatever is written meanwhile. Who is not known has no
// edges. Cost: a pass over the account's records, some 8 ns each, and its page's keys.
//
// Errors: *RelationError, *UnkeyedError, *InvalidAccountError, *CursorError, uproar.ErrInvalid (a
// limit below 1), ctx's, or the database's.
func (g *Graph) Edges(ctx context.Context, r Relation, account string, p EdgesPage) (edges []Edge, cursor string,
	err error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: edges: got a limit of %d, want 1 or more", uproar.ErrInvalid, p.Limit)
	}
	if err := g.checkEdges(r, account); err != nil {
		return nil, "", err
	}
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	keys, err := s.EdgeKeys(string(r))
	if err != nil {
		return nil, "", err
	}
	from, err := parseCursor(keys, p.Cursor)
	if err != nil {
		return nil, "", err
	}
	o, err := g.ordered(s, r, account)
	if err != nil || len(o.records) == 0 {
		return nil, "", knownOnly(err)
	}
	at, step, end := len(o.records)-1, -1, -1
	if p.Oldest {
		at, step, end = 0, 1, len(o.records)
	}
	if p.Cursor != "" {
		at = sort.Search(len(o.records), func(i int) bool { return o.records[i].Key >= from })
		if !p.Oldest {
			at--
		} else if at < len(o.records) && o.records[at].Key == from {
			at++
		}
	}
	last := uint64(0)
	for ; at != end; at += step {
		shown, err := o.shows(at, p.Hidden)
		if err != nil {
			return nil, "", err
		}
		if !shown {
			continue
		}
		if len(edges) == p.Limit {
			cursor, err := cursorOf(keys, last)
			return edges, cursor, err
		}
		e, err := o.edge(at)
		if err != nil {
			return nil, "", err
		}
		edges, last = append(edges, e), o.records[at].Key
	}
	return edges, "", nil
}

// checkEdges fails for a question about edges that cannot be.
func (g *Graph) checkEdges(r Relation, account string) error {
	switch {
	case inverses[r] == "":
		return &RelationError{r}
	case !g.Keyed(r):
		return &UnkeyedError{r}
	}
	return CheckAccount(account)
}

// cursorOf returns the cursor of a page that ends with a record: its time in milliseconds and its
// key, or of a key that is no TID its number in base 36.
func cursorOf(keys uproar.EdgeKeys, number uint64) (string, error) {
	ms := (uproar.EdgeKey{Key: number}).Micros() / 1000
	if ms == 0 {
		return "0__" + strconv.FormatUint(number, 36), nil
	}
	text, err := keys.AppendText(append(strconv.AppendInt(nil, ms, 10), "__"...), number)
	return string(text), err
}

// parseCursor returns the number of the key of a cursor.
func parseCursor(keys uproar.EdgeKeys, cursor string) (number uint64, err error) {
	if cursor == "" {
		return 0, nil
	}
	ms, text, _ := strings.Cut(cursor, "__")
	ok := true
	if ms == "0" {
		number, err = strconv.ParseUint(text, 36, 40)
		ok = err == nil
	} else if number, ok, err = keys.Number(text); err != nil {
		return 0, err
	}
	if ok {
		again, err := cursorOf(keys, number)
		if err == nil && again == cursor {
			return number, nil
		}
	}
	return 0, &CursorError{cursor}
}

// ordered has the records of an account in one state. Not for concurrent use.
type ordered struct {
	snapshot uproar.Snapshot
	keys     uproar.EdgeKeys
	records  []uproar.EdgeKey // ascending
	first    map[uint64]int   // place of the first record of targets that have several; nil: not known yet
	hidden   uproar.RowID
	hides    bool // anybody is hidden
}

// ordered reads the records of an account. Errors: uproar.ErrUnknownRecord, or those of reading.
func (g *Graph) ordered(s uproar.Snapshot, r Relation, account string) (o ordered, err error) {
	o.snapshot = s
	if o.keys, err = s.EdgeKeys(string(r)); err != nil {
		return o, err
	}
	id, err := s.ID(account)
	if err != nil {
		return o, err
	}
	if o.records, err = o.keys.Append(nil, id, noKey, allKeys); err != nil {
		return o, err
	}
	o.hidden, o.hides, err = s.RowID(HiddenField, HiddenRow)
	return o, err
}

// shows reports whether the edge of a record is listed there: at the first record of its target, if
// that is not hidden.
func (o *ordered) shows(at int, hidden bool) (bool, error) {
	if o.first == nil {
		o.findRepeated()
	}
	target := o.records[at].Target
	if first, ok := o.first[target]; ok && first != at {
		return false, nil
	}
	if hidden || !o.hides {
		return true, nil
	}
	is, err := o.snapshot.HasRow(o.hidden, target)
	return !is, err
}

// findRepeated finds the targets that have several records. Few accounts have such: a filter of
// bits finds most that have one only.
func (o *ordered) findRepeated() {
	size := 64
	for size < 16*len(o.records) {
		size *= 2
	}
	seen, maybe := make([]uint64, size/64), make(map[uint64]bool)
	for _, k := range o.records {
		bit := k.Target * 0x9e3779b97f4a7c15 >> 32 & uint64(size-1)
		if seen[bit/64]&(1<<(bit%64)) != 0 {
			maybe[bit] = true
		}
		seen[bit/64] |= 1 << (bit % 64)
	}
	o.first = make(map[uint64]int, len(maybe))
	if len(maybe) == 0 {
		return
	}
	for i, k := range o.records {
		if maybe[k.Target*0x9e3779b97f4a7c15>>32&uint64(size-1)] {
			if _, ok := o.first[k.Target]; !ok {
				o.first[k.Target] = i
			}
		}
	}
}

// edge returns the edge of a record.
func (o *ordered) edge(at int) (Edge, error) {
	target, err := o.snapshot.Key(o.records[at].Target)
	if err != nil {
		return Edge{}, err
	}
	key, err := o.keys.AppendText(nil, o.records[at].Key)
	return Edge{Target: target, Key: string(key)}, err
}
