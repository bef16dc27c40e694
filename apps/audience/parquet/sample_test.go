// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	library "github.com/parquet-go/parquet-go"

	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/apps/audience/parquet"
)

// guessed returns the schema that is guessed for a file, and what is said of it.
func guessed(t *testing.T, data []byte) (audience.Schema, string) {
	t.Helper()
	s := new(guess.Sample)
	if err := parquet.Sample(s, bytes.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	schema, notes, err := s.Schema("")
	if err != nil {
		t.Fatal(err)
	}
	return schema, strings.Join(notes, "\n")
}

// typed is a row of many types.
type typed struct {
	ID    string           `parquet:"id"`
	Zip   string           `parquet:"zip"`
	N     int64            `parquet:"n"`
	Cost  int64            `parquet:"cost,decimal(2:18)"`
	Ratio float64          `parquet:"ratio"`
	Day   int32            `parquet:"day,date"`
	Seen  time.Time        `parquet:"seen,timestamp(microsecond)"`
	OK    bool             `parquet:"ok"`
	Likes []string         `parquet:"likes,list"`
	Deep  map[string]int64 `parquet:"deep"`
}

func typedFile(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[typed](&b)
	seen := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	if _, err := w.Write([]typed{
		{"a\n\"1\"", "0123", 1, 1999, 0.5, 20484, seen, true, []string{"tea", "cake"}, nil},
		{"b", "4567", -2, 5, 1, 1, seen, false, nil, map[string]int64{"x": 1}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSample: the types of Parquet say which fields there are, and its lists become sets.
func TestSample(t *testing.T) {
	schema, notes := guessed(t, typedFile(t))
	var got []string
	for _, c := range schema.Columns {
		got = append(got, c.Field.String())
	}
	const want = "zip:single n:integer cost:decimal:scale=2 ratio:decimal:scale=1 day:date seen:time ok:single likes:set"
	if text := strings.Join(got, " "); schema.Key != "id" || text != want {
		t.Errorf("got the key %s and %s, want %s", schema.Key, text, want)
	}
	if !strings.Contains(notes, `column "deep" has a map`) {
		t.Errorf("got the notes %s", notes)
	}
	_, notes = guessed(t, nasty(t, "nasty.parquet"))
	for _, want := range []string{`"struct" has a struct`, `"structs" has a list of structs`,
		`"lists" has a list of lists`, `"map" has a map`, `"maps" has a list of maps`} {
		if !strings.Contains(notes, want) {
			t.Errorf("got the notes\n%s\nwant %s", notes, want)
		}
	}
	twice, s := nasty(t, "twice.parquet"), new(guess.Sample)
	if err := parquet.Sample(s, bytes.NewReader(twice), int64(len(twice))); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Schema(""); err == nil || !strings.Contains(err.Error(), `"city" has values in several`) {
		t.Errorf("got %v, want that all columns are left out", err)
	}
	if err := parquet.Sample(new(guess.Sample), strings.NewReader("no file"), 7); !errors.Is(err, audience.ErrTable) {
		t.Errorf("got %v", err)
	}
}

// TestEmpty: a table without a row has a row group without pages, as pyarrow writes it.
func TestEmpty(t *testing.T) {
	data := nasty(t, "empty.parquet")
	schema, notes := guessed(t, data)
	if schema.Key != "id" || len(schema.Columns) != 1 || !strings.Contains(notes, `"n" has no value in 0 rows`) {
		t.Errorf("got the schema %+v, %s", schema, notes)
	}
	if i := read(t.Context(), t, data, true, columns(t, "n:integer")); i.state.Records != 0 {
		t.Errorf("got %+v, want no record", i.state)
	}
}
