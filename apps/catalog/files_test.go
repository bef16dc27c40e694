// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/internal/table/tabletest"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestFiles imports every file of tabletest that has separated values.
func TestFiles(t *testing.T) {
	schema, err := catalog.ParseSchema([]byte(`{"key": "account", "attributes": [{"name": "target"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range tabletest.Files() {
		if f.NDJSON {
			continue
		}
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := catalog.Replace(t.Context(), db, "rules", schema, catalog.ReplaceOptions{MaxBad: 1, Empty: true})
		if err != nil {
			t.Fatal(err)
		}
		var bad []int64
		_, _, err = r.Read(t.Context(), catalog.Table{Bad: func(e *catalog.LineError) error {
			if errors.Is(e.Err, catalog.ErrTable) { // and not a key that was there
				bad = append(bad, e.Line)
			}
			return nil
		}}, strings.NewReader(f.Text))
		if f.Err != "" {
			if !errors.Is(err, catalog.ErrTable) || !strings.Contains(err.Error(), f.Err) {
				t.Errorf("%s: got %v, want ErrTable with %q", f.Name, err, f.Err)
			}
			r.Abort()
			db.Close()
			continue
		}
		if err == nil {
			err = r.Commit(t.Context())
		}
		if err != nil || !slices.Equal(bad, f.Bad) {
			t.Fatalf("%s: got bad lines %d, %v, want %d", f.Name, bad, err, f.Bad)
		}
		of, err := catalog.Open(db, "rules")
		if err != nil {
			t.Fatal(err)
		}
		snap, err := of.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range f.Rows {
			key, value, _ := strings.Cut(row, ">")
			id, err := snap.ID(key)
			if err != nil {
				t.Errorf("%s: %q: %v", f.Name, key, err)
				continue
			}
			if got, err := snap.Record(id); err != nil || len(got.Conditions) != 1 || got.Conditions[0].Value != value {
				t.Errorf("%s: %q: got %v, %v, want %q", f.Name, key, got, err, value)
			}
		}
		snap.Close()
		db.Close()
	}
}

// TestNumbers: a number of a table is one exactly, however it is written.
func TestNumbers(t *testing.T) {
	s, records, bad := imported(t,
		`{"key": "id", "priority": "p", "attributes": [{"name": "n", "type": "number"}, {"name": "d", "type": "number", "scale": 2, "rule": true}]}`,
		"id;n;d;p\na;39.0;1.50..+2;1.0\nb;3.9e1;1.500;\nc;39.5;;\nd;1 000;;\ne;1;1,5;\nf;;;1.5\n")
	if records != 2 || bad != 4 {
		t.Fatalf("got %d records and %d bad lines, want 2 and 4", records, bad)
	}
	var a catalog.Answer
	if err := s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "n", Value: "39"},
		catalog.Condition{Attribute: "d", Value: "1.75"}); err != nil || a.Kind != catalog.One {
		t.Errorf("got %v (%v), want one", a.Kind, err)
	}
	if err := s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "n", From: "38.0", To: "+39"},
		catalog.Condition{Attribute: "d", Value: "1.5"}); err != nil || a.Kind == catalog.Nothing {
		t.Errorf("got %v (%v), want records", a.Kind, err)
	}
}
