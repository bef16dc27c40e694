// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// tables imports tables into one database.
type tables struct {
	*testing.T
	db *uproar.DB
}

func newTables(t *testing.T) *tables {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &tables{t, db}
}

// schemaOf makes a schema of a key and columns.
func schemaOf(t *testing.T, key string, columns ...string) audience.Schema {
	t.Helper()
	s := audience.Schema{Key: key}
	for _, text := range columns {
		c, err := audience.ParseColumn(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Columns = append(s.Columns, c)
	}
	return s
}

// load imports tables, and returns how many records and values were reported.
func (x *tables) load(schema audience.Schema, opts audience.Options, format audience.Format,
	texts ...string) (p audience.Progress, err error) {
	x.Helper()
	im, err := audience.Begin(x.Context(), x.db, "people", schema, opts)
	if err != nil {
		return p, err
	}
	defer im.Abort()
	for _, text := range texts {
		if p, err = im.Read(strings.NewReader(text), format); err != nil {
			return p, err
		}
	}
	return p, im.Commit()
}

// keys returns the keys of the records that a query fits.
func (x *tables) keys(text string) string {
	x.Helper()
	ix, err := x.db.Index("people")
	if err != nil {
		x.Fatal(err)
	}
	s := ix.Snapshot()
	defer s.Close()
	q, err := query.Parse(text)
	if err != nil {
		x.Fatal(err)
	}
	keys, err := s.Keys(x.Context(), q, uproar.Page{})
	if err != nil {
		x.Fatal(err)
	}
	return strings.Join(keys.Keys, " ")
}

// TestRecordsOfRows: each row is a record, with values, without, and if its only value is bad; one
// without a key is a bad line.
func TestRecordsOfRows(t *testing.T) {
	for _, c := range []struct {
		name    string
		format  audience.Format
		text    string
		all     string
		without string // a value of n
		bad     int64
	}{
		{"no value", audience.CSV, "id,n\na,1\nb,\n", "a b", "b", 0},
		{"no value at all", audience.CSV, "id,n\na,\nb,\n", "a b", "a b", 0},
		{"a bad value", audience.CSV, "id,n\na,1\nb,x\n", "a b", "b", 1},
		{"blank lines", audience.CSV, "\nid,n\n\na,1\n\r\nb,\n\n", "a b", "b", 0},
		{"tabs", audience.TSV, "id\tn\na\t1\nb\t\n", "a b", "b", 0},
		{"null", audience.CSV, "id,n\na,?\nb,2\n", "a b", "a", 0},
		{"no key", audience.CSV, "id,n\na,1\n,2\n", "a", "", 1},
		{"a key too long", audience.CSV, "id,n\na,1\n" + strings.Repeat("k", 70_000) + ",\n", "a", "", 1},
		{"a key again", audience.CSV, "id,n\na,1\na,\n", "a", "", 0},
		{"objects", audience.NDJSON,
			"{\"id\":\"a\",\"n\":1}\n{\"id\":\"b\"}\n{\"id\":\"c\",\"n\":null}\n{\"id\":\"d\",\"n\":{}}\n{\"n\":2}\n{\"id\":\"e\",\"n\":[]}\n", "a b c d e", "b c d e", 2},
	} {
		x := newTables(t)
		schema := schemaOf(t, "id", "n:integer")
		schema.Null = []string{"?"}
		p, err := x.load(schema, audience.Options{}, c.format, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		all, without := x.keys("all"), x.keys("none(n)")
		records := int64(len(strings.Fields(all)))
		if c.name == "a key again" {
			records++ // of two rows
		}
		if all != c.all || without != c.without || p.Bad != c.bad || p.Records != records {
			t.Errorf("%s: got records %q, %q without a value, %+v, want %q, %q, %d bad", c.name, all, without, p, c.all,
				c.without, c.bad)
		}
	}
}

// TestRowsAgainstModel compares the records and values of random tables with a plain model. The
// tables are CSV and NDJSON, with keys and without.
func TestRowsAgainstModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 30))
	for round := range 20 {
		var csv, ndjson strings.Builder
		csv.WriteString("id,n,city\n")
		all, numbers, cities := map[string]bool{}, map[string]string{}, map[string]string{}
		for row := range 60 {
			key, n, city := fmt.Sprint("k", rng.IntN(80)), []string{"", "1", "2", "x"}[rng.IntN(4)],
				[]string{"", "Oslo", "Rome"}[rng.IntN(3)]
			fmt.Fprintf(&csv, "%s,%s,%s\n", key, n, city)
			fmt.Fprintf(&ndjson, "{\"id\":%q,\"n\":%q,\"city\":%q}\n", key, n, city)
			if round%2 == 1 {
				key = fmt.Sprint(row + 1)
			}
			all[key] = true
			if n == "1" || n == "2" {
				numbers[key] = n
			}
			if city != "" {
				cities[key] = city
			}
		}
		key := []string{"id", ""}[round%2]
		for format, text := range map[audience.Format]string{audience.CSV: csv.String(),
			audience.NDJSON: ndjson.String()} {
			x := newTables(t)
			p, err := x.load(schemaOf(t, key, "n:integer", "city:single"), audience.Options{}, format, text)
			if err != nil || p.Records != 60 {
				t.Fatalf("%s: got %+v, %v", format, p, err)
			}
			for text, want := range map[string]int{"all": len(all), "any(n)": len(numbers), "none(n)": len(all) -
				len(numbers), "any(city)": len(cities)} {
				if got := len(strings.Fields(x.keys(text))); got != want {
					t.Errorf("round %d, %s: %s: got %d records, want %d", round, format, text, got, want)
				}
			}
		}
	}
}

// TestNumbering: without a key, no record is ever merged into another.
func TestNumbering(t *testing.T) {
	x := newTables(t)
	ctx := t.Context()
	numbered, keyed := schemaOf(t, "", "n:integer"), schemaOf(t, "id", "n:integer")
	load := func(texts ...string) {
		t.Helper()
		if _, err := x.load(numbered, audience.Options{}, audience.NDJSON, texts...); err != nil {
			t.Fatal(err)
		}
	}
	load("{\"n\":1}\n{}\n\n", "{\"n\":1}\n")
	if _, err := x.load(numbered, audience.Options{}, audience.CSV, "n\n\n1\n\n"); err != nil {
		t.Fatal(err)
	}
	if all, ones := x.keys("all"), x.keys("n = 1"); all != "1 2 3 4" || ones != "1 3 4" {
		t.Errorf("got records %q, %q of them 1", all, ones)
	}
	ix, _ := x.db.Index("people")
	var b uproar.Batch
	b.DeleteRecord("2") // so that there are fewer records than numbers
	b.AddRecord("6")    // by somebody else
	if _, err := ix.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	load("{\"n\":2}\n{\"n\":2}\n")
	if all, twos := x.keys("all"), x.keys("n = 2"); all != "1 3 4 6 5 7" || twos != "5 7" {
		t.Errorf("got records %q, %q of them 2", all, twos)
	}
	if _, err := x.load(keyed, audience.Options{}, audience.CSV, "id,n\n1,5\n"); !errors.Is(err, audience.ErrSchema) ||
		!strings.Contains(err.Error(), `numbers its records, got column "id"`) {
		t.Errorf("keys into numbers: got %v", err)
	}
	x = newTables(t)
	if _, err := x.load(keyed, audience.Options{}, audience.CSV, "id,n\n1,5\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := x.load(numbered, audience.Options{}, audience.CSV, "n\n6\n"); !errors.Is(err, audience.ErrSchema) ||
		!strings.Contains(err.Error(), "name the column of the key") {
		t.Errorf("numbers into keys: got %v", err)
	}
	if got := x.keys("n = 5"); got != "1" {
		t.Errorf("got %q, want the record 1 as it was", got)
	}
	// An index that somebody has made, and that has no record yet.
	x = newTables(t)
	if _, err := x.db.CreateIndex(ctx, "people", uproar.Field{Name: "n", Type: uproar.Integer}); err != nil {
		t.Fatal(err)
	}
	if _, err := x.load(numbered, audience.Options{}, audience.NDJSON, "{\"n\":\"x\"}\n"); !errors.Is(err,
		audience.ErrTooManyBad) {
		t.Errorf("got %v, want ErrTooManyBad", err)
	}
	load("{\"n\":1}\n")
	load("{\"n\":1}\n")
	if all := x.keys("all"); all != "1 2" {
		t.Errorf("got records %q", all)
	}
}

// TestNumberingOfNoRecords: a table of a header alone does not say for ever that records have no
// keys.
func TestNumberingOfNoRecords(t *testing.T) {
	x := newTables(t)
	for _, key := range []string{"", "id", "", "id"} {
		text := "id,n\n"
		if key == "id" {
			text += "a,1\n"
		}
		_, err := x.load(schemaOf(t, key, "n:integer"), audience.Options{}, audience.CSV, text)
		if (err == nil) != (key == "id" || x.keys("all") == "") {
			t.Fatalf("key %q: got %v", key, err)
		}
	}
	if got := x.keys("all"); got != "a" {
		t.Errorf("got %q, want a", got)
	}
}

// TestFailedImports: nothing is left of an import that fails, in a new index and in one that was
// there.
func TestFailedImports(t *testing.T) {
	schema := schemaOf(t, "id", "n:integer", "city:single")
	for _, old := range []bool{false, true} {
		for name, c := range map[string]struct {
			schema audience.Schema
			opts   audience.Options
			format audience.Format
			text   string
			want   error
		}{
			"a column misspelt": {schemaOf(t, "id", "sity:single"), audience.Options{}, audience.CSV,
				"id,n,city\nb,2,Rome\n", audience.ErrTable},
			"malformed": {schema, audience.Options{}, audience.CSV, "\x1f\x8b\x08", nil},
			"strict": {schema, audience.Options{Strict: true}, audience.CSV, "id,n,city\nb,x,Rome\n",
				uproar.ErrInvalid},
			"all values bad": {schema, audience.Options{}, audience.CSV, "id,n,city\nb,x,\nc,x,\n",
				audience.ErrTooManyBad},
			"all lines bad": {schema, audience.Options{}, audience.CSV, "id,n,city\nb\n,1,Rome\n",
				audience.ErrTooManyBad},
			"some bad": {schema, audience.Options{MaxBad: -1}, audience.CSV, "id,n,city\nb,2,Rome\nc,x,Rome\n",
				audience.ErrTooManyBad},
			"19 of 20 bad": {schema, audience.Options{}, audience.CSV, "id,n,city\nb,2,\n" +
				strings.Repeat("c,x,\n", 19), audience.ErrTooManyBad},
			"a column bad": {schema, audience.Options{}, audience.CSV,
				"id,n,city\n" + strings.Repeat("c,x,Rome\n", 10), audience.ErrTooManyBad},
			"no format": {schema, audience.Options{}, "xml", "<a>", audience.ErrTable},
		} {
			x := newTables(t)
			if old {
				if _, err := x.load(schema, audience.Options{}, audience.CSV, "id,n,city\na,1,Oslo\n"); err != nil {
					t.Fatal(err)
				}
				if name == "a column misspelt" {
					c.schema, c.text, c.want = schema, "id,n,sity\nb,2,Rome\n", audience.ErrTable
				}
			}
			if _, err := x.load(c.schema, c.opts, c.format, c.text); err == nil || c.want != nil &&
				!errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			}
			x.left(name, old)
			if _, err := x.load(schema, audience.Options{}, audience.CSV, "id,n,city\nb,2,Rome\n"); err != nil ||
				x.keys("city = Rome") != "b" {
				t.Errorf("%s: the corrected import: got %v", name, err)
			}
		}
	}
}

// left checks that there is what was there before a failed import.
func (x *tables) left(name string, old bool) {
	x.Helper()
	if !old {
		if indexes := x.db.Indexes(); len(indexes) != 0 {
			x.Errorf("%s: got indexes %q, want none", name, indexes)
		}
		return
	}
	ix, err := x.db.Index("people")
	if err != nil {
		x.Fatal(err)
	}
	s := ix.Snapshot()
	defer s.Close()
	var rows []string
	for row, err := range s.Rows(x.Context(), "city") {
		if err != nil {
			x.Fatal(err)
		}
		rows = append(rows, row.Key)
	}
	if all := x.keys("all"); all != "a" || len(rows) != 1 || len(ix.Fields()) != 2 || x.keys(`city prefix "R"`) != "" {
		x.Errorf("%s: got records %q, cities %q, fields %v, want what was there", name, all, rows, ix.Fields())
	}
}

// TestColumnsOfBadValues checks that a column of nearly only bad values ends the import. It does
// not if that is allowed or few of its values are bad.
func TestColumnsOfBadValues(t *testing.T) {
	schema := schemaOf(t, "id", "n:integer", "city:set")
	for _, c := range []struct {
		good, bad int
		most      float64
		want      bool
	}{{0, 9, 0, true}, {0, 10, 0, false}, {0, 10, 1, true}, {1, 10, 0, false}, {2, 10, 0, true},
		{90, 10, 0.05, false}} {
		text := "id,n,city\n" + strings.Repeat("a,x,Rome\n", c.bad) + strings.Repeat("a,1,Rome\n", c.good)
		text += strings.Repeat("a,,Oslo\n", 200)
		_, err := newTables(t).load(schema, audience.Options{MaxBad: c.most}, audience.CSV, text)
		told := errors.Is(err, audience.ErrTooManyBad) && strings.Contains(err.Error(), "column n: got 10 bad of ")
		if c.want != (err == nil) || err != nil && !told {
			t.Errorf("%d good, %d bad, at most %v: got %v", c.good, c.bad, c.most, err)
		}
	}
}

// TestCancelledImport: an import that ctx ends leaves no index.
func TestCancelledImport(t *testing.T) {
	x := newTables(t)
	ctx, cancel := context.WithCancel(t.Context())
	im, err := audience.Begin(ctx, x.db, "people", schemaOf(t, "id", "n:integer"), audience.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := im.Read(strings.NewReader("id,n\na,1\n"), audience.CSV); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := im.Commit(); !errors.Is(err, context.Canceled) || len(x.db.Indexes()) != 0 {
		t.Errorf("got %v, indexes %q, want none", err, x.db.Indexes())
	}
}

// TestConflicts: a field that is there otherwise is named with what it is, what is wanted and what
// can be done.
func TestConflicts(t *testing.T) {
	x := newTables(t)
	if _, err := x.load(schemaOf(t, "id", "n:decimal:scale=2"), audience.Options{}, audience.CSV,
		"id,n\na,1.5\n"); err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]string{
		"n:integer":         `audience: schema: field "n" of index "people": has n:decimal:scale=2, want n:integer; drop the field, with its values, or name another one`,
		"n:decimal:scale=1": `has n:decimal:scale=2, want n:decimal:scale=1`,
		"m:date":            `field "m" of index "people": has none, want m:date; add the field, or name another index`,
	} {
		_, err := x.load(schemaOf(t, "id", column), audience.Options{}, audience.CSV, "id,n,m\na,1,2\n")
		if c := (*uproar.FieldConflictError)(nil); !errors.Is(err, audience.ErrSchema) || !errors.As(err, &c) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", column, err, want)
		}
	}
}

// TestTypes: days, times and decimals are read as the database has them, the same from CSV and
// NDJSON; others are bad values.
func TestTypes(t *testing.T) {
	types := []string{"v:date", "v:time", "v:decimal:scale=2", "v:integer"}
	for _, c := range []struct{ text, date, time, decimal, integer string }{ // what the value is, "" bad
		{"2026-01-31", "2026-01-31", "", "", ""},
		{"2026-02-30", "", "", "", ""},
		{"31.01.2026", "", "", "", ""},
		{"2026-01-31T12:00:00Z", "", "2026-01-31T12:00:00Z", "", ""},
		{"2026-01-31T12:00:00.999+01:00", "", "2026-01-31T11:00:00Z", "", ""},
		{"1969-12-31T23:59:59.5Z", "", "1969-12-31T23:59:59Z", "", ""},
		{"2026-01-31T00:00:00Z", "2026-01-31", "2026-01-31T00:00:00Z", "", ""},
		{"2026-01-31T00:00:00+02:00", "2026-01-31", "2026-01-30T22:00:00Z", "", ""},
		{"2026-01-31 12:00:00", "", "2026-01-31T12:00:00Z", "", ""},
		{"7", "", "", "7.00", "7"},
		{"-0.05", "", "", "-0.05", ""},
		{"1.234", "", "", "", ""},
		{"1.500", "", "", "1.50", ""},
		{"39.0", "", "", "39.00", "39"},
		{"92233720368547758.07", "", "", "92233720368547758.07", ""},
		{"92233720368547758.08", "", "", "", ""},
		{"1e3", "", "", "1000.00", "1000"},
		{"1,5", "", "", "", ""},
	} {
		for i, want := range []string{c.date, c.time, c.decimal, c.integer} {
			for format, text := range map[audience.Format]string{audience.CSV: "id,v\na,\"" + c.text + "\"\n",
				audience.NDJSON: fmt.Sprintf("{\"id\":\"a\",\"v\":%q}\n", c.text)} {
				x := newTables(t)
				p, err := x.load(schemaOf(t, "id", types[i]), audience.Options{MaxBad: 1}, format, text)
				if err != nil {
					t.Fatal(err)
				}
				ix, _ := x.db.Index("people")
				s := ix.Snapshot()
				n, ok, err := s.Int("v", "a")
				s.Close()
				got := ""
				if ok {
					got = ix.Fields()[0].Text(n)
				}
				if got != want || err != nil || (p.Bad == 1) != (want == "") || p.Records != 1 {
					t.Errorf("%s as %s: got %q, %+v, %v, want %q", c.text, types[i], got, p, err, want)
				}
			}
		}
	}
}
