// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

// storedAtOnce is how many members a set may have to be stored in the commit of its command. A
// larger one is stored by a load after that.
const storedAtOnce = 1 << 17

// Members is what a combination of sets has. It is valid until something is written to the state.
type Members struct {
	st    *State
	expr  query.Expr
	ids   []uint64       // in the place of expr, if chosen
	names []string       // members beside: without IDs, as the same transaction has made them, or drawn
	first *uproar.IDs    // of expr, once read
	keys  []string       // the first of first, once begun
	set   *bitmap.Bitmap // of expr, once settled
}

// operation is a way to combine sets.
type operation uint8

const (
	intersection operation = iota
	union
	difference // the first without the others
)

// Intersect returns the members of all of some sets. Errors of the three: ErrWrongType, ErrLater.
func (st *State) Intersect(keys ...[]byte) (*Members, error) { return st.of(intersection, keys) }

// Unite returns the members of any of some sets.
func (st *State) Unite(keys ...[]byte) (*Members, error) { return st.of(union, keys) }

// Subtract returns the members of the first set that none of the others has.
func (st *State) Subtract(keys ...[]byte) (*Members, error) { return st.of(difference, keys) }

func (st *State) of(op operation, keys [][]byte) (*Members, error) {
	rows := make([]*Row, len(keys))
	for i, key := range keys {
		r, err := st.Row(key)
		if err != nil {
			return nil, err
		}
		rows[i] = r
	}
	return st.combine(op, rows)
}

// combine returns the members of a combination of sets.
func (st *State) combine(op operation, rows []*Row) (*Members, error) {
	of := make([]query.Expr, len(rows))
	var fresh [][]string // of each set
	for i, r := range rows {
		if of[i] = r.base(); r.clean() {
			continue
		}
		if !st.Atomic {
			return nil, ErrLater
		}
		if fresh == nil {
			fresh = make([][]string, len(rows))
		}
		var err error
		if of[i], fresh[i], err = r.changedBase(); err != nil {
			return nil, err
		}
	}
	m := &Members{st: st, names: combineNames(op, fresh)}
	switch {
	case len(of) == 1:
		m.expr = of[0]
	case op == intersection:
		m.expr = query.And{Of: of}
	case op == union:
		m.expr = query.Or{Of: of}
	default:
		m.expr = query.And{Of: []query.Expr{of[0], query.Not{Of: query.Or{Of: of[1:]}}}}
	}
	return m, nil
}

// changedBase returns the set as a query, and the members that it does not find: those without an
// ID, which are in no base.
func (r *Row) changedBase() (set query.Expr, fresh []string, err error) {
	if err := r.st.lookUp(slices.Collect(maps.Keys(r.changed))); err != nil {
		return nil, nil, err
	}
	in, out := bitmap.Of(), bitmap.Of()
	for name, is := range r.changed {
		id, ok, err := r.st.idOf(name)
		switch {
		case err != nil:
			return nil, nil, err
		case ok && is:
			in.Add(id)
		case ok:
			out.Add(id)
		case is:
			fresh = append(fresh, name)
		}
	}
	set = query.And{Of: []query.Expr{r.base(), query.Not{Of: query.Bitmap{Bytes: out.Bytes()}}}}
	return query.Or{Of: []query.Expr{set, query.Bitmap{Bytes: in.Bytes()}}}, fresh, nil
}

// combineNames combines the members of some sets.
func combineNames(op operation, sets [][]string) (names []string) {
	counts := make(map[string]int)
	for i, set := range sets {
		for _, name := range set {
			n, seen := counts[name]
			switch {
			case op == union:
				counts[name] = 1
			case op == intersection && n == i:
				counts[name] = i + 1
			case op == difference && i == 0:
				counts[name] = 0
			case op == difference && seen:
				delete(counts, name)
			}
		}
	}
	for name, n := range counts {
		if op != intersection || n == len(sets) {
			names = append(names, name)
		}
	}
	return names
}

// page reads the first members with IDs, as many as are read together.
func (m *Members) page() (*uproar.IDs, error) {
	switch {
	case m.first != nil:
	case m.expr == nil:
		m.first = &uproar.IDs{IDs: m.ids}
	default:
		ids, err := m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{Limit: pageOfMembers})
		if err != nil {
			return nil, err
		}
		m.first = &ids
	}
	return m.first, nil
}

// Count returns how many members there are, or limit if there are more; 0: no limit.
func (m *Members) Count(limit uint64) (n uint64, err error) {
	switch {
	case m.expr == nil:
		n = uint64(len(m.ids))
	case limit > 0 && limit <= pageOfMembers:
		var ids uproar.IDs
		ids, err = m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{Limit: int(limit)})
		n = uint64(len(ids.IDs))
	default:
		n, err = m.st.snap.Count(m.st.ctx, m.expr)
	}
	if n += uint64(len(m.names)); limit > 0 {
		n = min(n, limit)
	}
	return n, err
}

// Len returns how many members there are, and reads the first of them. Errors: of Memory.Grow,
// which later reading does not ask.
func (m *Members) Len() (n uint64, err error) {
	first, err := m.page()
	if err != nil {
		return 0, err
	}
	if n = uint64(len(first.IDs)); first.More {
		if n, err = m.st.snap.Count(m.st.ctx, m.expr); err != nil {
			return 0, err
		}
	}
	return n + uint64(len(m.names)), m.begin(first)
}

// begin reads the first members, and takes the memory for the rest.
func (m *Members) begin(first *uproar.IDs) (err error) {
	if len(first.IDs) == 0 || m.keys != nil {
		return nil
	}
	if m.keys, err = newPieces(m.st.ctx, m.st.snap).next(first.IDs); err != nil {
		return err
	}
	if len(m.keys) < len(first.IDs) || first.More {
		return m.st.Memory.take(streamBytes)
	}
	bytes := 0
	for _, key := range m.keys {
		bytes += 2 * len(key)
	}
	return m.st.Memory.take(bytes)
}

// Each calls fn with the bytes of each member, valid until it returns.
func (m *Members) Each(fn func(member []byte) error) error {
	var raw []byte
	return m.eachName(func(name string) error {
		raw = names.AppendRaw(raw[:0], []byte(name))
		return fn(raw)
	})
}

func (m *Members) eachName(fn func(name string) error) error {
	page, err := m.page()
	var p *pieces
	keys := m.keys
	for err == nil {
		for ids := page.IDs; len(ids) > 0; keys = nil {
			if keys == nil {
				if p == nil {
					p = newPieces(m.st.ctx, m.st.snap)
				}
				if keys, err = p.next(ids); err != nil {
					return err
				}
			}
			for _, key := range keys {
				if err := fn(key); err != nil {
					return err
				}
			}
			ids = ids[len(keys):]
		}
		if !page.More {
			break
		}
		var next uproar.IDs
		next, err = m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{From: page.Next, Limit: pageOfMembers})
		page = &next
	}
	for _, name := range m.names {
		if err == nil {
			err = fn(name)
		}
	}
	return err
}

// Store puts members in the place of a key, of whatever type, and returns how many there are. No
// members delete the key. Errors: ErrTooLong, ErrTransaction, ErrLater.
func (st *State) Store(key []byte, m *Members) (uint64, error) {
	name, err := st.nameOf(key)
	if err != nil {
		return 0, err
	}
	if err := put(st, largeStore{name: name}, m); err != nil {
		return 0, err
	}
	r, err := st.row(name)
	if err != nil {
		return 0, err
	}
	return r.Len()
}

// settle finds the members before the sets change that they are of. Errors: ErrTransaction, or of
// Memory.Grow.
func (m *Members) settle() (err error) {
	if m.set != nil {
		return nil
	}
	if m.set, err = m.st.snap.Bitmap(m.st.ctx, m.expr); err != nil {
		return err
	}
	if m.st.Atomic && m.large() {
		return ErrTransaction
	}
	encoded := m.set.Bytes()
	m.expr, m.first, m.keys = query.Bitmap{Bytes: encoded}, nil, nil
	held := 2 * len(encoded)
	if !m.large() {
		held += 8 * int(m.set.Len()) // of the batch
	}
	return m.st.Memory.take(held)
}

// replace puts members that are settled into an empty set.
func (r *Row) replace(m *Members) error {
	if set := m.set; !set.IsEmpty() {
		r.stored = set
		r.st.touched[r.name] = true
		r.st.batch.SetIDs(memberField, r.name, set.AppendTo(nil))
		r.st.bytes += 8 * int(set.Len())
		r.st.stored += set.Len()
	}
	for _, name := range m.names {
		if err := r.add(name); err != nil {
			return err
		}
	}
	return nil
}

// large reports whether there are too many members for the commit of a command.
func (m *Members) large() bool {
	return m.set != nil && m.set.Len()+uint64(len(m.names)) > storedAtOnce
}
