// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
)

// TestFieldsAddedAgain drops fields and adds them again. Searches find what stands in them now,
// alone and combined; older snapshots find what stood in them then.
func TestFieldsAddedAgain(t *testing.T) {
	record := func(key, a, b string) catalog.Record {
		return catalog.Record{Key: key, Conditions: []catalog.Condition{{Attribute: "a", Value: a},
			{Attribute: "b", Value: b}}}
	}
	db, c := open(t, `{"attributes": [{"name": "a"}, {"name": "b"}], "combined": [["a", "b"]]}`,
		record("first", "x", "y"), record("other", "x", "z"))
	index, err := c.Index()
	if err != nil {
		t.Fatal(err)
	}
	snapshot := func() catalog.Snapshot {
		t.Helper()
		s, err := c.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	check := func(what string, s catalog.Snapshot, key string) {
		t.Helper()
		for _, of := range [][]catalog.Condition{record("", "x", "y").Conditions, record("", "x", "y").Conditions[1:]} {
			for range 2 { // the second one knows the rows
				want := catalog.One
				if key == "" {
					want = catalog.Nothing
				}
				var a catalog.Answer
				if err := s.Search(t.Context(), &a, 2, of...); err != nil || a.Kind != want {
					t.Errorf("%s, %v: got %v, %v, want %v", what, of, a.Kind, err, want)
					continue
				}
				if a.Kind == catalog.One {
					if got, err := s.Key(a.One()); got != key || err != nil {
						t.Errorf("%s, %v: got %q, %v, want %q", what, of, got, err, key)
					}
				}
			}
		}
	}
	before := snapshot()
	check("at first", before, "first")
	for round := range 2 {
		for _, field := range index.Fields() {
			if err := db.DropField(t.Context(), index.Name(), field.Name); err != nil {
				t.Fatal(err)
			}
			if _, err := db.AddFields(t.Context(), index.Name(), uproar.Field{Name: field.Name, Type: field.Type,
				Column: field.Column}); err != nil {
				t.Fatal(err)
			}
		}
		empty := snapshot()
		check("added again", empty, "")
		key := fmt.Sprint("round ", round)
		if _, err := c.Write(t.Context(), catalog.Change{Put: []catalog.Record{record("filler", "p", "q"),
			record(key, "x", "y")}}); err != nil {
			t.Fatal(err)
		}
		check("written again", snapshot(), key)
		check("before that", empty, "")
		check("before all", before, "first")
		check("written again, once more", snapshot(), key)
	}
}
