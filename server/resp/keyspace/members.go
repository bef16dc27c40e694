// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
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
	names []string // in the place of expr, if listed
	// listed says that one of the sets was written to by the same transaction, so that not all
	// members have IDs.
	listed bool
	first  *uproar.IDs    // of expr, once read
	set    *bitmap.Bitmap // of expr, once settled
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
	clean := true
	for i, r := range rows {
		of[i], clean = r.base(), clean && r.clean()
	}
	if !clean && !st.Atomic {
		return nil, ErrLater
	}
	if !clean {
		return st.list(op, rows)
	}
	m := &Members{st: st}
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

// list combines sets member by member.
func (st *State) list(op operation, rows []*Row) (*Members, error) {
	counts := make(map[string]int)
	m := &Members{st: st, listed: true}
	for i, r := range rows {
		names, err := r.names()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			n, seen := counts[name]
			switch {
			case op == union && !seen:
				m.names = append(m.names, name)
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
		if op == intersection && n == len(rows) || op == difference {
			m.names = append(m.names, name)
		}
	}
	return m, nil
}

// names returns all members, those that were added last.
func (r *Row) names() (names []string, err error) {
	base := &Members{st: r.st, expr: r.base()}
	err = base.eachName(func(name string) error {
		if _, changed := r.changed[name]; !changed {
			names = append(names, name)
		}
		return nil
	})
	for name, in := range r.changed {
		if in {
			names = append(names, name)
		}
	}
	return names, err
}

// page reads the first members, as many as are read together.
func (m *Members) page() (*uproar.IDs, error) {
	if m.first != nil {
		return m.first, nil
	}
	ids, err := m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{Limit: pageOfMembers})
	if err != nil {
		return nil, err
	}
	m.first = &ids
	return m.first, nil
}

// Count returns how many members there are, or limit if there are more; 0: no limit.
func (m *Members) Count(limit uint64) (n uint64, err error) {
	switch {
	case m.listed:
		n = uint64(len(m.names))
	case limit > 0 && limit <= pageOfMembers:
		ids, err := m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{Limit: int(limit)})
		return uint64(len(ids.IDs)), err
	default:
		n, err = m.st.snap.Count(m.st.ctx, m.expr)
	}
	if limit > 0 {
		n = min(n, limit)
	}
	return n, err
}

// Len returns how many members there are, and reads the first of them.
func (m *Members) Len() (uint64, error) {
	if m.listed {
		return uint64(len(m.names)), nil
	}
	first, err := m.page()
	if err != nil || !first.More {
		return uint64(len(first.IDs)), err
	}
	return m.st.snap.Count(m.st.ctx, m.expr)
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
	if m.listed {
		for _, name := range m.names {
			if err := fn(name); err != nil {
				return err
			}
		}
		return nil
	}
	page, err := m.page()
	for {
		if err != nil {
			return err
		}
		keys, err := m.st.snap.KeysOf(page.IDs)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := fn(key); err != nil {
				return err
			}
		}
		if !page.More {
			return nil
		}
		next, err := m.st.snap.IDs(m.st.ctx, m.expr, uproar.Page{From: page.Next, Limit: pageOfMembers})
		if err != nil {
			return err
		}
		page = &next
	}
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

// settle finds the members before the sets change that they are of. Errors: ErrTransaction.
func (m *Members) settle() (err error) {
	if m.set != nil {
		return nil
	}
	if !m.listed {
		if m.set, err = m.st.snap.Bitmap(m.st.ctx, m.expr); err != nil {
			return err
		}
	}
	if m.st.Atomic && m.large() {
		return ErrTransaction
	}
	if m.listed {
		return nil
	}
	m.expr, m.first = query.Bitmap{Bytes: m.set.Bytes()}, nil
	return nil
}

// replace puts members that are settled into an empty set.
func (r *Row) replace(m *Members) error {
	if m.listed {
		for _, name := range m.names {
			if err := r.add(name); err != nil {
				return err
			}
		}
		return nil
	}
	set := m.set
	if set.IsEmpty() {
		return nil
	}
	r.stored = set
	r.st.touched[r.name] = true
	r.st.batch.SetIDs(memberField, r.name, set.AppendTo(nil))
	r.st.bytes += 8 * int(set.Len())
	return nil
}

// large reports whether there are too many members for the commit of a command.
func (m *Members) large() bool {
	return m.set != nil && m.set.Len() > storedAtOnce || m.listed && len(m.names) > storedAtOnce
}
