// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/internal/table/tabletest"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestFiles imports every file of tabletest.
func TestFiles(t *testing.T) {
	schema := audience.Schema{Key: "account", Columns: []audience.Column{{Name: "target",
		Field: uproar.Field{Name: "target", Type: uproar.Single}}}}
	for _, f := range tabletest.Files() {
		format := audience.CSV
		if f.NDJSON {
			format = audience.NDJSON
		}
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var bad []int64
		opts := audience.Options{MaxBad: 1, Bad: func(e *audience.ValueError) { bad = append(bad, e.Line) }}
		im, err := audience.Begin(t.Context(), db, "people", schema, opts)
		if err != nil {
			t.Fatal(err)
		}
		// It is the second file of the import: nothing of the first is left to it.
		if _, err := im.Read(strings.NewReader("account;target\nfirst;x\n"), audience.CSV); err != nil {
			t.Fatal(err)
		}
		_, err = im.Read(strings.NewReader(f.Text), format)
		if f.Err != "" {
			if !errors.Is(err, audience.ErrTable) || !strings.Contains(err.Error(), f.Err) {
				t.Errorf("%s: got %v, want ErrTable with %q", f.Name, err, f.Err)
			}
			im.Abort()
			db.Close()
			continue
		}
		if err == nil {
			err = im.Commit()
		}
		if err != nil || !slices.Equal(bad, f.Bad) {
			t.Errorf("%s: got bad lines %d, %v, want %d", f.Name, bad, err, f.Bad)
		}
		snap := im.Index().Snapshot()
		for _, row := range append(f.Rows, "first>x") {
			key, value, _ := strings.Cut(row, ">")
			id, err := snap.ID(key)
			if err != nil {
				t.Errorf("%s: %q: %v", f.Name, key, err)
				continue
			}
			if got, _, err := snap.AppendValueOf(nil, "target", id); err != nil || string(got) != value {
				t.Errorf("%s: %q: got %q, %v, want %q", f.Name, key, got, err, value)
			}
		}
		if n, err := snap.Count(t.Context(), query.All{}); err != nil || n != uint64(len(f.Rows)+1) {
			t.Errorf("%s: got %d records, %v, want %d", f.Name, n, err, len(f.Rows)+1)
		}
		snap.Close()
		db.Close()
	}
}

// TestNumbers: a number is taken that is one exactly, however it is written, and whatever the
// format; what is none is told.
func TestNumbers(t *testing.T) {
	schema := audience.Schema{Key: "id", Columns: []audience.Column{
		{Name: "n", Field: uproar.Field{Name: "n", Type: uproar.Integer}},
		{Name: "d", Field: uproar.Field{Name: "d", Type: uproar.Integer, Scale: 2}}}}
	want := map[string]uint64{"n = 39": 4, "n = 9007199254740993": 1, "d = 1.50": 2, "d = 39": 1, "any(n)": 5,
		"any(d)": 3}
	for format, text := range map[audience.Format]string{
		audience.CSV: "id,n,d\n1,39.0,1.50\n2,39.,1.500\n3,+39,39.0\n4,3.9e1,1.505\n5,9007199254740993,\"1,5\"\n6,39.5,\n7,\"1,000\",\n8,\" 39\",\n",
		audience.NDJSON: `{"id":1,"n":39.0,"d":1.50}` + "\n" + `{"id":2,"n":"39.","d":1.500}` + "\n" +
			`{"id":3,"n":"+39","d":39.0}` + "\n" + `{"id":4,"n":3.9e1,"d":1.505}` + "\n" +
			`{"id":5,"n":9007199254740993,"d":"1,5"}` + "\n" + `{"id":6,"n":39.5}` + "\n" + `{"id":7,"n":"1,000"}` +
			"\n" + `{"id":8,"n":" 39"}`,
	} {
		count, bad, err := runWith(t, schema, false, format, text)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range want {
			if got := count(text); got != want {
				t.Errorf("%s: %s: got %d, want %d", format, text, got, want)
			}
		}
		for i, want := range []string{"column d: d: got \"1.505\", want a number with at most 2 digits",
			"column d: d: got \"1,5\", want a number with a point before its decimals",
			"column n: n: got \"39.5\", want a whole number", "column n: n: got \"1,000\", want a number with a point",
			"column n: n: got \" 39\", want a number without blanks"} {
			if i >= len(bad) || !strings.Contains(bad[i], want) {
				t.Errorf("%s: got %q, want %q", format, bad, want)
			}
		}
	}
}

// TestColumnTwice: a column that the header has twice is an error only if it is wanted.
func TestColumnTwice(t *testing.T) {
	if _, _, err := run(t, false, audience.CSV, "id,likes,home-city,age,age\n"); !errors.Is(err, audience.ErrTable) ||
		!strings.Contains(err.Error(), `got the column "age" more than once`) {
		t.Errorf("got %v, want the column age twice", err)
	}
	if _, _, err := run(t, false, audience.CSV, "id,x,x,likes,home-city,age\n"); err != nil {
		t.Errorf("got %v for columns that are not wanted", err)
	}
	if _, _, err := run(t, false, audience.CSV, "id;likes,home-city;age\n"); err == nil ||
		!strings.Contains(err.Error(), "columns were separated by comma: if that is wrong, name the separator") {
		t.Errorf("got %v, want how to name the separator", err)
	}
}
