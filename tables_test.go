// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// census is a model of people: the values of each in each field.
type census map[string]map[string][]string

// write gives a record random values; one of a gender is whole as long as every record has one.
func (c census) write(rng *rand.Rand, b *uproar.Batch, r string, whole bool) {
	of := map[string][]string{}
	single := func(field string, values int) {
		of[field] = []string{fmt.Sprint(field, rng.IntN(values))}
		b.Set(field, r, of[field][0])
	}
	if b.DeleteRecord(r); whole || rng.IntN(20) > 0 {
		single("gender", 2)
	}
	if whole || rng.IntN(3) > 0 {
		single("age", 7)
	}
	for _, field := range []string{"tag", "word"} {
		for i := range map[string]int{"tag": 4, "word": 66}[field] {
			if rng.IntN(6) == 0 {
				of[field] = append(of[field], fmt.Sprint(field, i))
				b.Set(field, r, fmt.Sprint(field, i))
			}
		}
	}
	if len(of) == 0 {
		single("gender", 2)
	}
	c[r] = of
}

// groups counts the records of a predicate by some fields.
func (c census) groups(fits func(map[string][]string) bool, fields []string) map[string]uint64 {
	counts := map[string]uint64{}
	for _, of := range c {
		if !fits(of) {
			continue
		}
		keys := []string{""}
		for _, field := range fields {
			var next []string
			for _, key := range keys {
				for _, value := range of[field] {
					next = append(next, key+" "+value)
				}
			}
			keys = next
		}
		for _, key := range keys {
			counts[key]++
		}
	}
	return counts
}

// TestTables compares tables of fields with few and many values with a plain count. It does so with
// and without a pending delta, deletions and values that were taken away.
func TestTables(t *testing.T) {
	tables := [][]string{{"gender"}, {"age"}, {"tag"}, {"word"}, {"gender", "age"}, {"age", "gender"},
		{"gender", "tag"}, {"tag", "tag"}, {"gender", "age", "tag"}, {"age", "word"}}
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 10))
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "gender", Type: uproar.Single},
			uproar.Field{Name: "age", Type: uproar.Single}, uproar.Field{Name: "tag", Type: uproar.Set},
			uproar.Field{Name: "word", Type: uproar.Set, Column: uproar.FastColumn})
		if err != nil {
			t.Fatal(err)
		}
		c, whole, people := census{}, seed%2 == 0, 400
		for round := range 4 {
			for range 3 {
				put(t, ix, func(b *uproar.Batch) {
					for range 150 {
						c.write(rng, b, fmt.Sprint("r", rng.IntN(people)), whole)
					}
				})
			}
			if round == 2 {
				put(t, ix, func(b *uproar.Batch) {
					for i := range 100 {
						b.DeleteRecord(fmt.Sprint("r", i))
						delete(c, fmt.Sprint("r", i))
					}
					if b.DeleteRow("tag", "tag1"); !whole {
						b.DeleteRow("gender", "gender1")
					}
				})
				for _, of := range c {
					of["tag"] = without(of["tag"], "tag1")
					if !whole {
						of["gender"] = without(of["gender"], "gender1")
					}
				}
			}
			c.check(t, ix, tables)
			if rng.IntN(2) == 0 {
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				c.check(t, ix, tables)
			}
		}
		db.Close()
	}
}

func without(values []string, value string) (left []string) {
	for _, v := range values {
		if v != value {
			left = append(left, v)
		}
	}
	return left
}

func (c census) check(t *testing.T, ix *uproar.Index, tables [][]string) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	totals := map[string]uint64{}
	for _, of := range c {
		for field, values := range of {
			for _, value := range values {
				totals[field+value]++
			}
		}
	}
	has := func(field, value string) func(map[string][]string) bool {
		return func(of map[string][]string) bool { return len(without(of[field], value)) < len(of[field]) }
	}
	for text, fits := range map[string]func(map[string][]string) bool{
		"all": func(map[string][]string) bool {
			return true
		}, "gender = gender0": has("gender", "gender0"),
		"word = word7 and tag = tag2": func(of map[string][]string) bool {
			return has("word", "word7")(of) && has("tag", "tag2")(of)
		},
		"word = word1 and word = word2 and tag = tag0": func(of map[string][]string) bool {
			return has("word", "word1")(of) && has("word", "word2")(of) && has("tag", "tag0")(of)
		}, "gender = nobody": has("gender", "nobody"),
	} {
		e, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		of, err := snap.Select(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := of.Tables(t.Context(), 0, tables...)
		if err != nil || len(got) != len(tables) {
			t.Fatalf("%s: got %d tables, %v, want %d", text, len(got), err, len(tables))
		}
		for i, fields := range tables {
			want := c.groups(fits, fields)
			if len(got[i]) != len(want) {
				t.Fatalf("%s: %v: got %d groups, want %d", text, fields, len(got[i]), len(want))
			}
			for k, g := range got[i] {
				if key := " " + strings.Join(g.Keys, " "); g.Count != want[key] || k > 0 &&
					g.Count > got[i][k-1].Count {
					t.Fatalf("%s: %v: got %d of %s at place %d, want %d, the largest first", text, fields, g.Count, key,
						k, want[key])
				}
			}
			some, err := of.Tables(t.Context(), 3, fields)
			if want := got[i][:min(3, len(got[i]))]; err != nil || fmt.Sprint(some[0]) != fmt.Sprint(want) {
				t.Fatalf("%s: %v: got %v, %v, want %v", text, fields, some, err, want)
			}
			for k := range got[i] {
				if value := got[i][k].Keys; len(fields) == 1 && got[i][k].Total != totals[fields[0]+value[0]] {
					t.Fatalf("%s: %v: got %d records with %s, want %d", text, fields, got[i][k].Total, value,
						totals[fields[0]+value[0]])
				}
				got[i][k].Total = 0
			}
			if alone, err := of.Groups(t.Context(), 3, fields...); err != nil ||
				fmt.Sprint(alone) != fmt.Sprint(got[i][:min(3, len(got[i]))]) {
				t.Fatalf("%s: %v: got %v, %v, want the first of %v", text, fields, alone, err, got[i])
			}
		}
	}
}

// TestTablesRefuses: what cannot be a table is told.
func TestTablesRefuses(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) { b.Set("city", "ann", "Rome") })
	snap := ix.Snapshot()
	defer snap.Close()
	of, err := snap.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	for want, fields := range map[error][]string{uproar.ErrInvalid: {}, uproar.ErrUnknownField: {"city", "colour"}} {
		if _, err := of.Tables(t.Context(), 0, []string{"city"}, fields); !errors.Is(err, want) {
			t.Errorf("%v: got %v, want %v", fields, err, want)
		}
	}
	if _, err := of.Tables(t.Context(), -1, []string{"city"}); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("limit: got %v, want ErrInvalid", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := of.Tables(ended, 0, []string{"city"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if none, err := of.Tables(t.Context(), 0); err != nil || len(none) != 0 {
		t.Errorf("got %v, %v, want no tables", none, err)
	}
}
