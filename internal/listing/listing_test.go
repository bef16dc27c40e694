// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// person is what a plain model knows of a record.
type person struct {
	id     uint64
	key    string
	single map[string]string
	number map[string]int64
	lists  map[string][]string
}

// world is an index and its model.
type world struct {
	index  *uproar.Index
	people []*person
}

var fields = []uproar.Field{{Name: "age", Type: uproar.Integer}, {Name: "paid", Type: uproar.Integer, Scale: 2},
	{Name: "city", Type: uproar.Single}, {Name: "likes", Type: uproar.Set},
	{Name: "tags", Type: uproar.Set, Column: uproar.SmallColumn},
	{Name: "knows", Type: uproar.Relation, Inverse: "known"}}

// newWorld draws people, some of whose values are in pages and some not yet.
func newWorld(t *testing.T, r *rand.Rand, people int) *world {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	w := new(world)
	if w.index, err = db.CreateIndex(t.Context(), "people", fields...); err != nil {
		t.Fatal(err)
	}
	extremes := []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64}
	for at, name := range r.Perm(people) {
		p := &person{id: uint64(at), key: fmt.Sprint("p", name), single: map[string]string{},
			number: map[string]int64{}, lists: map[string][]string{}}
		var b uproar.Batch
		b.AddRecord(p.key)
		for _, field := range []string{"age", "paid"} {
			if x := r.Int64N(21) - 10; r.IntN(5) > 0 {
				if r.IntN(10) == 0 {
					x = extremes[r.IntN(len(extremes))]
				}
				p.number[field] = x
				b.SetInt(field, p.key, x)
			}
		}
		if r.IntN(4) > 0 {
			p.single["city"] = string(rune('A' + r.IntN(8)))
			b.Set("city", p.key, p.single["city"])
		}
		for _, field := range []string{"likes", "tags"} {
			for range r.IntN(4) {
				if value := fmt.Sprint("v", r.IntN(9)); !slices.Contains(p.lists[field], value) {
					p.lists[field] = append(p.lists[field], value)
					b.Set(field, p.key, value)
				}
			}
		}
		if at > 0 {
			other := w.people[r.IntN(at)]
			p.lists["knows"], other.lists["known"] = []string{other.key}, append(other.lists["known"], p.key)
			b.Set("knows", p.key, other.key)
		}
		if _, err := w.index.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		w.people = append(w.people, p)
		if r.IntN(people/2) == 0 {
			if err := w.index.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return w
}

// sorted is the plain reference of an order.
func (w *world) sorted(by []uproar.Order) []*person {
	people := slices.Clone(w.people)
	slices.SortFunc(people, func(a, b *person) int {
		for _, o := range by {
			c, hasA, hasB := cmp.Compare(a.key, b.key), true, true
			switch o.Field {
			case "age", "paid":
				_, hasA = a.number[o.Field]
				_, hasB = b.number[o.Field]
				c = cmp.Compare(a.number[o.Field], b.number[o.Field])
			case "city":
				_, hasA = a.single[o.Field]
				_, hasB = b.single[o.Field]
				c = cmp.Compare(a.single[o.Field], b.single[o.Field])
			}
			switch {
			case hasA != hasB && hasA:
				return -1
			case hasA != hasB:
				return 1
			case c != 0 && o.Descending:
				return -c
			case c != 0:
				return c
			}
		}
		return cmp.Compare(a.id, b.id)
	})
	return people
}

// TestSorted lists all records in every order of one and two fields, page by page, and compares
// them with a plain sort.
func TestSorted(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, r, 300)
		s := w.index.Snapshot()
		all, err := s.Select(t.Context(), query.All{})
		if err != nil {
			t.Fatal(err)
		}
		orders := [][]uproar.Order{{}}
		for _, a := range []string{"age", "paid", "city", ""} {
			for _, down := range []bool{false, true} {
				orders = append(orders, []uproar.Order{{Field: a, Descending: down}})
				for _, b := range []string{"age", "city", ""} {
					second := uproar.Order{Field: b, Descending: seed%2 == 0}
					orders = append(orders, []uproar.Order{{Field: a, Descending: down}, second})
				}
			}
		}
		for _, by := range orders {
			want, limit := w.sorted(by), 1+r.IntN(80)
			var after *uproar.Place
			for at := 0; at < len(want); {
				page, err := all.Sorted(t.Context(), by, after, limit)
				if err != nil || len(page) != min(limit, len(want)-at) {
					t.Fatalf("seed %d, by %v from %d: got %d records, %v, want %d", seed, by, at, len(page), err,
						min(limit, len(want)-at))
				}
				for _, p := range page {
					if p.Record != want[at].id {
						t.Fatalf("seed %d, by %v, record %d: got %d, want %d", seed, by, at, p.Record, want[at].id)
					}
					at++
				}
				after = &page[len(page)-1]
			}
			if page, err := all.Sorted(t.Context(), by, after, limit); len(page) > 0 || err != nil {
				t.Errorf("seed %d, by %v, behind the last: got %d records, %v", seed, by, len(page), err)
			}
		}
		s.Close()
	}
}

// remove deletes some people and takes a value of two fields from all, and gives some of it back.
func (w *world) remove(t *testing.T, r *rand.Rand) {
	t.Helper()
	write := func(b *uproar.Batch) {
		if _, err := w.index.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	var b, again uproar.Batch
	b.DeleteRow("city", "B")
	b.DeleteRow("likes", "v1")
	b.DeleteRow("tags", "v1")
	for _, p := range w.people {
		if p.single["city"] == "B" {
			delete(p.single, "city")
		}
		for field, list := range p.lists {
			p.lists[field] = slices.DeleteFunc(list, func(x string) bool { return x == "v1" })
		}
		if r.IntN(20) == 0 {
			p.single["city"] = "B"
			again.Set("city", p.key, "B")
			delete(p.number, "age")
			again.Unset("age", p.key)
		}
	}
	write(&b)
	write(&again)
	b.Reset()
	for range len(w.people) / 10 {
		gone := w.people[r.IntN(len(w.people))]
		b.DeleteRecord(gone.key)
		gone.single, gone.number, gone.lists = nil, nil, nil
		for _, p := range w.people {
			for _, field := range []string{"knows", "known"} {
				if p.lists != nil {
					p.lists[field] = slices.DeleteFunc(p.lists[field], func(x string) bool { return x == gone.key })
				}
			}
		}
	}
	write(&b)
}

// TestValues reads the values of some records in every field, and compares them with the model.
func TestValues(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := newWorld(t, r, 200)
		if seed%4 < 2 {
			w.remove(t, r)
		}
		if seed%4 == 1 {
			if err := w.index.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s := w.index.Snapshot()
		for _, many := range []int{0, 1, 10, 150} {
			places := r.Perm(len(w.people))[:many]
			ids := make([]uint64, many)
			if r.IntN(2) == 0 {
				slices.Sort(places)
			}
			for i, at := range places {
				ids[i] = w.people[at].id
			}
			for _, f := range w.index.Fields() {
				got := make([][]string, many)
				values, err := s.Values(t.Context(), f.Name)
				if err != nil {
					t.Fatal(err)
				}
				err = values.Texts(ids, func(i int, value string) error {
					got[i] = append(got[i], value)
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				for i, at := range places {
					p := w.people[at]
					want := slices.Clone(p.lists[f.Name])
					if x, ok := p.number[f.Name]; ok {
						want = []string{f.Text(x)}
					}
					if x, ok := p.single[f.Name]; ok {
						want = []string{x}
					}
					slices.Sort(got[i])
					if slices.Sort(want); !slices.Equal(got[i], want) {
						t.Fatalf("seed %d, %s of %s: got %q, want %q", seed, f.Name, p.key, got[i], want)
					}
				}
			}
		}
		s.Close()
	}
}
