// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
)

func nasty(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestReadNasty reads times of the type INT96, which Spark and Hive wrote. It also reads numbers in
// other forms than the plain one, and a row of nothing but NULL.
func TestReadNasty(t *testing.T) {
	schema := columns(t, "age:integer", "float:integer", "list:set")
	schema.Columns = append(schema.Columns, audience.Column{Name: "seen",
		Field: uproar.Field{Name: "seen", Type: uproar.Integer, Format: uproar.Time}})
	i := read(t.Context(), t, nasty(t, "nasty.parquet"), false, schema)
	i.check(map[string]uint64{`seen = "2026-01-02T03:04:05Z"`: 1, `seen = "1969-12-31T23:59:59Z"`: 1, "age = 39": 2,
		"float = 39": 1, "list = x": 1})
	if i.state.Records != 3 || len(i.bad) != 1 || !strings.HasPrefix(i.bad[0],
		"row 3, column float: float: got \"1000") {
		t.Errorf("got %d records, bad values %q, want 3, and the float of row 3", i.state.Records, i.bad)
	}
}

// TestReadRefused checks that columns without values, and two of one name, are refused by name.
// They are refused only when they are asked for.
func TestReadRefused(t *testing.T) {
	for column, want := range map[string]string{"struct": "a struct", "single": "a struct",
		"structs": "a list of structs", "lists": "a list of lists", "map": "a map", "maps": "a list of maps"} {
		i := read(t.Context(), t, nasty(t, "nasty.parquet"), false, columns(t, column+":set"))
		if want := "column \"" + column + "\" is " + want + ","; !errors.Is(i.err, audience.ErrTable) ||
			!strings.Contains(i.err.Error(), want) {
			t.Errorf("%s: got %v, want %s", column, i.err, want)
		}
	}
	i := read(t.Context(), t, nasty(t, "twice.parquet"), false, columns(t, "city:single"))
	if !errors.Is(i.err, audience.ErrTable) || !strings.Contains(i.err.Error(),
		`got the column "city" more than once`) {
		t.Errorf("got %v, want the column city twice", i.err)
	}
}

// Whichever byte of a file is damaged, the import ends with an error or without: it never panics.
func TestReadDamagedNasty(t *testing.T) {
	data := nasty(t, "nasty.parquet")
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		bad := slices.Clone(data)
		at := rng.IntN(len(bad) / 2) // pages: a footer may ask the library for any amount of memory
		bad[at] ^= byte(1 + rng.IntN(255))
		if i := read(t.Context(), t, bad, false, columns(t, "age:integer", "float:integer", "list:set",
			"seen:single")); i.err != nil && !errors.Is(i.err, audience.ErrTable) {
			t.Errorf("byte %d: got %v, want ErrTable or nothing", at, i.err)
		}
	}
}
