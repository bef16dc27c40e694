// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

var schema = audience.Schema{Key: "id", Null: []string{"?"}, Columns: []audience.Column{
	{Name: "likes", Field: uproar.Field{Name: "likes", Type: uproar.Set, Column: uproar.FastColumn}, Split: "|"},
	{Name: "home-city", Field: uproar.Field{Name: "city", Type: uproar.Single}},
	{Name: "age", Field: uproar.Field{Name: "age", Type: uproar.Integer}},
}}

// run imports tables and returns the counts of queries, and the bad values.
func run(t *testing.T, strict bool, format audience.Format, tables ...string) (count func(string) uint64, bad []string,
	err error) {
	t.Helper()
	return runWith(t, schema, strict, format, tables...)
}

// runWith is run with another schema.
func runWith(t *testing.T, schema audience.Schema, strict bool, format audience.Format,
	tables ...string) (count func(string) uint64, bad []string, err error) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	im, err := audience.Begin(t.Context(), db, "people", schema, audience.Options{Strict: strict,
		Bad: func(e *audience.ValueError) {
			bad = append(bad, e.Error())
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer im.Abort()
	for _, table := range tables {
		if _, err := im.Read(strings.NewReader(table), format); err != nil {
			return nil, bad, err
		}
	}
	if err := im.Commit(); err != nil {
		t.Fatal(err)
	}
	return func(text string) uint64 {
		snap := im.Index().Snapshot()
		defer snap.Close()
		e, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := snap.Count(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}, bad, nil
}

const people = `id,name,likes,home-city,age
1, Ann, tea|cake, Oslo, 30
2, Bob, "tea| coffee", ?, 40
3, Eve, , Oslo, young
, Nobody, tea, Oslo, 20
4, Dan, cake,Rome,?
`

func TestTables(t *testing.T) {
	objects := `{"id": 1, "likes": ["tea", "cake"], "home-city": "Oslo", "age": 30}
{"id": "2", "likes": ["tea", null, "coffee"], "home-city": null, "age": 40}

{"id": 3, "home-city": "Oslo", "age": "young"}
{"likes": "tea", "home-city": "Oslo", "age": 20}
{"id": 4, "likes": "cake|?", "home-city": "Rome"}
`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(people))
	w.Close()
	for name, c := range map[string]struct {
		format audience.Format
		text   string
		line   string
	}{
		"csv":    {audience.CSV, people, "line 4, column age"},
		"tsv":    {audience.TSV, strings.NewReplacer(", ", "\t", ",", "\t").Replace(people), "line 4, column age"},
		"ndjson": {audience.NDJSON, objects, "line 4, column age"},
		"gzip":   {audience.CSV, packed.String(), "line 4, column age"},
	} {
		count, bad, err := run(t, false, c.format, c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(bad) != 2 || !strings.Contains(bad[0], c.line) || !strings.Contains(bad[1], "line 5, column id") {
			t.Errorf("%s: got bad values %q, want the age in %s and the key in line 5", name, bad, c.line)
		}
		for text, want := range map[string]uint64{"likes = tea": 2, "likes = cake": 2, "likes = coffee": 1,
			"city = Oslo": 2, "none(city)": 1, "age >= 30": 2, "any(likes)": 3, "none(age)": 2} {
			if got := count(text); got != want {
				t.Errorf("%s: %s: got %d people, want %d", name, text, got, want)
			}
		}
	}
}

func TestBadTables(t *testing.T) {
	if _, _, err := run(t, true, audience.CSV, people); err == nil || !strings.Contains(err.Error(),
		`line 4, column age: age: got "young"`) {
		t.Errorf("got %v, want the first bad value", err)
	}
	for name, c := range map[string]struct {
		format audience.Format
		text   string
		want   string
	}{
		"empty":              {audience.CSV, "", "header"},
		"column is missing":  {audience.CSV, "id,likes,age\n", `no column "home-city"`},
		"no format":          {"xml", "<a>", `"xml"`},
		"gzip that is short": {audience.CSV, "\x1f\x8b\x08", "EOF"},
	} {
		if _, _, err := run(t, false, c.format, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}

// TestMalformedLines: lines that cannot be read are left out by number, and end a strict import;
// the others are imported.
func TestMalformedLines(t *testing.T) {
	header := "id,likes,home-city,age\n"
	for name, c := range map[string]struct {
		format audience.Format
		text   string
		bad    []string
	}{
		"too few values": {audience.CSV, header + "1,tea,Oslo,30\n1,2\n2,tea,Oslo,40\n",
			[]string{"line 3: got 2 values, want 4"}},
		"too many": {audience.TSV,
			"id\tlikes\thome-city\tage\n1\ttea\tOslo\t30\n5\t\t\t\t\n2\ttea\tOslo\t40\n",
			[]string{"line 3: got 5 values, want 4"}},
		"a quote in a value": {audience.CSV, header + "1,tea,Oslo,30\n3,t\"ea,Oslo,1\n4,\"t\"e,Oslo,1\n2,tea,Oslo,40\n",
			[]string{"line 3: got a quote within a value", "line 4: got more behind the quote"}},
		"a quote that stays": {audience.CSV, header + "1,tea,Oslo,30\n2,tea,Oslo,40\n3,\"tea,Oslo,1\n4,coffee,Oslo,1\n",
			[]string{"line 4: got a quote that is not closed"}},
		"no object": {audience.NDJSON, `{"id": 1, "likes": "tea", "age": 30}
[1]
null
{"id": 2, "likes": "tea", "age": 40} {"id": 5}
{"id": 2, "likes": "tea", "age": 40}
{"id": 6`, []string{"line 2: got an array, want an object", "line 3: got null, want an object", "line 4: is no JSON object: invalid character '{' after", "line 6: is no JSON object: the line ends within it"}},
	} {
		count, bad, err := run(t, false, c.format, c.text)
		if err != nil || len(bad) != len(c.bad) {
			t.Errorf("%s: got %q, %v, want %q", name, bad, err, c.bad)
			continue
		}
		for i := range bad {
			if !strings.HasPrefix(bad[i], c.bad[i]) {
				t.Errorf("%s: got %q, want %q", name, bad[i], c.bad[i])
			}
		}
		if all, old := count("likes = tea"), count("age = 40"); all != 2 || old != 1 {
			t.Errorf("%s: got %d and %d people, want 2 and 1", name, all, old)
		}
		_, _, err = run(t, true, c.format, c.text)
		if first := new(audience.ValueError); !errors.As(err, &first) || !errors.Is(err, audience.ErrTable) ||
			!strings.HasPrefix(err.Error(), c.bad[0]) {
			t.Errorf("%s: got %v, want %s, which matches ErrTable", name, err, c.bad[0])
		}
	}
}

func TestParseColumn(t *testing.T) {
	got, err := audience.ParseColumn("home-city:set:split=|:column=small:field=town")
	want := audience.Column{Name: "home-city", Split: "|", Field: uproar.Field{Name: "town", Type: uproar.Set,
		Column: uproar.SmallColumn}}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, err = audience.ParseColumn("hours-per-week:integer"); err != nil || got.Field.Name != "hours_per_week" {
		t.Errorf("got %+v, %v, want a field hours_per_week", got, err)
	}
	for _, text := range []string{"", "x", ":set", "x:relation", "x:set:colour=red"} {
		if _, err := audience.ParseColumn(text); !errors.Is(err, audience.ErrSchema) {
			t.Errorf("%q: got %v, want ErrSchema", text, err)
		}
	}
}

// TestRoundedColumn rounds numbers that have more digits than their field.
func TestRoundedColumn(t *testing.T) {
	column, err := audience.ParseColumn("n:decimal:scale=2:round")
	if err != nil {
		t.Fatal(err)
	}
	rounded := audience.Schema{Key: "id", Columns: []audience.Column{column}}
	if again, err := audience.ParseSchema([]byte(rounded.Text())); err != nil || again.Columns[0] != column {
		t.Fatalf("got %+v, %v, want %+v", again, err, column)
	}
	count, bad, err := runWith(t, rounded, false, audience.CSV, "id,n\n1,0.005\n2,-1.994999\n3,1e-30\n4,many\n5,1e300\n")
	if err != nil || len(bad) != 2 {
		t.Fatalf("got the bad values %q, %v, want those of lines 5 and 6", bad, err)
	}
	for _, q := range []string{"n = 0.01", "n = -1.99", "n = 0"} {
		if got := count(q); got != 1 {
			t.Errorf("%s: got %d records, want 1", q, got)
		}
	}
	for _, text := range []string{"n:single:round", "n:date:round", "n:integer:round=1"} {
		if c, err := audience.ParseColumn(text); err == nil {
			if err := (&audience.Schema{Columns: []audience.Column{c}}).Check(); err == nil {
				t.Errorf("%s: got no error", text)
			}
		}
	}
}
