// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// raceEnabled says that the race detector is on.
var raceEnabled bool

// allocations returns the allocations of f while the collector rests: it would empty the pools.
func allocations(f func()) float64 { return allocationsOf(50, f) }

// allocationsOf is allocations for slow functions: it runs f runs times, and that thrice.
func allocationsOf(runs int, f func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := testing.AllocsPerRun(runs, f)
	for range 2 {
		least = min(least, testing.AllocsPerRun(runs, f)) // others in the process allocate too
	}
	return least
}

// TestReadsAllocateNothing asks a warm database through its own API: point reads and counts come
// from cached pages, and leave nothing for the collector.
func TestReadsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	db, ix := people(t)
	defer db.Close()
	fill := func(from, to int) {
		put(t, ix, func(b *uproar.Batch) {
			for i := from; i < to; i++ {
				r := fmt.Sprint("r", i)
				b.Set("tag", r, fmt.Sprint("t", i%3))
				b.Set("tag", r, fmt.Sprint("u", i%2))
				b.Set("follows", r, fmt.Sprint("r", i%70))
				b.Set("city", r, fmt.Sprint("c", i%5))
				b.SetInt("age", r, int64(i%90))
			}
		})
	}
	fill(0, 5000)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"pages", "pages and delta"} {
		if state != "pages" {
			fill(4900, 5100)
		}
		snap := ix.Snapshot()
		tag, other := query.Equal{Field: "tag", Value: "t1"}, query.Equal{Field: "tag", Value: "u1"}
		follows := query.Related{Field: "follows", Key: "r9"}
		queries := map[string]query.Expr{
			"leaf":      tag,
			"and":       query.And{Of: []query.Expr{tag, other}},
			"and three": query.And{Of: []query.Expr{query.Equal{Field: "follows", Value: "r9"}, tag, other}},
			"and not":   query.And{Of: []query.Expr{tag, query.Not{Of: other}}},
			"or":        query.Or{Of: []query.Expr{tag, other, query.Equal{Field: "city", Value: "c3"}}},
			"relation":  query.And{Of: []query.Expr{follows, tag}},
			"relations": query.And{Of: []query.Expr{follows, query.Related{Field: "followers", Key: "r79"}}},
		}
		reads := map[string]func() error{
			"ID":           func() error { _, err := snap.ID("r77"); return err },
			"Has":          func() error { _, err := snap.Has("tag", "r77", "t1"); return err },
			"Has relation": func() error { _, err := snap.Has("follows", "r77", "r9"); return err },
			"Has integer":  func() error { _, err := snap.Has("age", "r77", "77"); return err },
			"Has single":   func() error { _, err := snap.Has("city", "r77", "c2"); return err },
			"Int":          func() error { _, _, err := snap.Int("age", "r77"); return err },
		}
		for name, q := range queries {
			reads["Count of "+name] = func() error { _, err := snap.Count(t.Context(), q); return err }
			reads["Contains of "+name] = func() error { _, err := snap.Contains(t.Context(), q, "r77"); return err }
		}
		for name, read := range reads {
			var err error
			if n := allocations(func() { err = read() }); n != 0 || err != nil {
				t.Errorf("%s, %s: got %v allocations, %v, want none", state, name, n, err)
			}
		}
		snap.Close()
	}
}
