// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	library "github.com/parquet-go/parquet-go"

	"github.com/uproar-db/uproar/apps/audience/parquet"
)

// sparse is a row that may have no value at all.
type sparse struct {
	ID   *string    `parquet:"id,optional"`
	N    *int64     `parquet:"n,optional"`
	City *string    `parquet:"city,optional"`
	Day  *int32     `parquet:"day,optional,date"`
	Seen *time.Time `parquet:"seen,optional,timestamp(microsecond)"`
	Cost *int64     `parquet:"cost,optional,decimal(2:18)"`
}

func writeSparse(t *testing.T, rows ...sparse) []byte {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[sparse](&b)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRecordsOfRows: each row is a record, also if all its values are NULL or its only one is bad.
func TestRecordsOfRows(t *testing.T) {
	a, b, c, long, city, x := "a", "b", "c", strings.Repeat("k", 70_000), "Oslo", "x"
	data := writeSparse(t, sparse{ID: &a, City: &city}, sparse{ID: &b}, sparse{ID: &c, City: &x}, sparse{City: &city},
		sparse{ID: &long}, sparse{ID: &a})
	i := read(t.Context(), t, data, false, columns(t, "city:single"))
	i.check(map[string]uint64{"all": 3, "none(city)": 1, "city = Oslo": 1})
	if i.state.Records != 4 || i.state.Bad != 2 || !strings.HasPrefix(i.bad[0], "row 4, column id: got nothing") ||
		!strings.HasPrefix(i.bad[1], "row 5, column id: record: got 70000 bytes") {
		t.Errorf("got %+v, %q", i.state, i.bad)
	}
	one := int64(1)
	data = writeSparse(t, sparse{ID: &a, N: &one}, sparse{ID: &b, City: &x}, sparse{ID: &c})
	i = read(t.Context(), t, data, false, columns(t, "city:integer", "n:integer"))
	i.check(map[string]uint64{"all": 3, "none(city)": 3, "none(n)": 2})
	schema := columns(t, "n:integer")
	schema.Key = ""
	i = read(t.Context(), t, data, false, schema)
	i.check(map[string]uint64{"all": 3, "none(n)": 2})
	all := writeSparse(t, sparse{ID: &a}, sparse{ID: &b})
	i = read(t.Context(), t, all, false, columns(t, "city:single", "n:integer"))
	i.check(map[string]uint64{"all": 2, "none(city)": 2})
	if i.state.Records != 2 || i.state.Values != 0 {
		t.Errorf("got %+v, want 2 records without values", i.state)
	}
}

// TestTypes: the days, times and decimals of Parquet are read as those of other tables.
func TestTypes(t *testing.T) {
	a, day, cost := "a", int32(20484), int64(-5)
	decimal, whole := "1.500", "39.0" // by the rule for numbers of all tables
	seen := time.Date(2026, 1, 31, 12, 0, 0, 999_000_000, time.FixedZone("", 3600))
	midnight := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for column, c := range map[string]struct {
		row   sparse
		query string
	}{
		"day:date":             {sparse{ID: &a, Day: &day}, "day = 2026-01-31"},
		"seen:time":            {sparse{ID: &a, Seen: &seen}, `seen = "2026-01-31T11:00:00Z"`},
		"seen:date":            {sparse{ID: &a, Seen: &midnight}, "seen = 2026-01-31"},
		"cost:decimal:scale=2": {sparse{ID: &a, Cost: &cost}, "cost = -0.05"},
		"cost:decimal:scale=3": {sparse{ID: &a, Cost: &cost}, "cost = -0.050"},
		"city:decimal:scale=2": {sparse{ID: &a, City: &decimal}, "city = 1.5"},
		"city:integer":         {sparse{ID: &a, City: &whole}, "city = 39"},
		"day:single":           {sparse{ID: &a, Day: &day}, `day = "2026-01-31"`},
	} {
		i := read(t.Context(), t, writeSparse(t, c.row), true, columns(t, column))
		i.check(map[string]uint64{c.query: 1})
	}
	i := read(t.Context(), t, writeSparse(t, sparse{ID: &a, Seen: &seen, Cost: &cost}), false,
		columns(t, "seen:date", "cost:decimal:scale=1"))
	if i.err == nil || i.state.Bad != 2 {
		t.Errorf("got %+v, %v, want 2 bad values, which are all", i.state, i.err)
	}
}

// TestNumbering: rows without a key go on with the numbers of the table before.
func TestNumbering(t *testing.T) {
	one := int64(1)
	schema := columns(t, "n:integer")
	schema.Key = ""
	data := writeSparse(t, sparse{N: &one}, sparse{})
	i, im := begin(t.Context(), t, false, schema)
	if _, err := parquet.Read(im, bytes.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	i.finish(im, data)
	i.check(map[string]uint64{"all": 4, "n = 1": 2})
}
