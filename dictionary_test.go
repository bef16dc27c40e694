// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// numbered gathers values as pairs of numbers in dictionaries, and sets some of a field at a time.
type numbered struct {
	t        *testing.T
	load     *uproar.Loader
	together int
	texts    map[string][]string // of the dictionary of a field, and of that of the records, which has no name
	of       map[string]*uproar.Dictionary
	pairs    map[string][]uproar.Pair
}

func newNumbered(t *testing.T, together int) *numbered {
	n := &numbered{t: t, together: together, texts: map[string][]string{}, of: map[string]*uproar.Dictionary{},
		pairs: map[string][]uproar.Pair{}}
	for i := range 40 {
		n.texts[""] = append(n.texts[""], fmt.Sprint("r", i))
		n.texts["tag"] = append(n.texts["tag"], fmt.Sprint("t", i))
		n.texts["city"] = append(n.texts["city"], fmt.Sprint("c", i/2)) // each twice, which changes nothing
	}
	n.texts["follows"] = slices.Clone(n.texts[""])
	for _, age := range ages {
		n.texts["age"] = append(n.texts["age"], fmt.Sprint(age))
	}
	for name, texts := range n.texts {
		n.of[name] = uproar.NewDictionary(texts)
	}
	return n
}

func (n *numbered) set(field, record, value string) {
	record1, value1 := slices.Index(n.texts[""], record), slices.Index(n.texts[field], value)
	n.pairs[field] = append(n.pairs[field], uproar.Pair{Record: uint32(record1), Value: uint32(value1)})
	if len(n.pairs[field]) >= n.together {
		n.flush(field)
	}
}

func (n *numbered) setInt(field, record string, x int64) {
	n.flush(field) // the last one counts
	if err := n.load.SetInt(field, record, x); err != nil {
		n.t.Fatal(err)
	}
}

func (n *numbered) flush(field string) {
	if done, err := n.load.SetPairs(field, n.of[""], n.of[field], n.pairs[field]); err != nil ||
		done != len(n.pairs[field]) {
		n.t.Fatalf("%s: got %d, %v, want all %d pairs set", field, done, err, len(n.pairs[field]))
	}
	n.pairs[field] = n.pairs[field][:0]
}

// TestSetPairsAsWritten checks that pairs of dictionaries store what their texts say. Several loads
// run, and little memory makes them forget keys.
func TestSetPairsAsWritten(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 9))
		db, ix := people(t)
		c := crowd{}
		n := newNumbered(t, 1+rng.IntN(300))
		for range 3 {
			memory, writes := int64(1+rng.IntN(5000)), 120
			if rng.IntN(2) == 0 {
				memory, writes = 1<<20, 8000
			}
			load, err := ix.Load(t.Context(), &uproar.LoadOptions{MemoryBytes: memory})
			if err != nil {
				t.Fatal(err)
			}
			n.load = load
			c.write(rng, rng.IntN(writes), setter{n.set, n.setInt})
			for field := range n.pairs {
				n.flush(field)
			}
			if err := load.Commit(); err != nil {
				t.Fatal(err)
			}
			c.check(t, ix)
			c.live(t, rng, ix)
			c.check(t, ix)
		}
		if err := db.Verify(t.Context(), nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		db.Close()
	}
}

// TestSetPairsInOrder: a load numbers the values it first meets together by descending frequency.
// Equally frequent values keep the order in which they came.
func TestSetPairsInOrder(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "tag", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	values := uproar.NewDictionary([]string{"first", "rare", "frequent", "some", "late"})
	var pairs []uproar.Pair
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint("r", i))
		for value, every := range []int{20, 20, 1, 4} {
			if i%every == 0 {
				pairs = append(pairs, uproar.Pair{Record: uint32(i), Value: uint32(value)})
			}
		}
	}
	records := uproar.NewDictionary(names)
	for _, some := range [][]uproar.Pair{pairs, {{Record: 1, Value: 4}, {Record: 1, Value: 1}}} {
		if _, err := load.SetPairs("tag", records, values, some); err != nil {
			t.Fatal(err)
		}
	}
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	of, err := snap.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	top, err := of.Top(t.Context(), "tag", uproar.TopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]uint64{"frequent": 0, "some": 1, "first": 2, "rare": 3, "late": 4}
	for _, x := range top {
		if x.Row != want[x.Key] {
			t.Errorf("%s: got row %d, want %d", x.Key, x.Row, want[x.Key])
		}
	}
	if len(top) != len(want) {
		t.Errorf("got %d values, want %d", len(top), len(want))
	}
}

// TestSetPairsRefuses: what cannot be set is told with its place, what stands before it is set, and
// nothing of it itself.
func TestSetPairsRefuses(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	records, long := uproar.NewDictionary([]string{"ann", "", "ben"}), strings.Repeat("x", 1<<17)
	for what, c := range map[string]struct {
		field  string
		values []string
		pairs  []uproar.Pair
		done   int
	}{
		"a value that is too long": {"tag", []string{"tea", long}, []uproar.Pair{{0, 0}, {2, 1}, {2, 0}}, 1},
		"an empty value":           {"city", []string{"Rome", ""}, []uproar.Pair{{0, 0}, {2, 1}}, 1},
		"an empty key":             {"tag", []string{"tea"}, []uproar.Pair{{1, 0}}, 0},
		"no number":                {"age", []string{"7", "old"}, []uproar.Pair{{0, 0}, {2, 1}}, 1},
		"no such record":           {"tag", []string{"tea"}, []uproar.Pair{{0, 0}, {3, 0}}, 1},
		"no such value":            {"city", []string{"Rome"}, []uproar.Pair{{0, 0}, {2, 1}}, 1},
	} {
		if done, err := load.SetPairs(c.field, records, uproar.NewDictionary(c.values), c.pairs); !errors.Is(err,
			uproar.ErrInvalid) || done != c.done {
			t.Errorf("%s: got %d, %v, want %d and ErrInvalid", what, done, err, c.done)
		}
	}
	if _, err := load.SetPairs("colour", records, records, nil); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("got %v, want ErrUnknownField", err)
	}
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := load.SetPairs("tag", records, records, []uproar.Pair{{0, 0}}); err == nil {
		t.Error("got no error of a load that has ended")
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for text, want := range map[string]uint64{"all": 1, "tag = tea": 1, "city = Rome": 1, "age = 7": 1} {
		e, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := snap.Count(t.Context(), e); err != nil || n != want {
			t.Errorf("%s: got %d, %v, want %d", text, n, err, want)
		}
	}
}
