// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/bboltstore"
)

// TestLeastInteger writes and asks for the integers at both ends of the 64 bits: in the delta, on
// pages, after opening again and by loads. In a value column the two least ones have the same
// word.
func TestLeastInteger(t *testing.T) {
	ctx, rng := t.Context(), rand.New(rand.NewPCG(3, 11))
	path := filepath.Join(t.TempDir(), "db")
	open := func() *uproar.DB {
		s, err := bboltstore.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		db, err := uproar.Open(ctx, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := open()
	field := uproar.Field{Name: "n", Type: uproar.Integer}
	ix, err := db.CreateIndex(ctx, "people", field)
	if err != nil {
		t.Fatal(err)
	}
	choices := []int64{math.MinInt64, math.MinInt64 + 1, math.MinInt64 + 2, -1, 0, 1, math.MaxInt64 - 1, math.MaxInt64}
	model := map[string]int64{}
	for range 30 {
		switch rng.IntN(6) {
		case 0:
			if err := ix.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = open()
			if ix, err = db.Index("people"); err != nil {
				t.Fatal(err)
			}
		case 2:
			l, err := ix.Load(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + rng.IntN(9) {
				key, x := fmt.Sprint("r", rng.IntN(8)), choices[rng.IntN(len(choices))]
				if err := l.SetInt("n", key, x); err != nil {
					t.Fatal(err)
				}
				model[key] = x
			}
			if err := l.Commit(); err != nil {
				t.Fatal(err)
			}
		default:
			var b uproar.Batch
			for range 1 + rng.IntN(4) {
				key, x := fmt.Sprint("r", rng.IntN(8)), choices[rng.IntN(len(choices))]
				switch rng.IntN(8) {
				case 0:
					b.Unset("n", key)
					delete(model, key)
				case 1: // only if it is that
					b.Clear("n", key, fmt.Sprint(x))
					if had, ok := model[key]; ok && had == x {
						delete(model, key)
					}
				default:
					b.Set("n", key, fmt.Sprint(x))
					model[key] = x
				}
			}
			if _, err := ix.Write(ctx, &b); err != nil {
				t.Fatal(err)
			}
		}
		checkIntegers(t, ix, model, choices)
	}
	if err := db.Verify(ctx, nil); err != nil {
		t.Error(err)
	}
	var both uproar.Batch
	both.SetInt("n", "least", math.MinInt64)
	both.SetInt("n", "next", math.MinInt64+1)
	sequence, err := ix.Write(ctx, &both)
	if err != nil {
		t.Fatal(err)
	}
	for commit, err := range ix.Changes(ctx, sequence-1) {
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range commit.Changes {
			if want := map[string]string{"least": "-9223372036854775808",
				"next": "-9223372036854775807"}; c.Field == "n" && c.Value != want[c.Record] {
				t.Errorf("the change of %s: got %s, want %s", c.Record, c.Value, want[c.Record])
			}
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkIntegers asks for the integers of all records in each way.
func checkIntegers(t *testing.T, ix *uproar.Index, model map[string]int64, choices []int64) {
	t.Helper()
	ctx, snap := context.Background(), ix.Snapshot()
	defer snap.Close()
	for key, want := range model {
		if x, ok, err := snap.Int("n", key); x != want || !ok || err != nil {
			t.Fatalf("%s: got %d, %v, %v, want %d", key, x, ok, err, want)
		}
	}
	count := func(q query.Expr, fits func(x int64) bool) {
		t.Helper()
		want := uint64(0)
		for _, x := range model {
			if fits(x) {
				want++
			}
		}
		if n, err := snap.Count(ctx, q); n != want || err != nil {
			t.Fatalf("%v: got %d, %v, want %d of %v", q, n, err, want, model)
		}
	}
	for _, c := range choices {
		text := fmt.Sprint(c)
		count(query.Equal{Field: "n", Value: text}, func(x int64) bool { return x == c })
		count(query.Compare{Field: "n", Order: query.Less, Value: text}, func(x int64) bool { return x < c })
		count(query.Compare{Field: "n", Order: query.GreaterEqual, Value: text}, func(x int64) bool { return x >= c })
		for _, d := range choices {
			count(query.Between{Field: "n", From: text, To: fmt.Sprint(d)}, func(x int64) bool {
				return c <= x && x <= d
			})
		}
		of, err := snap.Select(ctx, query.Compare{Field: "n", Order: query.LessEqual, Value: text})
		if err != nil {
			t.Fatal(err)
		}
		if in := slices.DeleteFunc(slices.Sorted(maps.Values(model)), func(x int64) bool {
			return x > c
		}); len(in) > 0 {
			n, err := of.Numbers(ctx, "n", 0, 0.5, 1)
			if err != nil || cmp.Compare(n.Min, in[0]) != 0 || n.Max != in[len(in)-1] ||
				n.Quantiles[1] != in[(len(in)+1)/2-1] {
				t.Fatalf("up to %d: got %+v, %v, want those of %v", c, n, err, in)
			}
		}
	}
	count(query.Any{Field: "n"}, func(int64) bool { return true })
}

// TestLeastIntegerBesideLoad: integers that are written while a load is being merged go over those
// of the load, for every two of them, and over what was there before.
func TestLeastIntegerBesideLoad(t *testing.T) {
	ctx := t.Context()
	db, ix := people(t)
	defer db.Close()
	choices := []int64{math.MinInt64, math.MinInt64 + 1, -5, 0, math.MaxInt64}
	model := map[string]int64{}
	for i, before := range choices {
		for k := range choices {
			for j := range choices {
				put(t, ix, func(b *uproar.Batch) { b.SetInt("age", fmt.Sprint(i, k, j), before) })
			}
		}
		if i == 2 {
			if err := ix.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	began := false
	l, err := ix.Load(ctx, &uproar.LoadOptions{Progress: func(int64, int64) {
		if began {
			return
		}
		began = true
		put(t, ix, func(b *uproar.Batch) {
			for i := range choices {
				for k := range choices {
					for j, x := range choices {
						key := fmt.Sprint(i, k, j)
						if b.SetInt("age", key, x); (i+j+k)%7 == 0 {
							b.Unset("age", key)
							delete(model, key)
							continue
						}
						model[key] = x
					}
				}
			}
		})
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range choices {
		for k, x := range choices {
			for j := range choices {
				if err := l.SetInt("age", fmt.Sprint(i, k, j), x); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"unflushed", "flushed"} {
		t.Run(state, func(t *testing.T) {
			snap := ix.Snapshot()
			defer snap.Close()
			for _, x := range choices {
				want := uint64(0)
				for key, y := range model {
					if got, ok, err := snap.Int("age", key); got != y || !ok || err != nil {
						t.Fatalf("%s: got %d, %v, %v, want %d", key, got, ok, err, y)
					}
					if x == y {
						want++
					}
				}
				if n, err := snap.Count(ctx, query.Field("age").Is(fmt.Sprint(x))); n != want || err != nil {
					t.Errorf("%d: got %d, %v, want %d", x, n, err, want)
				}
			}
			if n, err := snap.Count(ctx, query.Any{Field: "age"}); n != uint64(len(model)) || err != nil {
				t.Errorf("got %d, %v, want %d", n, err, len(model))
			}
		})
		if err := ix.Flush(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Verify(ctx, nil); err != nil {
		t.Error(err)
	}
}
