// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// TestCountOfRelations counts conjunctions of relations; their records are looked up together. The
// count equals a listing of the same, and fails as other queries do.
func TestCountOfRelations(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	r := rand.New(rand.NewPCG(11, 12))
	fill := func(n int) {
		put(t, ix, func(b *uproar.Batch) {
			for range n {
				b.Set("follows", fmt.Sprint("r", r.IntN(40)), fmt.Sprint("r", r.IntN(40)))
			}
		})
	}
	fill(400)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	fill(200)
	snap := ix.Snapshot()
	defer snap.Close()
	counted := map[int]uint64{}
	for range 400 {
		var and query.And
		for range 1 + r.IntN(6) {
			and.Of = append(and.Of, query.Related{Field: []string{"follows", "followers"}[r.IntN(2)],
				Key: fmt.Sprint("r", r.IntN(40))})
		}
		n, err := snap.Count(t.Context(), and)
		if err != nil {
			t.Fatalf("%s: %v", and, err)
		}
		page, err := snap.IDs(t.Context(), and, uproar.Page{})
		if err != nil || uint64(len(page.IDs)) != n {
			t.Fatalf("%s: got %d, and %d listed, %v", and, n, len(page.IDs), err)
		}
		counted[len(and.Of)] += n
	}
	for _, of := range []int{1, 2, 3, 4} {
		if counted[of] == 0 {
			t.Errorf("got no record that fits %d relations", of)
		}
	}
	known := query.Related{Field: "follows", Key: "r1"}
	for _, c := range []struct {
		of   query.Expr
		want error
	}{
		{query.Related{Field: "follows", Key: "nobody"}, nil},
		{query.Related{Field: "nothing", Key: "r1"}, uproar.ErrUnknownField},
		{query.Related{Field: "tag", Key: "r1"}, uproar.ErrInvalid},
		{query.Related{}, uproar.ErrUnknownField},
		{nil, query.ErrInvalid},
		{&query.Related{Field: "follows", Key: "r1"}, query.ErrInvalid},
	} {
		for _, of := range [][]query.Expr{{known, c.of}, {c.of, known}, {c.of, known, known, known, c.of}} {
			if n, err := snap.Count(t.Context(), query.And{Of: of}); !errors.Is(err, c.want) || n != 0 {
				t.Errorf("%#v: got %d, %v, want %v", of, n, err, c.want)
			}
		}
	}
}
