// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// describe adds to queries of an index what stands beside their results.
func describe(ctx context.Context, db *uproar.DB, index string, list []Query) error {
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	handled := keeping.handled(db, index) // and written, before it is looked for
	members, err := open(ctx, db, membersOf(index), memberFields, false)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return nil
	}
	if err != nil {
		return err
	}
	s := members.Snapshot()
	defer s.Close()
	kept, _, err := asOf(s)
	if err != nil {
		return err
	}
	known := hasStates(members)
	for i := range list {
		q := &list[i]
		if q.Records, err = s.Count(ctx, query.Equal{Field: inField, Value: q.Name}); err != nil {
			return err
		}
		if !known {
			continue
		}
		failing, err := stateOf(s, q.Name)
		if err != nil {
			return err
		}
		n, err := s.Count(ctx, query.Equal{Field: askedField, Value: hashOf(ix, q.Name, q.Text)})
		if err != nil {
			return err
		}
		switch q.Error = failing.text; {
		case n == 0:
		case failing.text != "":
			q.AsOf = failing.right
		default:
			q.AsOf = max(kept, handled)
		}
	}
	return nil
}

// state says that a query cannot be asked, and why.
type state struct {
	text  string // "": it can be asked
	right uint64 // the commit that its records are of
}

// stateOf returns that of a query.
func stateOf(s uproar.Snapshot, name string) (of state, err error) {
	text, ok, err := s.Value(errorField, name)
	if errors.Is(err, uproar.ErrUnknownRecord) || err == nil && !ok {
		return of, nil
	}
	if err != nil {
		return of, err
	}
	right, _, err := s.Int(rightField, name)
	return state{text, uint64(right)}, err
}

// states are what stands beside the results of all queries.
type states struct {
	asked   map[string]bool
	failing map[string]state // by query
}

// read reads the states that stand.
func (st *states) read(ctx context.Context, members uproar.Snapshot) error {
	st.asked, st.failing = make(map[string]bool), make(map[string]state)
	for row, err := range members.Rows(ctx, askedField) {
		if err != nil {
			return err
		}
		st.asked[row.Key] = true
	}
	keys, err := members.Keys(ctx, query.Any{Field: errorField}, uproar.Page{})
	for _, name := range keys.Keys {
		if err == nil {
			st.failing[name], err = stateOf(members, name)
		}
	}
	return err
}

// states returns what is to stand once the round is written.
func (k *rounds) states() states {
	is := states{asked: make(map[string]bool), failing: make(map[string]state)}
	for name, q := range k.queries {
		if q.text == "" { // dropped
			continue
		}
		hash := hashOf(k.index, name, q.text)
		asked := k.stand.asked[hash]
		if asked || q.failed == "" && !q.unasked {
			is.asked[hash] = true
		}
		if q.failed == "" {
			continue
		}
		before := k.stand.failing[name]
		switch {
		case !asked:
			before.right = 0
		case before.text == "":
			before.right = k.asked
		}
		is.failing[name] = state{q.failed[:min(len(q.failed), longest)], before.right}
	}
	return is
}

// equal reports whether two states are the same.
func (st *states) equal(other states) bool {
	return maps.Equal(st.asked, other.asked) && maps.Equal(st.failing, other.failing)
}

// change adds to a batch what makes others of the states.
func (st *states) change(b *uproar.Batch, to states) {
	for _, hash := range slices.Sorted(maps.Keys(to.asked)) {
		if !st.asked[hash] {
			b.Set(askedField, positionRecords[0], hash)
		}
	}
	for _, hash := range slices.Sorted(maps.Keys(st.asked)) {
		if !to.asked[hash] {
			b.Clear(askedField, positionRecords[0], hash)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(to.failing)) {
		if is := to.failing[name]; is != st.failing[name] {
			b.Set(errorField, name, is.text)
			b.SetInt(rightField, name, int64(is.right))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(st.failing)) {
		if _, fails := to.failing[name]; !fails {
			b.Unset(errorField, name)
			b.Unset(rightField, name)
		}
	}
}

// stay keeps the records of a query that cannot be asked. Those that are deleted meanwhile leave it
// when it can, and have no ID any more then.
func (k *rounds) stay(name string, q *standing, c *changes) {
	for id := range bitmap.And(q.found.View(), c.gone.View()).All() {
		q.found.Remove(id)
		k.gone = append(k.gone, gone{name, c.deleted[id]})
	}
}

// leaves reports whether a record that is gone may leave its query with this round.
func (k *rounds) leaves(x gone) bool {
	q := k.queries[x.name]
	return q == nil || q.failed == ""
}
