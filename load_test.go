// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// person is what the model knows of a record.
type person struct {
	tags map[string]bool
	city string
	age  *int64

	follows map[string]bool
}

// crowd is the model of an index: its records.
type crowd map[string]*person

// setter is what a Batch and a Loader have in common, without their errors.
type setter struct {
	set    func(field, record, value string)
	setInt func(field, record string, x int64)
}

// ages are integers of all lengths, the extreme ones among them.
var ages = []int64{0, 1, -1, 2, -2, 41, 1 << 20, -1 << 40, 1<<62 - 1, 1 << 62, -1 << 62, math.MaxInt64, math.MinInt64 +
	1, math.MinInt64}

// add makes a record exist.
func (c crowd) add(r string) {
	if c[r] == nil {
		c[r] = &person{tags: map[string]bool{}, follows: map[string]bool{}}
	}
}

// write sets random values, in the index and in the model.
func (c crowd) write(rng *rand.Rand, n int, s setter) {
	for range n {
		r := fmt.Sprint("r", rng.IntN(40))
		c.add(r)
		switch rng.IntN(5) {
		case 0:
			other := fmt.Sprint("r", rng.IntN(40))
			c.add(other)
			s.set("follows", r, other)
			c[r].follows[other] = true
		case 1:
			tag := fmt.Sprint("t", rng.IntN(5))
			s.set("tag", r, tag)
			c[r].tags[tag] = true
		case 2, 3:
			city := fmt.Sprint("c", rng.IntN(4))
			s.set("city", r, city)
			c[r].city = city
		default:
			x := ages[rng.IntN(len(ages))]
			c[r].age = &x
			if rng.IntN(2) == 0 {
				s.setInt("age", r, x)
			} else {
				s.set("age", r, fmt.Sprint(x))
			}
		}
	}
}

// live writes a batch: values, and what takes them away.
func (c crowd) live(t *testing.T, rng *rand.Rand, ix *uproar.Index) {
	t.Helper()
	put(t, ix, func(b *uproar.Batch) {
		for range 1 + rng.IntN(5) {
			r := fmt.Sprint("r", rng.IntN(40))
			switch rng.IntN(14) {
			case 0:
				b.DeleteRecord(r)
				delete(c, r)
				for _, p := range c {
					delete(p.follows, r)
				}
			case 12:
				b.DeleteRow("follows", r)
				if p := c[r]; p != nil {
					clear(p.follows)
				}
			case 13:
				b.DeleteRow("followers", r)
				for _, p := range c {
					delete(p.follows, r)
				}
			case 11:
				tag := fmt.Sprint("t", rng.IntN(5))
				b.DeleteRow("tag", tag)
				for _, p := range c {
					delete(p.tags, tag)
				}
			case 1:
				city := fmt.Sprint("c", rng.IntN(4))
				b.DeleteRow("city", city)
				for _, p := range c {
					if p.city == city {
						p.city = ""
					}
				}
			case 2:
				b.Unset("city", r)
				if p := c[r]; p != nil {
					p.city = ""
				}
			case 3:
				b.Unset("age", r)
				if p := c[r]; p != nil {
					p.age = nil
				}
			default:
				c.write(rng, 1, setter{b.Set, b.SetInt})
			}
		}
	})
}

// check compares every value of every record, and the lists, with the model.
func (c crowd) check(t *testing.T, ix *uproar.Index) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	cities := map[string]uint64{}
	for i := range 40 {
		r := fmt.Sprint("r", i)
		p := c[r]
		city, _, err := snap.Value("city", r)
		if p == nil {
			if !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Fatalf("%s: got %q, %v, want no record", r, city, err)
			}
			continue
		}
		x, ok, err2 := snap.Int("age", r)
		if err := errors.Join(err, err2); err != nil || city != p.city || ok != (p.age != nil) || ok && x != *p.age {
			t.Fatalf("%s: got city %q, age %d (%v), %v, want %q, %v", r, city, x, ok, err, p.city, p.age)
		}
		for v := range 5 {
			tag, place := fmt.Sprint("t", v), fmt.Sprint("c", v)
			if has, err := snap.Has("tag", r, tag); err != nil || has != p.tags[tag] {
				t.Fatalf("%s: got tag %s: %v, %v, want %v", r, tag, has, err, p.tags[tag])
			}
			if has, err := snap.Has("city", r, place); err != nil || has != (p.city == place) {
				t.Fatalf("%s: got city %s: %v, %v, want %q", r, place, has, err, p.city)
			}
		}
		cities[p.city]++
	}
	for v := range 4 {
		city := fmt.Sprint("c", v)
		if n, err := snap.Count(t.Context(), query.Equal{Field: "city", Value: city}); err != nil || n != cities[city] {
			t.Fatalf("city %s: got %d records, %v, want %d", city, n, err, cities[city])
		}
	}
	some := map[string][]string{}
	for _, r := range slices.Sorted(maps.Keys(c)) {
		p := c[r]
		for field, has := range map[string]bool{"tag": len(p.tags) > 0, "city": p.city != "", "age": p.age != nil,
			"follows": len(p.follows) > 0,
			"followers": slices.ContainsFunc(slices.Collect(maps.Values(c)), func(o *person) bool {
				return o.follows[r]
			})} {
			if has {
				some[field] = append(some[field], r)
			}
		}
	}
	for _, field := range []string{"tag", "city", "age", "follows", "followers"} {
		want := some[field]
		got, err := snap.Keys(t.Context(), query.Any{Field: field}, uproar.Page{})
		slices.Sort(got.Keys)
		if err != nil || !slices.Equal(got.Keys, want) {
			t.Fatalf("any(%s): got %q, %v, want %q", field, got.Keys, err, want)
		}
		n, err := snap.Count(t.Context(), query.Not{Of: query.Any{Field: field}})
		if err != nil || n != uint64(len(c)-len(want)) {
			t.Fatalf("none(%s): got %d records, %v, want %d", field, n, err, len(c)-len(want))
		}
		for r := range c {
			_, in := slices.BinarySearch(want, r)
			if got, err := snap.Contains(t.Context(), query.Any{Field: field}, r); err != nil || got != in {
				t.Fatalf("any(%s): got %s: %v, %v, want %v", field, r, got, err, in)
			}
		}
	}
	if n, err := snap.Count(t.Context(), query.All{}); err != nil || n != uint64(len(c)) {
		t.Fatalf("got %d records, %v, want %d", n, err, len(c))
	}
}

// staying is a store that can be opened again.
type staying struct{ store.Store }

func (staying) Close() error { return nil }

// TestLoadAsWritten loads fields of all types, in many runs, beside live writes. The writes come
// before, while and after the loads are merged. The loads must store what live writes would.
func TestLoadAsWritten(t *testing.T) {
	rounds := 20
	switch {
	case testing.Short():
		rounds = 12
	case os.Getenv("UPROAR_LONG") == "1":
		rounds = 60
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 8))
		s := staying{memstore.New()}
		db, ix := peopleIn(t, s)
		c := crowd{}
		for range 6 {
			for range rng.IntN(4) {
				c.live(t, rng, ix)
			}
			if rng.IntN(3) == 0 {
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			during := rng.IntN(3)
			load, err := ix.Load(t.Context(), &uproar.LoadOptions{MemoryBytes: int64(1 + rng.IntN(5000)),
				Progress: func(done, total int64) {
					if done > total {
						t.Errorf("got %d values of %d", done, total)
					}
					if during > 0 {
						during--
						c.live(t, rng, ix)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			var failed error
			c.write(rng, rng.IntN(120), setter{
				func(field, record, value string) { failed = errors.Join(failed, load.Set(field, record, value)) },
				func(field, record string, x int64) { failed = errors.Join(failed, load.SetInt(field, record, x)) },
			})
			if err := errors.Join(failed, load.Commit()); err != nil {
				t.Fatal(err)
			}
			c.check(t, ix)
			if rng.IntN(2) == 0 {
				c.live(t, rng, ix)
				c.check(t, ix)
			}
			if rng.IntN(2) == 0 { // what was written since Commit began is replayed above the load
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				if db, err = uproar.Open(t.Context(), s, nil); err == nil {
					ix, err = db.Index("people")
				}
				if err != nil {
					t.Fatal(err)
				}
				c.check(t, ix)
			}
			if err := errors.Join(ix.Flush(t.Context()), db.Verify(t.Context(), nil)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			c.check(t, ix)
		}
		db.Close()
	}
}

// TestLoadRefuses gives a load what it cannot take: it stays as it was.
func TestLoadRefuses(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := ix.Load(ended, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v for a load whose context has ended, want %v", err, context.Canceled)
	}
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	for what, got := range map[string]error{
		"no number":                   load.Set("age", "ann", "old"),
		"an integer for a set":        load.SetInt("tag", "ann", 3),
		"an integer for a city":       load.SetInt("city", "ann", 3),
		"an integer of nobody":        load.SetInt("age", "", 3),
		"a city that is no value":     load.Set("city", "ann", ""),
		"an integer for a relation":   load.SetInt("follows", "ann", 3),
		"an integer that is too long": load.Set("age", "ann", "9223372036854775808"),
		"records by ID for a city":    load.SetIDs("city", "Rome", bitmap.Of(0)),
		"records by ID of no value":   load.SetIDs("tag", "", bitmap.Of(0)),
	} {
		if !errors.Is(got, uproar.ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", what, got)
		}
	}
	if err := errors.Join(load.Set("city", "ann", "Rome"), load.Set("city", "ann", "Bern"),
		load.SetInt("age", "ann", 7), load.Commit()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	city, _, err := snap.Value("city", "ann")
	if n, _ := snap.Count(t.Context(), query.All{}); city != "Bern" || err != nil || n != 1 {
		t.Errorf("got %q, %v among %d records, want Bern, the last, of the only one", city, err, n)
	}
}

// TestLoadIDs gives a value to records by their IDs: those that there are, and stay.
func TestLoadIDs(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	const records = 5000
	writeAll(t, ix, func(b *uproar.Batch) {
		for i := range records {
			b.Set("tag", fmt.Sprint("p", i), "before")
		}
	})
	writeAll(t, ix, func(b *uproar.Batch) { b.DeleteRecord("p7") })
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	ids := bitmap.Of(records+5, 1<<40)
	for id := range uint64(records) {
		ids.Add(id)
	}
	if err := load.SetIDs("tag", "loaded", ids); err != nil {
		t.Fatal(err)
	}
	writeAll(t, ix, func(b *uproar.Batch) { b.DeleteRecord("p8") })
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for what, want := range map[string]uint64{"tag = loaded": records - 2, "tag = loaded and not tag = before": 0,
		"all": records - 2} {
		q, err := query.Parse(what)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := snap.Count(t.Context(), q); n != want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", what, n, err, want)
		}
	}
}
