// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/store/memstore"
)

// attempt replaces the catalog by a table, and returns how many records it has afterwards.
func attempt(t *testing.T, db *uproar.DB, schema, table string, opts catalog.ReplaceOptions) (records uint64,
	err error) {
	t.Helper()
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "shop", parsed, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	if _, _, err = r.Read(t.Context(), catalog.Table{Bad: func(*catalog.LineError) error {
		return nil
	}}, strings.NewReader(table)); err == nil {
		err = r.Commit(t.Context())
	}
	if len(db.Indexes()) == 0 {
		return 0, err
	}
	index, failed := db.Index("shop")
	if failed != nil {
		t.Fatal(failed)
	}
	stats, failed := index.Stats()
	if failed != nil || len(db.Indexes()) != 1 {
		t.Errorf("got indexes %q, %v, want that of the catalog alone", db.Indexes(), failed)
	}
	return stats.Records, err
}

// TestReplaceWithBadTables: a catalog is replaced by a table with bad lines, or by nothing, only if
// that is allowed.
func TestReplaceWithBadTables(t *testing.T) {
	const schema = `{"key": "id", "attributes": [{"name": "n", "type": "integer"}]}`
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	badBut := func(good int) string {
		return "id,n\n" + "a,1\n" + strings.Repeat("x,y\n", 20-good)
	}
	if n, err := attempt(t, db, schema, badBut(1), catalog.ReplaceOptions{}); !errors.Is(err, catalog.ErrTooManyBad) ||
		n != 0 {
		t.Errorf("a new catalog: got %d records, %v, want none", n, err)
	}
	if n, err := attempt(t, db, schema, "id,n\na,1\nb,2\n", catalog.ReplaceOptions{}); n != 2 || err != nil {
		t.Fatalf("got %d records, %v, want 2", n, err)
	}
	for _, c := range []struct {
		name, table string
		opts        catalog.ReplaceOptions
		records     uint64
		want        error
		text        string
	}{
		{"bad lines", badBut(1), catalog.ReplaceOptions{}, 2, catalog.ErrTooManyBad,
			`got 19 bad of 20 lines, want at most 0%: line 3: record "x"`},
		{"too many", badBut(1), catalog.ReplaceOptions{MaxBad: 0.94}, 2, catalog.ErrTooManyBad, "want at most 94%"},
		{"a header", "id,n\n", catalog.ReplaceOptions{}, 2, catalog.ErrEmpty, "got no record, want at least one"},
		{"nothing good", "id,n\nx,y\n", catalog.ReplaceOptions{MaxBad: 1}, 2, catalog.ErrEmpty, ""},
		{"a column misspelt", "id,m\na,1\n", catalog.ReplaceOptions{}, 2, catalog.ErrTable, `got no column "n"`},
		{"few enough", badBut(1), catalog.ReplaceOptions{MaxBad: 0.95}, 1, nil, ""},
		{"a record without values", "id,n\na,1\nb,\n,3\n", catalog.ReplaceOptions{MaxBad: 0.4}, 2, nil, ""},
		{"a header that is meant", "id,n\n", catalog.ReplaceOptions{Empty: true}, 0, nil, ""},
	} {
		n, err := attempt(t, db, schema, c.table, c.opts)
		if n != c.records || !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %d records, %v, want %d, %v %s", c.name, n, err, c.records, c.want, c.text)
		}
	}
}

// TestReplaceCancelled: a replacement that ends before its Commit leaves nothing.
func TestReplaceCancelled(t *testing.T) {
	const schema = `{"attributes": [{"name": "n"}]}`
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := catalog.Replace(ctx, db, "shop", parsed, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Read(ctx, catalog.Table{}, strings.NewReader("n\n1\n")); err != nil {
		t.Fatal(err)
	}
	if indexes := db.Indexes(); len(indexes) != 0 {
		t.Errorf("got indexes %q before Commit, want none", indexes)
	}
	cancel()
	if err := r.Commit(ctx); !errors.Is(err, context.Canceled) || len(db.Indexes())+len(db.Aliases()) != 0 {
		t.Errorf("got %v, indexes %q, want none", err, db.Indexes())
	}
	if n, err := attempt(t, db, schema, "n\n1\n", catalog.ReplaceOptions{}); n != 1 || err != nil {
		t.Errorf("the next: got %d records, %v", n, err)
	}
}

// TestTypesOfTables: days, times and decimals have the names that columns of audiences have, and
// the same notation.
func TestTypesOfTables(t *testing.T) {
	const schema = `{"key": "id", "attributes": [{"name": "born", "type": "date"}, {"name": "seen", "type": "time"}, ` +
		`{"name": "height", "type": "decimal", "scale": 2}, {"name": "age", "type": "integer"}]}`
	s, records, bad := imported(t, schema, "id,born,seen,height,age\n"+
		"a,2026-01-31,2026-01-31T12:00:00+01:00,1.8,30\nb,2026-01-31T00:00:00Z,1969-12-31T23:59:59.9Z,-0.05,-1\n"+
		"c,31.1.2026,,,\nd,,2026-01-31,,\ne,,,1.234,\nf,,,,1.5\n")
	if records != 2 || bad != 4 {
		t.Errorf("got %d records and %d bad lines, want 2 and 4", records, bad)
	}
	for key, want := range map[string]string{"a": "2026-01-31 2026-01-31T11:00:00Z 1.80 30",
		"b": "2026-01-31 1969-12-31T23:59:59Z -0.05 -1"} {
		id, err := s.ID(key)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Record(id)
		var got []string
		for _, c := range r.Conditions {
			got = append(got, c.Value)
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", key, got, err, want)
		}
	}
	for _, wrong := range []string{`"integer", "scale": 1`, `"decimal"`} {
		if _, err := catalog.ParseSchema([]byte(`{"attributes": [{"name": "a", "type": ` + wrong +
			`}]}`)); !errors.Is(err, catalog.ErrSchema) {
			t.Errorf("%s: got %v, want ErrSchema", wrong, err)
		}
	}
}
