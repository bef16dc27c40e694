// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/store/memstore"
)

// imported makes a catalog of tables, and returns it with how many lines were left out.
func imported(t *testing.T, schema string, tables ...string) (s catalog.Snapshot, records, bad int64) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "rules", parsed, catalog.ReplaceOptions{MaxBad: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	for _, table := range tables {
		more, wrong, err := r.Read(t.Context(), catalog.Table{Bad: func(*catalog.LineError) error {
			return nil
		}}, strings.NewReader(table))
		if err != nil {
			t.Fatal(err)
		}
		records, bad = records+more, bad+wrong
	}
	if err := r.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(db, "rules")
	if err == nil {
		s, err = c.Snapshot()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, records, bad
}

// Of a line that is left out nothing stays, whichever of its values cannot be.
func TestBadRecordLeavesNothing(t *testing.T) {
	const schema = `{"key": "id", "priority": "p", "attributes": [{"name": "a"}, {"name": "b"}, {"name": "n", "type": "number"}, {"name": "q", "type": "number", "rule": true}], "combined": [["a", "b"]]}`
	half := strings.Repeat("x", 40_000)
	for name, line := range map[string]string{
		"priority":    "k,red,big,-9223372036854775809,,",
		"number":      "k,red,big,,-9223372036854775809,",
		"rule":        "k,red,big,,,-9223372036854775809",
		"range":       "k,red,big,,,..-9223372036854775809",
		"long value":  "k,red," + half + half + ",,,",
		"combination": "k," + half + "," + half + ",,,",
	} {
		s, records, bad := imported(t, schema, "id,a,b,p,n,q\ngood,red,small,1,1,1\n"+line+"\n")
		if records != 1 || bad != 1 {
			t.Errorf("%s: got %d records and %d bad lines, want 1 and 1", name, records, bad)
		}
		if _, err := s.ID("k"); !errors.Is(err, uproar.ErrUnknownRecord) {
			t.Errorf("%s: got %v for the record that was left out, want ErrUnknownRecord", name, err)
		}
		var a catalog.Answer
		if err := s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "a", Value: "red"}); err != nil ||
			a.Kind != catalog.One {
			t.Errorf("%s: got %v (%v), want the good one", name, a.Kind, err)
		}
	}
}

// Records without a key are numbered over all tables of an import.
func TestTablesWithoutKey(t *testing.T) {
	s, records, bad := imported(t, `{"attributes": [{"name": "a"}]}`, "a\nred\ngreen\n", "a\nblue\n")
	if records != 3 || bad != 0 {
		t.Fatalf("got %d records and %d bad lines, want 3 and 0", records, bad)
	}
	var a catalog.Answer
	if err := s.Search(t.Context(), &a, 2, catalog.Condition{Attribute: "a", Value: "blue"}); err != nil ||
		a.Kind != catalog.One {
		t.Fatalf("got %v (%v), want one", a.Kind, err)
	}
	if key, err := s.Key(a.One()); err != nil || key != "3" {
		t.Errorf("got the key %q (%v), want 3", key, err)
	}
}

// TestReplaceIndex checks that a catalog does not replace an index that is no catalog. The error
// comes before a table is read.
func TestReplaceIndex(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "a", Type: uproar.Set}); err != nil {
		t.Fatal(err)
	}
	schema, err := catalog.ParseSchema([]byte(`{"attributes": [{"name": "a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	// By an alias it would even be dropped.
	if err := db.SetAlias(t.Context(), "persons", "people"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"people", "persons"} {
		r, err := catalog.Replace(t.Context(), db, name, schema, catalog.ReplaceOptions{})
		if !errors.Is(err, catalog.ErrSchema) {
			t.Errorf("%s: got %v, want ErrSchema", name, err)
		}
		if err == nil {
			r.Abort()
		}
	}
}

// An index that another alias names stays when the catalog is replaced, which is no error: it has
// been.
func TestReplaceAliased(t *testing.T) {
	const schema = `{"attributes": [{"name": "a"}]}`
	red := func(key string) catalog.Record {
		return catalog.Record{Key: key, Conditions: []catalog.Condition{{Attribute: "a", Value: "red"}}}
	}
	db, _ := open(t, schema, red("old"))
	if err := db.SetAlias(t.Context(), "yesterday", db.Aliases()["rules"]); err != nil {
		t.Fatal(err)
	}
	replace(t, db, schema, red("new"))
	for name, key := range map[string]string{"rules": "new", "yesterday": "old"} {
		c, err := catalog.Open(db, name)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Ask(t.Context(), func(s catalog.Snapshot) error {
			_, err := s.ID(key)
			return err
		})
		if err != nil {
			t.Errorf("%s: got %v, want the record %s", name, err, key)
		}
	}
}

// TestMalformedLines checks that malformed lines are left out like lines with a bad value. They
// have too few columns, or a quote in their midst.
func TestMalformedLines(t *testing.T) {
	const schema = `{"key": "id", "attributes": [{"name": "a"}]}`
	s, records, bad := imported(t, schema, "id,a\nk1,red\nk2\nk3,red,big\nk4,\"r\"ed\nk5,red\n")
	if records != 2 || bad != 3 {
		t.Errorf("got %d records and %d bad lines, want 2 and 3", records, bad)
	}
	var a catalog.Answer
	if err := s.Search(t.Context(), &a, 10, catalog.Condition{Attribute: "a", Value: "red"}); err != nil ||
		len(a.IDs) != 2 {
		t.Errorf("got %d records, %v, want 2", len(a.IDs), err)
	}
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "rules", parsed, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	_, _, err = r.Read(t.Context(), catalog.Table{}, strings.NewReader("id,a\nk1,red\nk2\n"))
	if wrong, ok := errors.AsType[*catalog.LineError](err); !ok || wrong.Line != 3 ||
		!errors.Is(err, catalog.ErrTable) {
		t.Errorf("got %v, want line 3 as no line of the table", err)
	}
}

// begun is a replacement in a database of so much memory.
func begun(t *testing.T, memory int64) *catalog.Replacement {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), &uproar.Options{MemoryBytes: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	schema, err := catalog.ParseSchema([]byte(`{"key": "id", "attributes": [{"name": "a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "rules", schema, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Abort()
		if stats, err := db.Stats(); err != nil || stats.Memory.Loads != 0 {
			t.Errorf("got %d bytes of loads, %v, want none after the replacement", stats.Memory.Loads, err)
		}
	})
	return r
}

// TestKeysHaveNoRoom checks that the keys of all records take memory of the database. More keys
// than it has room for are an error.
func TestKeysHaveNoRoom(t *testing.T) {
	r := begun(t, 16<<20)
	for i := range 1_000_000 {
		err := r.Add(&catalog.Record{Key: fmt.Sprint("record ", i), Conditions: []catalog.Condition{{Attribute: "a",
			Value: "x"}}})
		if errors.Is(err, uproar.ErrMemory) && i > 1000 {
			return
		}
		if err != nil {
			t.Fatalf("record %d: got %v, want ErrMemory", i, err)
		}
	}
	t.Error("got a million keys into 16 MiB, want ErrMemory")
}

// A quote that is never closed does not take all that follows into memory.
func TestLineWithoutEnd(t *testing.T) {
	r := begun(t, 64<<20)
	read := &endless{begin: strings.NewReader("id,a\nk1,\"")}
	if _, _, err := r.Read(t.Context(), catalog.Table{}, read); !errors.Is(err, catalog.ErrTable) ||
		!strings.Contains(err.Error(), "line 2: a quote begins here that is not closed within 16777216 bytes") {
		t.Errorf("got %v, want a line that is too long", err)
	}
	if read.bytes > 20<<20 {
		t.Errorf("got %d bytes read, want no more than a line may have", read.bytes)
	}
}

// endless is a text that goes on with lines for ever.
type endless struct {
	begin *strings.Reader
	bytes int
}

// Read implements io.Reader.
func (e *endless) Read(p []byte) (n int, err error) {
	if n, _ = e.begin.Read(p); n == 0 {
		for n < len(p) {
			n += copy(p[n:], "a line\n")
		}
	}
	e.bytes += n
	return n, nil
}
