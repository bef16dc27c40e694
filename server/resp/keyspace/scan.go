// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

// otherTypes is where the cursors of keys begin that are no sets.
const otherTypes = uint64(1) << 62

// ScanMembers returns about count members from a cursor on, and the next cursor; 0: that was the
// end. A cursor is a number above that of the last record, so that no member comes twice and each
// that stays is seen. Errors: ErrLater.
func (r *Row) ScanMembers(cursor uint64, count int) (members [][]byte, next uint64, err error) {
	st := r.st
	all, err := st.combine(union, []*Row{r})
	if err != nil {
		return nil, 0, err
	}
	bytes := 0
	add := func(name string) error {
		members = append(members, names.AppendRaw(nil, []byte(name)))
		bytes += len(name)
		return st.Memory.take(len(name))
	}
	if cursor == 0 {
		for _, name := range all.names { // which have no place in the order
			if err := add(name); err != nil {
				return nil, 0, err
			}
		}
	}
	page, err := st.snap.IDs(st.ctx, all.expr, uproar.Page{From: cursor, Limit: count})
	if err != nil {
		return nil, 0, err
	}
	p := newPieces(st.ctx, st.snap)
	for ids := page.IDs; len(ids) > 0; {
		list, err := p.next(ids)
		if err != nil {
			return nil, 0, err
		}
		for i, name := range list {
			if err := add(name); err != nil {
				return nil, 0, err
			}
			if bytes > scanBytes && i+1 < len(ids) {
				return members, ids[i] + 1, nil
			}
		}
		ids = ids[len(list):]
	}
	if page.More {
		next = page.Next
	}
	return members, next, nil
}

// Key is a key with its type.
type Key struct {
	Raw  []byte
	Type string
}

// ScanKeys returns about count keys from a cursor on, and the next cursor; 0: that was the end.
// Errors: ErrLater.
func (st *State) ScanKeys(cursor uint64, count int) (keys []Key, next uint64, err error) {
	if len(st.touched) > 0 && !st.Atomic {
		return nil, 0, ErrLater
	}
	if cursor == 0 {
		for name := range st.touched {
			raw := names.AppendRaw(nil, []byte(name))
			kind, err := st.Type(raw)
			if err != nil {
				return nil, 0, err
			}
			if kind != NoType {
				keys = append(keys, Key{raw, kind})
			}
		}
		count += len(keys)
	}
	if cursor < otherTypes {
		last, bytes := "", 0
		for row, err := range st.snap.RowsFrom(st.ctx, memberField, cursor) {
			if err != nil {
				return nil, 0, err
			}
			if len(keys) >= count || bytes > scanBytes {
				id, _, err := st.snap.RowID(memberField, last)
				return keys, id.Number() + 1, err
			}
			last = row.Key
			bytes += len(last)
			if st.visible(row.Key) {
				keys = append(keys, Key{names.AppendRaw(nil, []byte(row.Key)), SetType})
			}
		}
		cursor = otherTypes
	}
	if st.simple {
		return keys, 0, nil
	}
	page, err := st.snap.IDs(st.ctx, query.Any{Field: typeField},
		uproar.Page{From: cursor - otherTypes, Limit: max(count-len(keys), 1)})
	if err != nil {
		return nil, 0, err
	}
	list, err := st.snap.KeysOf(page.IDs)
	if err != nil {
		return nil, 0, err
	}
	for i, name := range list {
		kind, _, err := st.snap.AppendValueOf(nil, typeField, page.IDs[i])
		if err != nil {
			return nil, 0, err
		}
		key, _, ofMember, ok := names.Parse(name)
		if ok && !ofMember && st.visible(key) {
			keys = append(keys, Key{names.AppendRaw(nil, []byte(key)), string(kind)})
		}
	}
	if page.More {
		next = otherTypes + page.Next
	}
	return keys, next, nil
}

// visible reports whether a key is as it is stored. It is not if it was written to, or has ended on
// a copy that cannot delete it.
func (st *State) visible(name string) bool {
	if st.touched[name] {
		return false
	}
	a, err := st.attributesOf(name)
	if err != nil || a.kind != "" || st.batch != nil || st.simple || !st.space.OnlyReads() {
		return err != nil || a.kind != NoType
	}
	r, err := st.row(name) // whose members may have ended
	if err != nil {
		return true
	}
	n, err := r.Len()
	return err != nil || n > 0
}

// inKeys calls fn with the numbers of the rows that have members. Errors: errUnknown.
func (st *State) inKeys(fn func(rows *bitmap.Bitmap) error) error {
	s := st.space
	ix := s.index.Load()
	if ix == nil || s.OnlyReads() || st.batch != nil || s.sequence.Load() == unread { // what it sees may never be
		return errUnknown
	}
	return s.keys.in(st.ctx, s.db, ix, st.snap, fn)
}

// Size returns the number of keys. Cost: a walk over all of them the first time, after that a look
// at those that were written to. Errors: ErrLater.
func (st *State) Size() (n int64, err error) {
	if len(st.touched) > 0 && !st.Atomic {
		return 0, ErrLater
	}
	cursor := otherTypes
	if err = errUnknown; len(st.touched) == 0 {
		err = st.inKeys(func(rows *bitmap.Bitmap) error { n = int64(rows.Len()); return nil })
	}
	if errors.Is(err, errUnknown) {
		cursor, err = 0, nil
	}
	for err == nil {
		var keys []Key
		keys, cursor, err = st.ScanKeys(cursor, pageOfMembers)
		if n += int64(len(keys)); cursor == 0 {
			break
		}
	}
	return n, err
}

// RandomKey draws a key, each as likely as any other. ok is false if there is none. Errors:
// ErrLater.
func (st *State) RandomKey() (key []byte, ok bool, err error) {
	if len(st.touched) > 0 && !st.Atomic {
		return nil, false, ErrLater
	}
	row, n, cursor := "", uint64(0), otherTypes
	if err = errUnknown; len(st.touched) == 0 {
		err = st.inKeys(func(rows *bitmap.Bitmap) error {
			if n = rows.Len(); n == 0 {
				return nil
			}
			at, _ := rows.Select(rand.Uint64N(n))
			for x, err := range st.snap.RowsFrom(st.ctx, memberField, at) {
				row = x.Key
				return err
			}
			return nil
		})
	}
	if errors.Is(err, errUnknown) {
		cursor, err = 0, nil
	}
	if n > 0 {
		key, ok = names.AppendRaw(nil, []byte(row)), true
	}
	for err == nil {
		var keys []Key
		keys, cursor, err = st.ScanKeys(cursor, pageOfMembers)
		for _, other := range keys {
			if n++; rand.Uint64N(n) == 0 {
				key, ok = other.Raw, true
			}
		}
		if cursor == 0 {
			break
		}
	}
	return key, ok, err
}

// Times returns how many keys and members have a time.
func (st *State) Times() (uint64, error) {
	if st.simple {
		return 0, nil
	}
	return st.snap.Count(st.ctx, query.Any{Field: expiresField})
}

// clearedAtOnce is how many keys Clear deletes in a commit, if other commands may come between.
const clearedAtOnce = 1 << 16

// Clear deletes all keys. Errors: ErrLater, also after it has deleted some of very many.
func (st *State) Clear() error {
	cursor := uint64(0)
	var all []Key
	for {
		keys, next, err := st.ScanKeys(cursor, pageOfMembers)
		if err != nil {
			return err
		}
		all = append(all, keys...)
		if cursor = next; cursor == 0 || !st.Atomic && len(all) >= clearedAtOnce {
			break
		}
	}
	for _, key := range all {
		if _, err := st.Delete(key.Raw); err != nil {
			return err
		}
	}
	if cursor != 0 {
		return ErrLater
	}
	return nil
}

// Find returns the number of records of an index that a query fits, and calls fn with each, or with
// the first of them; limit 0: all, below 0: none. The index may be another than that of the sets.
// ctx may limit the query.
func (st *State) Find(ctx context.Context, index, text string, limit int, begin func(n uint64),
	fn func(key []byte) error) error {
	q, err := query.Parse(text)
	if err != nil {
		return err
	}
	snap := st.snap
	if index != st.space.name {
		ix, err := st.space.db.Index(index)
		if err != nil {
			return err
		}
		snap = ix.Snapshot()
		defer snap.Close()
	} else if len(st.touched) > 0 {
		return ErrLater
	}
	own := &State{ctx: ctx, snap: snap.Under(ctx), Memory: Memory{Grow: st.Memory.Grow}}
	defer own.Memory.Release()
	m := &Members{st: own, expr: q}
	n, err := m.Count(uint64(max(limit, 0)))
	if err != nil {
		return err
	}
	if limit >= 0 {
		first, err := m.page()
		if err == nil {
			err = m.begin(first)
		}
		if err != nil {
			return err
		}
	}
	begin(n)
	left := n
	if limit < 0 || n == 0 {
		return nil
	}
	err = m.eachName(func(name string) error {
		raw := []byte(name)
		if index == st.space.name {
			raw = names.AppendRaw(nil, raw)
		}
		if err := fn(raw); err != nil {
			return err
		}
		if left--; left == 0 {
			return errDone
		}
		return nil
	})
	if err == errDone {
		err = nil
	}
	return err
}
