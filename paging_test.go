// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// newCrowd returns an index of records with random values. Some of them wait in the delta.
func newCrowd(t *testing.T) *uproar.Index {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ix, err := db.CreateIndex(t.Context(), "crowd", uproar.Field{Name: "likes", Type: uproar.Set,
		Column: uproar.FastColumn}, uproar.Field{Name: "plain", Type: uproar.Set},
		uproar.Field{Name: "city", Type: uproar.Single}, uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known"})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 2 {
		var b uproar.Batch
		for i := range 150 {
			record := fmt.Sprint(round*100 + i)
			for range rng.IntN(6) {
				term := fmt.Sprint("t", rng.IntN(40)*rng.IntN(2))
				b.Set("likes", record, term)
				b.Set("plain", record, term)
			}
			b.Set("city", record, fmt.Sprint("c", rng.IntN(9)))
			b.Set("age", record, fmt.Sprint(rng.IntN(90)))
			b.Set("knows", record, fmt.Sprint(rng.IntN(100)))
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
	return ix
}

// A walk from page to page has what one page of all has, in the same order.
func TestPagesOfRankings(t *testing.T) {
	snap := newCrowd(t).Snapshot()
	defer snap.Close()
	of, err := snap.Select(t.Context(), query.Compare{Field: "age", Order: query.Less, Value: "50"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := snap.Select(t.Context(), query.Compare{Field: "age", Order: query.Greater, Value: "40"})
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"likes", "plain", "city", "known"} {
		for _, o := range []uproar.TopOptions{{}, {By: uproar.ByLift}, {By: uproar.ByLift, Background: other},
			{By: uproar.ByJaccard}, {By: uproar.ByCosine, Least: 2}, {By: uproar.ByRatio, Background: other}} {
			all, err := of.Top(t.Context(), field, o)
			if err != nil || len(all) < 5 {
				t.Fatalf("%s by %q: got %d values, %v, want some", field, o.By, len(all), err)
			}
			for o.Limit = range 5 {
				var pages []uproar.Ranked
				for o.After = nil; ; o.After = &pages[len(pages)-1] {
					page, err := of.Top(t.Context(), field, o)
					if err != nil {
						t.Fatal(err)
					}
					if pages = append(pages, page...); o.Limit == 0 || len(page) < o.Limit {
						break
					}
				}
				if !reflect.DeepEqual(pages, all) {
					t.Fatalf("%s by %q in pages of %d:\n got %v\nwant %v", field, o.By, o.Limit, pages, all)
				}
			}
			values := []string{"unknown"}
			for _, r := range all {
				values = append(values, r.Key)
			}
			counts, err := of.CountOf(t.Context(), field, values...)
			if err != nil || counts[0] != 0 {
				t.Fatalf("%s: got %v, %v for an unknown value, want 0", field, counts[:1], err)
			}
			for i, r := range all {
				if o.Background == nil && counts[i+1] != r.Count {
					t.Errorf("%s: got %d records with %s, want %d", field, counts[i+1], r.Key, r.Count)
				}
			}
		}
	}
	for _, fields := range [][]string{{"city"}, {"likes"}, {"city", "plain"}, {"city", "likes", "plain"}} {
		all, err := of.Groups(t.Context(), 0, fields...)
		if err != nil || len(all) < 8 {
			t.Fatalf("%s: got %d groups, %v, want some", fields, len(all), err)
		}
		var pages []uproar.Group
		for after := (*uproar.Group)(nil); ; after = &pages[len(pages)-1] {
			page, err := of.GroupsAfter(t.Context(), after, 7, fields...)
			if err != nil {
				t.Fatal(err)
			}
			if pages = append(pages, page...); len(page) < 7 {
				break
			}
		}
		if !reflect.DeepEqual(pages, all) {
			t.Errorf("%s in pages:\n got %v\nwant %v", fields, pages, all)
		}
	}
}

// A value tells two selections apart when it is more frequent in one than in the other. They may
// overlap.
func TestTopByRatio(t *testing.T) {
	snap := newCrowd(t).Snapshot()
	defer snap.Close()
	of, _ := snap.Select(t.Context(), query.Compare{Field: "age", Order: query.Less, Value: "20"})
	all, _ := snap.Select(t.Context(), query.All{})
	for _, pair := range [][2]*uproar.Selection{{of, all}, {all, of}} {
		a, b := pair[0], pair[1]
		rows, err := a.Top(t.Context(), "likes", uproar.TopOptions{By: uproar.ByRatio, Background: b})
		if err != nil || len(rows) == 0 {
			t.Fatal(rows, err)
		}
		for _, r := range rows {
			in, err := b.CountOf(t.Context(), "likes", r.Key)
			if err != nil {
				t.Fatal(err)
			}
			want := float64(r.Count) / float64(a.Len()) * float64(b.Len()) / float64(max(in[0], 1))
			if r.Total != in[0] || r.Score != want {
				t.Errorf("%s: got %d of the other and the score %v, want %d and %v", r.Key, r.Total, r.Score, in[0],
					want)
			}
		}
	}
	for _, o := range []uproar.TopOptions{{By: uproar.ByRatio}, {By: uproar.ByCosine, Background: all}} {
		if _, err := of.Top(t.Context(), "likes", o); !errors.Is(err, uproar.ErrInvalid) {
			t.Errorf("%+v: got %v, want ErrInvalid", o, err)
		}
	}
	if _, err := of.CountOf(t.Context(), "age", "3"); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	if _, err := of.GroupsAfter(t.Context(), &uproar.Group{Rows: []uint64{1}}, 1, "city", "likes"); !errors.Is(err,
		uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}
