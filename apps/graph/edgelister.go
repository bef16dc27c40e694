// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// edgeLister reads the records of an account in one state, in one of both orders. Not for
// concurrent use.
type edgeLister struct {
	snapshot uproar.Snapshot
	keys     uproar.EdgeKeys
	account  string
	id       uint64
	page     EdgesPage
	from     uint64 // where the next records begin, or that they are below
	done     bool

	hidden   uproar.RowID
	hides    bool              // anybody is hidden
	repeated []uint64          // targets that may have several records, ascending
	looked   bool              // for them
	first    map[uint64]uint64 // their first keys; nil: not known yet
}

// newEdgeLister begins where a page does. Errors: *CursorError, uproar.ErrUnknownRecord, or those
// of reading.
func newEdgeLister(s uproar.Snapshot, r Relation, account string, p EdgesPage) (l *edgeLister, err error) {
	l = &edgeLister{snapshot: s, account: account, page: p}
	if l.keys, err = s.EdgeKeys(string(r)); err != nil {
		return nil, err
	}
	l.from, err = parseCursor(l.keys, p.Cursor)
	switch {
	case err != nil:
		return nil, err
	case p.Oldest && p.Cursor != "":
		l.from++
	case !p.Oldest && p.Cursor == "":
		l.from = noKey
	}
	if l.id, err = s.ID(account); err != nil {
		return nil, err
	}
	l.hidden, l.hides, err = s.RowID(HiddenField, HiddenRow)
	return l, err
}

// next returns the next records in the order of the list, n or fewer. There are none after them if
// more is false.
func (l *edgeLister) next(n int) (records []uproar.EdgeKey, more bool, err error) {
	if l.done {
		return nil, false, nil
	}
	if l.page.Oldest {
		records, err = l.keys.AppendFrom(nil, l.id, l.from, n)
	} else {
		records, err = l.keys.Append(nil, l.id, l.from, n)
		slices.Reverse(records)
	}
	if l.done = len(records) < n; err != nil || l.done {
		return records, false, err
	}
	if l.from = records[n-1].Key; l.page.Oldest {
		l.from++
	}
	return records, true, nil
}

// lists reports whether the edge of a record is listed there: at the first record of its target, if
// that is not hidden.
func (l *edgeLister) lists(ctx context.Context, k uproar.EdgeKey) (bool, error) {
	if !l.looked {
		if err := l.readRepeated(ctx); err != nil {
			return false, err
		}
	}
	if len(l.repeated) > 0 {
		if first, err := l.firstKey(k); err != nil || first != k.Key {
			return false, err
		}
	}
	if l.page.Hidden || !l.hides {
		return true, nil
	}
	is, err := l.snapshot.HasRow(l.hidden, k.Target)
	return !is, err
}

// readRepeated reads which targets may have several records.
func (l *edgeLister) readRepeated(ctx context.Context) error {
	of := query.Related{Field: RepeatedField, Key: l.account}
	n, err := l.snapshot.CountAnd(ctx, of)
	if l.looked = true; err != nil || n == 0 {
		return err
	}
	repeated, err := l.snapshot.IDs(ctx, of, uproar.Page{})
	l.repeated = repeated.IDs
	return err
}

// firstKey returns the first key of the target that a record has.
func (l *edgeLister) firstKey(k uproar.EdgeKey) (uint64, error) {
	if _, ok := slices.BinarySearch(l.repeated, k.Target); !ok {
		return k.Key, nil
	}
	if l.first == nil {
		records, err := l.keys.Append(nil, l.id, noKey, allKeys)
		if err != nil {
			return 0, err
		}
		l.first = make(map[uint64]uint64, len(l.repeated))
		for _, k := range slices.Backward(records) {
			if _, ok := slices.BinarySearch(l.repeated, k.Target); ok {
				l.first[k.Target] = k.Key
			}
		}
	}
	return l.first[k.Target], nil
}

// edges returns the edges of records.
func (l *edgeLister) edges(records []uproar.EdgeKey) ([]Edge, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ids := make([]uint64, len(records))
	for i, k := range records {
		ids[i] = k.Target
	}
	targets, err := l.snapshot.KeysOf(ids)
	if err != nil {
		return nil, err
	}
	text, ends := make([]byte, 0, 16*len(records)), ids // which are read
	for i, k := range records {
		if text, err = l.keys.AppendText(text, k.Key); err != nil {
			return nil, err
		}
		ends[i] = uint64(len(text))
	}
	edges, all, start := make([]Edge, len(records)), string(text), uint64(0)
	for i, end := range ends {
		edges[i], start = Edge{Target: targets[i], Key: all[start:end]}, end
	}
	return edges, nil
}
