// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/store/memstore"
)

// entropyBytes returns the Elias–Fano bound of n values below limit, in whole bytes.
func entropyBytes(n int, limit uint64) float64 {
	return math.Ceil(float64(n) * (2 + math.Log2(float64(limit)/float64(n))) / 8)
}

// drawn returns n distinct values below limit, among them limit-1. It returns fewer if some were
// drawn twice and n is not near limit.
func drawn(r *rand.Rand, n int, limit uint64) []uint64 {
	values := make([]uint64, 0, n)
	if limit < 4*uint64(n) {
		for x := range limit {
			if x == limit-1 || r.Uint64N(limit-x) < uint64(n-1-min(n-1, len(values))) {
				values = append(values, x)
			}
		}
		return values
	}
	for range n - 1 {
		values = append(values, r.Uint64N(limit))
	}
	values = append(values, limit-1)
	slices.Sort(values)
	return slices.Compact(values)
}

// listsOfAllSizes returns lists of densities from 2^-1 to 2^-30 in several universes. Their sizes
// go from one value to more than a page takes.
func listsOfAllSizes(r *rand.Rand) (lists [][]uint64) {
	for _, universe := range []uint64{550_000, 5_500_000, 1 << 40} {
		for k := 1; k <= 30; k++ {
			largest := 8 * format.Target / (k + 2)
			for n := 1; ; n = n*5 + r.IntN(3*n) {
				most := n > largest
				if most { // what takes nearly a page, and what takes a little more
					n = largest - r.IntN(20)
					if r.IntN(3) == 0 {
						n = largest + r.IntN(40)
					}
				}
				if limit := uint64(n) << k; limit <= universe {
					lists = append(lists, drawn(r, n, limit))
				}
				if most {
					break
				}
			}
			if n := int(universe >> k); n > 0 && n <= largest && r.IntN(2) == 0 {
				lists = append(lists, drawn(r, n, universe))
			}
		}
	}
	return lists
}

// checkListSizes compares the room of each list in the pages of a field with its bound. lists are
// the lists of the rows from 0 on. It returns how many lie in pages that lists share, and how many
// in pieces.
func checkListSizes(t *testing.T, ix *Index, field uint32, lists [][]uint64) (shared, pieces int) {
	t.Helper()
	split := map[uint64]bool{}
	refs := ix.source.State.Load().Version.Fields[field].Refs
	for i := range refs {
		if refs[i].Piece > 0 {
			split[refs[i].First] = true
			continue
		}
		p, err := ix.source.Page(&refs[i])
		if err != nil {
			t.Fatal(err)
		}
		if p.Stride != 2 {
			t.Errorf("got slots of %d bytes, want 2", p.Stride)
		}
		err = p.All(func(offset uint64, body []byte) error {
			shared++
			values := lists[refs[i].First+offset]
			n, limit := len(values), values[len(values)-1]+1
			bound := entropyBytes(n, limit)
			if got := float64(len(body) + int(p.Stride)); got > bound+4 {
				t.Errorf("%d values below %d: got %.0f bytes with the slot, want at most %.0f + 4", n, limit, got,
					bound)
			}
			if fastest := len(bodyOf(values, pack.Fastest)); len(body) > fastest {
				t.Errorf("%d values below %d: got %d bytes, in arrays, bitsets and runs %d", n, limit, len(body),
					fastest)
			}
			v, err := view.OpenBody(body)
			if err == nil && !slices.Equal(v.AppendTo(nil), values) {
				t.Errorf("%d values below %d: got others", n, limit)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return shared, len(split)
}

func bodyOf(values []uint64, layout pack.Layout) []byte {
	var b pack.Builder
	for _, x := range values {
		b.Append(x)
	}
	return b.BodyIn(nil, layout)
}

// TestListSizes: each list in a page that others share takes at most four bytes more than its
// Elias–Fano bound, its slot included, and not more than arrays, bitsets and runs would; whether a
// bulk load has written it or a flush. Lists have pages of their own only if they do not fit in
// their smallest form.
func TestListSizes(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	defer ix.Close()
	r := rand.New(rand.NewPCG(211, 212))
	lists := listsOfAllSizes(r)
	load, err := ix.Load(t.Context(), 32<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	want := 0
	for row, values := range lists {
		for _, x := range values {
			if err := load.Set(country, model.ID(uint64(row)), model.ID(x)); err != nil {
				t.Fatal(err)
			}
		}
		if len(bodyOf(values, pack.Smallest)) <= format.Target {
			want++
		}
	}
	if _, err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	shared, pieces := checkListSizes(t, ix, country, lists)
	if shared != want || pieces != len(lists)-want || pieces == 0 {
		t.Errorf("loaded: got %d lists in shared pages and %d in pieces, want %d and %d", shared, pieces, want,
			len(lists)-want)
	}

	var b Batch
	for row, values := range lists {
		last := values[len(values)-1]
		for range 1 + r.IntN(20) {
			x := r.Uint64N(last + 1)
			at, found := slices.BinarySearch(values, x)
			if found && x != last {
				values = slices.Delete(values, at, at+1)
				b.Clear(country, model.ID(uint64(row)), model.ID(x))
			} else if !found {
				values = slices.Insert(values, at, x)
				b.Set(country, model.ID(uint64(row)), model.ID(x))
			}
		}
		lists[row] = values
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again, now := checkListSizes(t, ix, country, lists); again+now != len(lists) || again < shared*9/10 {
		t.Errorf("flushed: got %d lists in shared pages and %d in pieces, had %d and %d", again, now, shared, pieces)
	}
	t.Logf("%d lists in shared pages, %d in pieces", shared, pieces)
}

// TestFastListSizes: lists of a field that is declared to be fast are balanced, or the fastest,
// also where they share a page; those of a single-valued one are balanced anyway.
func TestFastListSizes(t *testing.T) {
	const field = 40
	for declared, want := range map[model.Field]pack.Layout{
		{ID: field}:                               pack.Smallest,
		{ID: field, Column: model.SmallColumn}:    pack.Smallest,
		{ID: field, Column: model.FastColumn}:     pack.Balanced,
		{ID: field, Kind: model.Rows}:             pack.Balanced,
		{ID: field, Kind: model.Rows, Fast: true}: pack.Fastest,
	} {
		c := testConfig(t, 64<<20)
		c.Fields = append(c.Fields, declared)
		ix := open(t, memstore.New(), c)
		values := drawn(rand.New(rand.NewPCG(213, 214)), 6000, 1<<17)
		for i, x := range values {
			var b Batch
			set := func(x uint64) { b.Set(field, model.ID(7), model.ID(x)) }
			if declared.Kind == model.Rows {
				set = func(x uint64) { b.Assign(field, model.ID(x), model.ID(7)) }
			}
			set(x)
			if i < len(values)-1 && i > 0 {
				continue // two commits: the first record alone, and all of them
			}
			for _, x := range values[:i] {
				set(x)
			}
			if _, err := ix.Commit(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		refs := ix.source.State.Load().Version.Fields[field].Refs
		p, err := ix.source.Page(&refs[0])
		if err != nil || len(refs) != 1 || refs[0].Piece > 0 {
			t.Fatalf("got pages %v, %v, want one", refs, err)
		}
		if got := len(p.Slot(p.Count - 1)); got != len(bodyOf(values, want)) {
			t.Errorf("%v: got %d bytes, want %d", declared, got, len(bodyOf(values, want)))
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}
	if values := drawn(rand.New(rand.NewPCG(213, 214)), 6000, 1<<17); len(bodyOf(values,
		pack.Balanced)) <= len(bodyOf(values, pack.Smallest)) {
		t.Error("both layouts are as small")
	}
}
