// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// peopleFields are the fields of the index people, which all tests here share.
var peopleFields = []uproar.Field{{Name: "country", Type: uproar.Single}, {Name: "tag", Type: uproar.Set},
	{Name: "age", Type: uproar.Integer}, {Name: "likes", Type: uproar.Relation, Inverse: "likers"}}

var peopleQueries = map[string]string{
	"swiss":     "country = ch",
	"adults":    "age >= 18 and not country = ch",
	"others":    "not tag in (a, b)",
	"liked":     "likes(p1) or likes(p2)",
	"likers":    "likes = p3 and any(age)",
	"friends":   "likes(country = de)",
	"two":       "at least 2 of (tag = a, tag = b, age < 30)",
	"vips":      "saved(vips) and country = ch",
	"nobody":    "nothing",
	"unvisited": "none(likes)",
	"prefixed":  "tag prefix b xor age between 20 and 40",
	"tagged":    "any(tag) and not likers(p4)",
}

// several says which of them may come as one event for several commits: what they find depends on
// what other records have.
var several = map[string]bool{"friends": true}

// op is one write. Integers are texts.
type op struct {
	kind                 uproar.ChangeKind
	field, record, value string
}

// randomOps returns the writes of a batch.
func randomOps(rng *rand.Rand) (ops []op) {
	person := func() string { return fmt.Sprint("p", rng.IntN(40)) }
	letter := func() string { return []string{"a", "b", "c"}[rng.IntN(3)] }
	for range 1 + rng.IntN(4) {
		switch rng.IntN(13) {
		case 0:
			ops = append(ops, op{uproar.ChangeDeleteRecord, "", person(), ""})
		case 1:
			row := [][2]string{{"tag", "a"}, {"likes", "p1"}, {"country", "ch"}, {uproar.SavedField, "vips"},
				{"likers", "p3"}}[rng.IntN(5)]
			ops = append(ops, op{uproar.ChangeDeleteRow, row[0], "", row[1]})
		case 2:
			ops = append(ops, op{uproar.ChangeAddRecord, "", person(), ""})
		case 3:
			ops = append(ops, op{uproar.ChangeSet, "age", person(), strconv.Itoa(rng.IntN(60))})
		case 4:
			ops = append(ops, op{uproar.ChangeUnset, []string{"age", "country"}[rng.IntN(2)], person(), ""})
		case 5, 6:
			ops = append(ops, op{uproar.ChangeSet, "country", person(), []string{"ch", "de", "fr"}[rng.IntN(3)]})
		case 7:
			ops = append(ops, op{uproar.ChangeSet, "tag", person(), letter()})
		case 8:
			ops = append(ops, op{uproar.ChangeClear, "tag", person(), letter()})
		case 9, 10:
			ops = append(ops, op{uproar.ChangeSet, "likes", person(), person()})
		case 11:
			ops = append(ops, op{uproar.ChangeClear, "likes", person(), person()})
		case 12:
			ops = append(ops, op{uproar.ChangeSet, uproar.SavedField, person(), "vips"})
		}
	}
	return ops
}

// batchOf returns writes as the database takes them.
func batchOf(ops []op) *uproar.Batch {
	var b uproar.Batch
	for _, o := range ops {
		switch o.kind {
		case uproar.ChangeDeleteRecord:
			b.DeleteRecord(o.record)
		case uproar.ChangeDeleteRow:
			b.DeleteRow(o.field, o.value)
		case uproar.ChangeAddRecord:
			b.AddRecord(o.record)
		case uproar.ChangeSet:
			b.Set(o.field, o.record, o.value)
		case uproar.ChangeClear:
			b.Clear(o.field, o.record, o.value)
		case uproar.ChangeUnset:
			b.Unset(o.field, o.record)
		}
	}
	return &b
}

// model is people as a plain map: the values of each in each field, relations in both directions.
type model map[string]map[string]map[string]bool

// apply applies a batch.
func (m model) apply(ops []op) {
	make1 := func(record string) map[string]map[string]bool {
		if m[record] == nil {
			m[record] = make(map[string]map[string]bool)
		}
		return m[record]
	}
	put := func(record, field, value string) {
		if of := make1(record); of[field] == nil {
			of[field] = make(map[string]bool)
		}
		m[record][field][value] = true
	}
	inverse := map[string]string{"likes": "likers", "likers": "likes"}
	for _, o := range ops {
		switch o.kind {
		case uproar.ChangeDeleteRecord:
			delete(m, o.record)
			for _, of := range m {
				delete(of["likes"], o.record)
				delete(of["likers"], o.record)
			}
		case uproar.ChangeDeleteRow:
			for record, of := range m {
				switch other := inverse[o.field]; {
				case other == "":
					delete(of[o.field], o.value)
				case record == o.value:
					delete(of, o.field)
				}
				if other := inverse[o.field]; other != "" {
					delete(of[other], o.value)
				}
			}
		case uproar.ChangeAddRecord:
			make1(o.record)
		case uproar.ChangeSet:
			if o.field == "country" || o.field == "age" || o.field == "batch" {
				delete(make1(o.record), o.field)
			}
			put(o.record, o.field, o.value)
			if other := inverse[o.field]; other != "" {
				put(o.value, other, o.record)
			}
		case uproar.ChangeClear:
			delete(m[o.record][o.field], o.value)
			if other := inverse[o.field]; other != "" {
				delete(m[o.value][other], o.record)
			}
		case uproar.ChangeUnset:
			delete(m[o.record], o.field)
		}
	}
}

// find evaluates a query, record by record.
func (m model) find(t testing.TB, text string) map[string]bool {
	t.Helper()
	e, err := query.Parse(text)
	must(t, err)
	found := make(map[string]bool)
	for record := range m {
		if m.fits(t, e, record) {
			found[record] = true
		}
	}
	return found
}

// fits reports whether a query fits a record.
func (m model) fits(t testing.TB, e query.Expr, record string) bool {
	count := func(of []query.Expr) (n int) {
		for _, e := range of {
			if m.fits(t, e, record) {
				n++
			}
		}
		return n
	}
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		must(t, err)
		return n
	}
	some := func(of map[string]bool, yes func(string) bool) bool {
		for value := range of {
			if yes(value) {
				return true
			}
		}
		return false
	}
	of := m[record]
	switch e := e.(type) {
	case query.And:
		return count(e.Of) == len(e.Of)
	case query.Or:
		return count(e.Of) > 0
	case query.Xor:
		return count(e.Of)%2 == 1
	case query.AtLeast:
		return count(e.Of) >= e.N
	case query.Not:
		return !m.fits(t, e.Of, record)
	case query.All:
		return true
	case query.Nothing:
		return false
	case query.Equal:
		return of[e.Field][e.Value]
	case query.Any:
		return len(of[e.Field]) > 0
	case query.Prefix:
		return some(of[e.Field], func(v string) bool { return strings.HasPrefix(v, e.Value) })
	case query.Saved:
		return of[uproar.SavedField][e.Name]
	case query.Related:
		return m[e.Key][e.Field][record]
	case query.Between:
		return some(of[e.Field], func(v string) bool {
			return number(v) >= number(e.From) && number(v) <= number(e.To)
		})
	case query.Compare:
		return some(of[e.Field], func(v string) bool {
			return e.Order == query.Less && number(v) < number(e.Value) ||
				e.Order == query.GreaterEqual && number(v) >= number(e.Value)
		})
	case query.Through:
		for other := range m {
			if m[other][e.Field][record] && m.fits(t, e.Of, other) {
				return true
			}
		}
		return false
	}
	t.Fatalf("the model does not know %T", e)
	return false
}

// findAll evaluates all queries.
func (m model) findAll(t testing.TB) map[string]map[string]bool {
	t.Helper()
	found := make(map[string]map[string]bool)
	for name, text := range peopleQueries {
		found[name] = m.find(t, text)
	}
	return found
}

// follower applies the events of a query, and holds each to what the query finds as of its commit.
type follower struct {
	name     string
	found    map[string]bool
	position uint64
	told     map[uint64]bool // the commits of the events
	events   int
}

func newFollower(name string) *follower {
	return &follower{name: name, found: make(map[string]bool), told: make(map[uint64]bool)}
}

// apply applies an event: nobody enters who is there, nobody leaves who is not, and then the
// records are those of the commit. wanted returns them, if they are known.
func (f *follower) apply(e Event, wanted func(commit uint64) (map[string]bool, bool)) error {
	if e.Position <= f.position {
		return fmt.Errorf("%s: got position %d behind %d", f.name, e.Position, f.position)
	}
	f.position = e.Position
	f.events++
	for _, key := range e.Left {
		if !f.found[key] {
			return fmt.Errorf("%s: %s left at %d, where it was not", f.name, key, e.AsOf)
		}
		delete(f.found, key)
	}
	for _, key := range e.Entered {
		if f.found[key] {
			return fmt.Errorf("%s: %s entered at %d, where it was", f.name, key, e.AsOf)
		}
		f.found[key] = true
	}
	if e.AsOf == 0 { // which is for parts of very many changes alone
		return fmt.Errorf("%s: got no commit at position %d", f.name, e.Position)
	}
	f.told[e.AsOf] = true
	if want, ok := wanted(e.AsOf); ok && !maps.Equal(f.found, want) {
		return fmt.Errorf("%s as of %d: got %v, want %v", f.name, e.AsOf, f.found, want)
	}
	return nil
}
