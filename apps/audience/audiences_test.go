// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// person is a record of the model that answers are compared with.
type person struct {
	likes     map[string]bool
	city, sex string
	age       int
}

// newPeople returns the audiences of an index of random people, and the people. Some are in pages
// and some in the delta.
func newPeople(t *testing.T, column uproar.Column) (audience.Audiences, *uproar.DB, []person) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set, Column: column},
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "sex", Type: uproar.Single}, uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var people []person
	for round := range 2 {
		var b uproar.Batch
		for range 200 {
			p, key := person{likes: map[string]bool{}}, fmt.Sprint("p", len(people))
			b.AddRecord(key)
			for range rng.IntN(5) {
				like := fmt.Sprint("l", rng.IntN(30)*rng.IntN(3)/2)
				p.likes[like] = true
				b.Set("likes", key, like)
			}
			if rng.IntN(8) > 0 {
				p.city = fmt.Sprint("c", rng.IntN(12))
				b.Set("city", key, p.city)
			}
			p.sex = "fm"[rng.IntN(2):][:1]
			b.Set("sex", key, p.sex)
			if p.age = rng.IntN(80) - 9; p.age >= 0 {
				b.Set("age", key, fmt.Sprint(p.age))
			}
			people = append(people, p)
		}
		if _, err := ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	as, err := audience.Of(db, "people")
	if err != nil {
		t.Fatal(err)
	}
	return as, db, people
}

// values returns what a person has in a field that is no integer.
func (p person) values(field string) (list []string) {
	switch {
	case field == "likes":
		for like := range p.likes {
			list = append(list, like)
		}
	case field == "city" && p.city != "":
		list = []string{p.city}
	case field == "sex":
		list = []string{p.sex}
	}
	return list
}

// tally counts the values of people.
func tally(people []person, field string) map[string]uint64 {
	counts := map[string]uint64{}
	for _, p := range people {
		for _, v := range p.values(field) {
			counts[v]++
		}
	}
	return counts
}

func those(people []person, fit func(person) bool) (out []person) {
	for _, p := range people {
		if fit(p) {
			out = append(out, p)
		}
	}
	return out
}

// audiences of the model, with their queries.
var audiences = []struct {
	query string
	fit   func(person) bool
}{
	{"all", func(person) bool { return true }},
	{"likes = l1 and age >= 30", func(p person) bool { return p.likes["l1"] && p.age >= 30 }},
	{"sex = f and not city in (c1, c2)", func(p person) bool {
		return p.sex == "f" && p.city != "c1" && p.city != "c2"
	}},
	{"at least 2 of (likes = l1, likes = l2, age < 20, sex = m)", func(p person) bool {
		n := 0
		for _, fits := range []bool{p.likes["l1"], p.likes["l2"], p.age >= 0 && p.age < 20, p.sex == "m"} {
			if fits {
				n++
			}
		}
		return n >= 2
	}},
	{"likes = nobody", func(person) bool { return false }},
}

func mustParse(t *testing.T, text string) query.Expr {
	t.Helper()
	e, err := query.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func view(t *testing.T, as audience.Audiences) *audience.View {
	t.Helper()
	v, err := as.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}

func find(t *testing.T, v *audience.View, text string) *audience.Audience {
	t.Helper()
	a, err := v.Find(t.Context(), mustParse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// Every answer about every audience is what a walk over the people gives.
func TestAnswers(t *testing.T) {
	for _, column := range []uproar.Column{uproar.NoColumn, uproar.FastColumn} {
		as, _, people := newPeople(t, column)
		v := view(t, as)
		for _, x := range audiences {
			a, in := find(t, v, x.query), those(people, x.fit)
			n := float64(len(in))
			if got, want := a.Size(), (audience.Size{Records: uint64(len(in)), Of: 400, Share: n / 400}); got != want {
				t.Errorf("%s: got size %+v, want %+v", x.query, got, want)
			}
			for _, field := range []string{"likes", "city", "sex"} {
				checkValues(t, a, field, in, people)
			}
			checkDemographics(t, a, in)
		}
	}
}

// checkValues compares the values of a field, in pages, and the word cloud.
func checkValues(t *testing.T, a *audience.Audience, field string, in, people []person) {
	t.Helper()
	counts, totals := tally(in, field), tally(people, field)
	for _, by := range []uproar.Measure{uproar.ByCount, uproar.ByLift} {
		var got []audience.Value
		o := audience.ValueOptions{By: by, Limit: 7}
		for more := true; more; {
			page, next, err := a.Values(t.Context(), field, o)
			if err != nil {
				t.Fatal(err)
			}
			if more = next; more {
				o.After = page[len(page)-1].Place(by)
			}
			got = append(got, page...)
		}
		if len(got) != len(counts) || !slices.IsSortedFunc(got, func(a, b audience.Value) int {
			if by == uproar.ByLift {
				return cmp.Or(cmp.Compare(b.Lift, a.Lift), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Row, b.Row))
			}
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Row, b.Row))
		}) {
			t.Fatalf("%s by %s: got %v, want the %d values of %v in order", field, by, got, len(counts), counts)
		}
		for _, v := range got {
			share := float64(counts[v.Key]) / float64(len(in))
			if v.Count != counts[v.Key] || v.Total != totals[v.Key] || v.Share != share ||
				!near(v.Lift, share*float64(len(people))/float64(totals[v.Key])) {
				t.Errorf("%s: got %+v, want %d of %d", field, v, counts[v.Key], totals[v.Key])
			}
		}
		cloud, err := a.Words(t.Context(), field, audience.WordOptions{Limit: 5, Least: 3})
		if err != nil {
			t.Fatal(err)
		}
		words := cloud.Common
		if by == uproar.ByLift {
			words, got = cloud.Typical, slices.DeleteFunc(got, func(v audience.Value) bool {
				return v.Count < 3 || v.Count*uint64(len(people)) <= v.Total*uint64(len(in))
			})
		}
		if want := got[:min(5, len(got))]; !slices.Equal(words, want) {
			t.Errorf("%s: got words %v, want %v", field, words, want)
		}
	}
}

func checkDemographics(t *testing.T, a *audience.Audience, in []person) {
	t.Helper()
	d, err := a.Demographics(t.Context(), audience.Aspects{Fields: []string{"sex", "likes", "city", "age"},
		Crosses: [][]string{{"sex", "city"}, {"city", "likes", "sex"}}, Limit: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Fields[:3] {
		with := uint64(len(those(in, func(p person) bool { return len(p.values(f.Field)) > 0 })))
		if counts := tally(in, f.Field); f.With != with || len(f.Values) != min(8, len(counts)) ||
			f.More != (len(counts) > 8) {
			t.Errorf("%s: got %d with one, %d values, more %v; want %d, at most 8 of %d", f.Field, f.With,
				len(f.Values), f.More, with, len(counts))
		}
	}
	var ages []int
	sum := 0.0
	for _, p := range in {
		if p.age >= 0 {
			ages, sum = append(ages, p.age), sum+float64(p.age)
		}
	}
	slices.Sort(ages)
	switch f := d.Fields[3]; {
	case f.With != uint64(len(ages)) || (f.Figures == nil) != (len(ages) == 0):
		t.Errorf("age: got %+v, want %d", f, len(ages))
	case f.Figures != nil:
		quantile := func(n int) string { return fmt.Sprint(ages[(len(ages)*n+3)/4-1]) }
		want := audience.Figures{Mean: f.Figures.Mean, Min: fmt.Sprint(ages[0]), Max: fmt.Sprint(ages[len(ages)-1]),
			Quartiles: [3]string{quantile(1), quantile(2), quantile(3)}}
		if *f.Figures != want || !near(want.Mean, sum/float64(len(ages))) {
			t.Errorf("age: got %+v, want %+v with the mean %v", *f.Figures, want, sum/float64(len(ages)))
		}
	}
	for _, c := range d.Crosses {
		counts := map[string]uint64{}
		for _, p := range in {
			combinations := []string{""}
			for _, field := range c.Fields {
				var next []string
				for _, head := range combinations {
					for _, v := range p.values(field) {
						next = append(next, head+v+" ")
					}
				}
				combinations = next
			}
			for _, key := range combinations {
				counts[key]++
			}
		}
		if len(c.Cells) != min(8, len(counts)) || c.More != (len(counts) > 8) {
			t.Errorf("%s: got %d cells, more %v, want at most 8 of %d", c.Fields, len(c.Cells), c.More, len(counts))
		}
		for i, cell := range c.Cells {
			if want := counts[strings.Join(cell.Keys, " ")+" "]; cell.Count != want ||
				cell.Share != float64(want)/float64(len(in)) || i > 0 && want > c.Cells[i-1].Count {
				t.Errorf("%s: got %+v, want %d, and the largest first", c.Fields, cell, want)
			}
		}
	}
}

func TestCompareAndOverlap(t *testing.T) {
	as, _, people := newPeople(t, uproar.FastColumn)
	v := view(t, as)
	var found []*audience.Audience
	for _, x := range audiences {
		found = append(found, find(t, v, x.query))
	}
	matrix, err := audience.Overlap(t.Context(), found...)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range audiences {
		for k, y := range audiences {
			common := those(people, func(p person) bool { return x.fit(p) && y.fit(p) })
			if matrix[i][k] != uint64(len(common)) {
				t.Errorf("%s and %s: got %d, want %d", x.query, y.query, matrix[i][k], len(common))
			}
			in, other := those(people, x.fit), those(people, y.fit)
			c, err := found[i].Compare(t.Context(), found[k], audience.CompareOptions{Fields: []string{"likes", "city"},
				Least: 2})
			if err != nil {
				t.Fatal(err)
			}
			if c.Records != uint64(len(in)) || c.Other != uint64(len(other)) || c.Both != uint64(len(common)) ||
				c.Either != c.Records+c.Other-c.Both {
				t.Errorf("%s and %s: got %+v", x.query, y.query, c)
			}
			for _, f := range c.Fields {
				counts, others := tally(in, f.Field), tally(other, f.Field)
				more, less := 0, 0
				for _, key := range slices.Sorted(func(yield func(string) bool) {
					for key := range tally(people, f.Field) {
						if !yield(key) {
							return
						}
					}
				}) {
					a, b := float64(counts[key]), float64(others[key])
					if a >= 2 && a/float64(len(in))*float64(len(other))/max(b, 1) > 1 {
						more++
					}
					if b >= 2 && b/float64(len(other))*float64(len(in))/max(a, 1) > 1 {
						less++
					}
				}
				if len(f.More) != more || len(f.Less) != less {
					t.Errorf("%s and %s: got %d more and %d less frequent values of %s, want %d and %d", x.query,
						y.query, len(f.More), len(f.Less), f.Field, more, less)
				}
				for _, d := range slices.Concat(f.More, f.Less) {
					if d.Count != counts[d.Key] || d.OtherCount != others[d.Key] ||
						!near(d.Ratio, max(1, float64(d.Count))/float64(len(in))*float64(len(other))/max(1,
							float64(d.OtherCount))) {
						t.Errorf("%s and %s: got %+v, want counts of %d and %d", x.query, y.query, d, counts[d.Key],
							others[d.Key])
					}
				}
			}
		}
	}
	if _, err := audience.Overlap(t.Context(), found[0], find(t, view(t, as), "all")); !errors.Is(err,
		audience.ErrViews) {
		t.Errorf("got %v, want ErrViews", err)
	}
}

func TestMisspelt(t *testing.T) {
	as, db, _ := newPeople(t, uproar.NoColumn)
	v := view(t, as)
	a := find(t, v, "all")
	for name, ask := range map[string]func() error{
		"index": func() error { _, err := audience.Of(db, "poeple"); return err },
		"query": func() error { _, err := v.Find(t.Context(), query.Equal{Field: "lieks", Value: "x"}); return err },
		"words": func() error { _, err := a.Words(t.Context(), "lieks", audience.WordOptions{}); return err },
		"demographics": func() error {
			_, err := a.Demographics(t.Context(), audience.Aspects{Fields: []string{"ctiy"}})
			return err
		},
		"compare": func() error {
			_, err := a.Compare(t.Context(), a, audience.CompareOptions{Fields: []string{"ctiy"}})
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%s: got %v, want a suggestion", name, err)
		}
	}
	for name, ask := range map[string]func() error{
		"words of integers": func() error { _, err := a.Words(t.Context(), "age", audience.WordOptions{}); return err },
		"measure": func() error {
			_, _, err := a.Values(t.Context(), "city", audience.ValueOptions{By: "size"})
			return err
		},
		"cross-tab of one": func() error {
			_, err := a.Demographics(t.Context(), audience.Aspects{Crosses: [][]string{{"sex"}}})
			return err
		},
		"name": func() error { _, err := as.Follow(t.Context(), "", query.All{}); return err },
	} {
		if err := ask(); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("%s: got %v, want ErrInvalid", name, err)
		}
	}
}

// Integers are compared by their figures, beside fields whose values are.
func TestCompareIntegers(t *testing.T) {
	as, _, _ := newPeople(t, uproar.NoColumn)
	v := view(t, as)
	a, b := find(t, v, "sex = f"), find(t, v, "age > 200")
	c, err := a.Compare(t.Context(), b, audience.CompareOptions{Fields: []string{"age", "city"}})
	if err != nil || len(c.Fields) != 2 || c.Fields[1].Here != nil {
		t.Fatalf("got %+v, %v, want the figures of age alone", c.Fields, err)
	}
	for i, of := range []*audience.Audience{a, b} {
		d, err := of.Demographics(t.Context(), audience.Aspects{Fields: []string{"age"}})
		if err != nil {
			t.Fatal(err)
		}
		got := []*audience.Distribution{c.Fields[0].Here, c.Fields[0].There}[i]
		if !reflect.DeepEqual(*got, d.Fields[0]) {
			t.Errorf("got %+v, want %+v", got, d.Fields[0])
		}
	}
}

// A frozen audience stays, one that follows changes with the data, and either takes the place of
