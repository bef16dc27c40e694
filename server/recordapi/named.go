// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/streaming"
)

// namedList is records that are asked for by their keys, which are read while they are sent.
type namedList struct {
	of   *listing
	keys []string // that come next
	at   []int    // their places in ids, counted from 1; 0: there is no such record
	ids  []uint64
}

// named returns records in the order of their keys. Lines of JSON say which are missing; tables
// leave them out. ctx is for finding the records, sending for all that follows.
func named(ctx, sending context.Context, s uproar.Snapshot, keys []string, columns []column) (streaming.List, error) {
	l, err := newListing(sending, s, columns)
	if err != nil {
		return streaming.List{}, err
	}
	n := &namedList{of: l, keys: keys, at: make([]int, len(keys))}
	n.ids, err = lookUp(ctx, s, keys, n.at)
	return streaming.List{Columns: l.header, Next: n.next}, err
}

// next writes the next records.
func (l *namedList) next(out *streaming.Out) (more bool, err error) {
	l.of.isTable = out.IsTable()
	l.of.atOnce = min(2*l.of.atOnce, streaming.AtOnce)
	n, err := l.of.fitting(len(l.keys), func(n int) error { return l.write(out, n) })
	l.keys, l.at = l.keys[n:], l.at[n:]
	return len(l.keys) > 0, err
}

// write writes the next records, so many of those that are asked for.
func (l *namedList) write(out *streaming.Out, n int) error {
	var ids []uint64
	var keys []string
	for i, at := range l.at[:n] {
		if at > 0 {
			ids, keys = append(ids, l.ids[at-1]), append(keys, l.keys[i])
		}
	}
	if l.of.isTable {
		return l.of.rows(out, ids, keys)
	}
	l.of.count(keys)
	if err := l.of.read(ids); err != nil {
		return err
	}
	record := 0
	for i, key := range l.keys[:n] {
		out.Append(func(dst []byte) []byte {
			if l.at[i] == 0 {
				return appendMissing(dst, key)
			}
			record++
			return l.of.append(dst, key, record-1)
		})
	}
	return nil
}
