// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/store/memstore"
)

// open makes a catalog of records.
func open(t testing.TB, schema string, records ...catalog.Record) (*uproar.DB, *catalog.Catalog) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	replace(t, db, schema, records...)
	c, err := catalog.Open(db, "rules")
	if err != nil {
		t.Fatal(err)
	}
	return db, c
}

// replace replaces all records of the catalog.
func replace(t testing.TB, db *uproar.DB, schema string, records ...catalog.Record) {
	t.Helper()
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "rules", parsed, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	for i := range records {
		if err := r.Add(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Every answer is that of a plain look at all records: random rules, searches of random subsets of
// conditions, some of them without an answer or with several; records that are loaded, put in the
// place of others, and deleted, in pages and in the delta.
func TestModel(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	kinds := map[catalog.Kind]int{}
	defer func() {
		if len(kinds) < 3 {
			t.Errorf("got the kinds of answers %v, want all three", kinds)
		}
	}()
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := model{}
		var loaded []catalog.Record
		for i := range 40 + 100*r.IntN(2) {
			record := randomRecord(r, fmt.Sprintf("r%03d", i))
			loaded, m[record.Key] = append(loaded, record), record
		}
		r.Shuffle(len(loaded), func(i, k int) { loaded[i], loaded[k] = loaded[k], loaded[i] })
		_, c := open(t, rulesSchema, loaded...)
		for step := range 4 {
			if err := c.Ask(t.Context(), func(s catalog.Snapshot) error {
				checkModel(t, r, m, s, kinds)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			change := randomChange(r, m)
			if _, err := c.Write(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if step == 1 {
				index, err := c.Index()
				if err != nil {
					t.Fatal(err)
				}
				if err := index.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// randomChange changes some of the records of a model.
func randomChange(r *rand.Rand, m model) (change catalog.Change) {
	for range 5 {
		key := fmt.Sprintf("r%03d", r.IntN(160))
		if r.IntN(3) == 0 {
			change.Delete = append(change.Delete, key)
			delete(m, key)
		}
	}
	for range 8 {
		record := randomRecord(r, fmt.Sprintf("r%03d", r.IntN(160)))
		if !slices.ContainsFunc(change.Put, func(p catalog.Record) bool { return p.Key == record.Key }) {
			change.Put, m[record.Key] = append(change.Put, record), record
		}
	}
	return change
}

// checkModel asks everything that a snapshot answers, and counts the kinds of answers.
func checkModel(t *testing.T, r *rand.Rand, m model, s catalog.Snapshot, kinds map[catalog.Kind]int) {
	t.Helper()
	ctx := t.Context()
	var a catalog.Answer
	for range 60 {
		search := randomSearch(r)
		if err := s.Search(ctx, &a, 1000, search...); err != nil {
			t.Fatalf("%s: %v", describe(search), err)
		}
		keys, err := s.Keys(a.IDs)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(keys)
		want := m.search(search)
		if !slices.Equal(keys, want) || int(a.Kind) != min(len(want), 2) || a.More {
			t.Fatalf("%s: got %v %v, want %v", describe(search), a.Kind, keys, want)
		}
		kinds[a.Kind]++
		if a.Kind == catalog.Several {
			checkSeveral(t, m, s, search, want)
		}
		checkFacets(t, m, s, search)
		checkSorted(t, r, m, s, search)
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		checkRecord(t, s, m[key])
	}
}

// checkSeveral checks what a search that finds several says.
func checkSeveral(t *testing.T, m model, s catalog.Snapshot, search []catalog.Condition, keys []string) {
	t.Helper()
	var a catalog.Answer
	if err := s.Search(t.Context(), &a, 2, search...); err != nil || len(a.IDs) != 2 || a.More != (len(keys) > 2) {
		t.Fatalf("%s: got %d records, more %v, %v, want 2 of %d", describe(search), len(a.IDs), a.More, err, len(keys))
	}
	ids, err := s.Tied(t.Context(), search...)
	if err != nil || len(ids) != len(keys) {
		t.Fatalf("%s: got %d records tied, %v, want %d", describe(search), len(ids), err, len(keys))
	}
	got, err := s.Deciding(t.Context(), ids, search...)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"shop", "customer type", "quantity", "day", "size", "colour"} {
		if slices.ContainsFunc(search, func(c catalog.Condition) bool { return c.Attribute == name }) {
			continue
		}
		shapes := map[string]bool{}
		for _, key := range keys {
			record := m[key]
			c, ok := has(&record, name)
			slices.Sort(c.In)
			slices.Sort(c.Not)
			shapes[fmt.Sprint(c, ok, c.In, c.Not)] = true
		}
		if len(shapes) > 1 {
			want = append(want, name)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: got the deciding attributes %v of %v, want %v", describe(search), got, keys, want)
	}
}

// checkFacets checks the facets of two attributes.
func checkFacets(t *testing.T, m model, s catalog.Snapshot, search []catalog.Condition) {
	t.Helper()
	facets, records, err := s.Facets(t.Context(), []string{"shop", "quantity"}, 0, search...)
	if err != nil {
		t.Fatal(err)
	}
	fitting := m.fitting(search)
	shop, in, not := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	free, ranges := uint64(0), uint64(0)
	for i := range fitting {
		if c, ok := has(&fitting[i], "shop"); ok {
			shop[c.Value]++
		}
		c, ok := has(&fitting[i], "quantity")
		switch {
		case !ok:
			free++
		case c.From != "" || c.To != "":
			ranges++
		case c.Value != "":
			in[c.Value]++
		}
		for _, v := range c.In {
			in[v]++
		}
		for _, v := range c.Not {
			not[v]++
		}
	}
	counts := func(values []catalog.Value) map[string]uint64 {
		m := map[string]uint64{}
		for _, v := range values {
			m[v.Value] = v.Count
		}
		return m
	}
	q := facets[1]
	if records != uint64(len(fitting)) || !maps.Equal(counts(facets[0].Values), shop) ||
		!maps.Equal(counts(q.Values), in) || !maps.Equal(counts(q.Excluded), not) || q.Any != free ||
		q.Ranges != ranges {
		t.Fatalf("%s: got facets %+v of %d, want %v, %v, %v, %d, %d", describe(search), facets, records, shop, in, not,
			free, ranges)
	}
}

// checkSorted checks the order by a number and by a text.
func checkSorted(t *testing.T, r *rand.Rand, m model, s catalog.Snapshot, search []catalog.Condition) {
	t.Helper()
	by := catalog.Order{Attribute: []string{"price", "colour", "size"}[r.IntN(3)], Descending: r.IntN(2) == 0}
	ids, records, err := s.Sorted(t.Context(), by, 0, 0, search...)
	fitting := m.fitting(search)
	if err != nil || records != len(fitting) || len(ids) != records {
		t.Fatalf("%s: got %d of %d records, %v, want %d", describe(search), len(ids), records, err, len(fitting))
	}
	last, hadNone := "", false
	for i, id := range ids {
		record, err := s.Record(id)
		if err != nil {
			t.Fatal(err)
		}
		c, ok := has(&record, by.Attribute)
		if !ok {
			hadNone = true
			continue
		}
		if wrong := less(by.Attribute, c.Value, last); hadNone || i > 0 && c.Value != last && wrong != by.Descending {
			t.Fatalf("%s: by %+v: got %s behind %s", describe(search), by, c.Value, last)
		}
		last = c.Value
	}
	if part, _, err := s.Sorted(t.Context(), by, 1, 2, search...); err != nil ||
		!slices.Equal(part, ids[min(1, len(ids)):min(3, len(ids))]) {
		t.Fatalf("%s: got the part %v of %v, %v", describe(search), part, ids, err)
	}
}

// checkRecord checks that a record is read as it was put.
func checkRecord(t *testing.T, s catalog.Snapshot, want catalog.Record) {
	t.Helper()
	id, err := s.ID(want.Key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Record(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*catalog.Record{&got, &want} {
		r.Conditions = slices.Clone(r.Conditions)
		for i := range r.Conditions {
			c := &r.Conditions[i]
			if c.In, c.Not = slices.Sorted(slices.Values(c.In)), slices.Sorted(slices.Values(c.Not)); len(c.In) == 1 {
				c.Value, c.In = c.In[0], nil
			}
		}
		slices.SortFunc(r.Conditions, func(a, b catalog.Condition) int {
			return strings.Compare(a.Attribute, b.Attribute)
		})
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Fatalf("got record %+v, want %+v", got, want)
	}
}

func TestReplace(t *testing.T) {
	value := func(key, colour string) catalog.Record {
		return catalog.Record{Key: key, Conditions: []catalog.Condition{{Attribute: "colour", Value: colour}}}
	}
	const before, after = `{"attributes": [{"name": "colour"}]}`,
		`{"attributes": [{"name": "colour"}, {"name": "size"}]}`
	db, c := open(t, before, value("a", "red"))
	// Searches go on while the records are replaced again and again: each sees one set of them or
	// another, and none fails.
	done := make(chan error, 1)
	stop := make(chan struct{})
	go func() {
		var a catalog.Answer
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			err := c.Ask(t.Context(), func(s catalog.Snapshot) error {
				return s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "colour", Value: "red"})
			})
			if err != nil || a.Kind != catalog.One {
				done <- fmt.Errorf("got %v, %w, want one record", a.Kind, err)
				return
			}
		}
	}()
	for i := range 10 {
		replace(t, db, after, value(fmt.Sprint("b", i), "red"), value("c", "blue"))
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if indexes := db.Indexes(); len(indexes) != 1 {
		t.Errorf("got the indexes %v, want one", indexes)
	}
	schema, err := c.Schema()
	if err != nil || len(schema.Attributes) != 2 {
		t.Errorf("got %+v, %v, want the second schema", schema, err)
	}

	// One that is given up leaves nothing, and one at a time is made.
	parsed, err := catalog.ParseSchema([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "rules", parsed, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalog.Replace(t.Context(), db, "rules", parsed, catalog.ReplaceOptions{}); !errors.Is(err,
		catalog.ErrReplacing) {
		t.Errorf("got %v, want ErrReplacing", err)
	}
	one := value("x", "red")
	if err := r.Add(&one); err != nil {
		t.Fatal(err)
	}
	if err := r.Add(&one); !errors.Is(err, catalog.ErrTwice) {
		t.Errorf("got %v, want ErrTwice", err)
	}
	r.Abort()
	if indexes := db.Indexes(); len(indexes) != 1 {
		t.Errorf("got the indexes %v, want one", indexes)
	}
	if names := catalog.List(db); !slices.Equal(names, []string{"rules"}) {
		t.Errorf("got the catalogs %v", names)
	}
	if _, err := catalog.Open(db, "none"); !errors.Is(err, catalog.ErrUnknownCatalog) {
		t.Errorf("got %v, want ErrUnknownCatalog", err)
	}
}

// TestFormsOfValues checks that records and searches may have values in any exact form. Answers
// have one form.
func TestFormsOfValues(t *testing.T) {
	const schema = `{"attributes": [{"name": "n", "type": "number", "scale": 2, "rule": true},
		{"name": "day", "type": "date"}, {"name": "at", "type": "time", "rule": true}]}`
	_, c := open(t, schema, catalog.Record{Key: "a", Conditions: []catalog.Condition{
		{Attribute: "n", From: "1e1", To: "12.500"}, {Attribute: "day", Value: "2026-01-31 00:00:00"},
		{Attribute: "at", Value: "2026-01-31 13:00:00+01:00"}}})
	s, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	search := func(n, day, at string) (catalog.Answer, error) {
		var a catalog.Answer
		err := s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "n", Value: n},
			catalog.Condition{Attribute: "day", Value: day}, catalog.Condition{Attribute: "at", Value: at})
		return a, err
	}
	for _, v := range [][3]string{
		{"10", "2026-01-31", "2026-01-31T12:00:00Z"}, {"+1.25e1", "2026-01-31T00:00:00Z", "2026-01-31t12:00:00.000z"},
		{"11.990", "2026-01-31 00:00:00", "2026-01-31 07:00:00-05:00"},
	} {
		if a, err := search(v[0], v[1], v[2]); err != nil || a.Kind != catalog.One {
			t.Errorf("%q: got %+v, %v, want a", v, a, err)
		}
	}
	for _, v := range [][4]string{
		{"1.505", "2026-01-31", "2026-01-31T12:00:00Z", "at most 2 digits after the point"},
		{"92233720368547758.08", "2026-01-31", "2026-01-31T12:00:00Z", "want a number from -92233720368547758.08"},
		{"10", "2026-01-31 10:00:00", "2026-01-31T12:00:00Z", "or its midnight"},
		{"10", "2026-01-31", "2026-01-31T12:00:00.5Z", "in whole seconds"},
		{"10", "2026-01-31", "9999-12-31T23:59:59-23:00", "in the years 0 to 9999"},
	} {
		if a, err := search(v[0], v[1], v[2]); err == nil || !strings.Contains(err.Error(), v[3]) {
			t.Errorf("%q: got %+v, %v, want an error with %q", v, a, err, v[3])
		}
	}
	_, err = c.Write(t.Context(), catalog.Change{Put: []catalog.Record{{Key: "b", Conditions: []catalog.Condition{
		{Attribute: "at", To: "9999-12-31T23:59:59-23:00"}}}}})
	if !errors.As(err, new(*catalog.CheckError)) {
		t.Errorf("a time that cannot be written: got %v, want a CheckError", err)
	}
}

func TestErrors(t *testing.T) {
	_, c := open(t, rulesSchema, catalog.Record{Key: "a"})
	s, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var a catalog.Answer
	for text, condition := range map[string]catalog.Condition{
		"unknown attribute":   {Attribute: "weight", Value: "1"},
		"want a number":       {Attribute: "quantity", Value: "many"},
		"want a day":          {Attribute: "day", Value: "2026-02-30"},
		"for a rule":          {Attribute: "day", From: "2026-02-01"},
		"range of texts":      {Attribute: "shop", From: "a"},
		"value, in, not":      {Attribute: "shop", Value: "a", Not: []string{"b"}},
		"got \"x\", want a n": {Attribute: "size", To: "x"},
	} {
		if err := s.Search(t.Context(), &a, 2, condition); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: got %v, want %q", condition, err, text)
		}
		if _, err := c.Write(t.Context(), catalog.Change{Put: []catalog.Record{{Key: "b",
			Conditions: []catalog.Condition{condition}}}}); text != "for a rule" &&
			!errors.As(err, new(*catalog.CheckError)) {
			t.Errorf("put %+v: got %v, want a CheckError", condition, err)
		}
	}
	for _, schema := range []string{``, `{}`, `{"attributes": [{"name": ""}]}`,
		`{"attributes": [{"name": "a"}, {"name": "a"}]}`, `{"attributes": [{"name": "a-b"}, {"name": "a b"}]}`,
		`{"attributes": [{"name": "a", "type": "colour"}]}`,
		`{"attributes": [{"name": "a"}], "combined": [["a", "b"]]}`,
		`{"attributes": [{"name": "a", "rule": true}, {"name": "a not"}]}`,
		`{"attributes": [{"name": "a", "scale": 2}]}`, `{"attributes": [{"name": "a"}], "more": 1}`,
		`{"attributes": [{"name": "a"}]} x`} {
		if _, err := catalog.ParseSchema([]byte(schema)); !errors.Is(err, catalog.ErrSchema) {
			t.Errorf("%s: got %v, want ErrSchema", schema, err)
		}
	}
}
