// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestShortSets compares the answers of small sets, in every form that they may have, with sorted
// slices.
func TestShortSets(t *testing.T) {
	roaringtest.OnPaths(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(43, 1))
		words, arrays, fixed := 0, 0, 0
		random := func() ([]uint64, view.View) {
			base := []uint64{0, 0, 1 << 16, 70_000, 1 << 40, ^uint64(0) - 1<<20}[r.IntN(6)]
			values := roaringtest.RandomValues(r, 1+r.IntN(1<<r.IntN(7)), 1<<(7+r.IntN(13)))
			for i := range values {
				values[i] += base
			}
			b := FromSorted(values)
			b.Pack(pack.Layout(r.IntN(3)))
			v := b.View()
			if r.IntN(8) == 0 {
				b.Add(values[0] ^ 1)
				b.Remove(values[0] ^ 1)
				values = b.AppendTo(nil)
				v = b.View()
			}
			switch _, lows := view.OneArray(&v); {
			case lows != nil:
				arrays++
			case v.Form() == view.FormList && v.IsFixed():
				fixed++
			case v.Form() == view.FormList && len(v.Raw()) <= view.HeaderList+8:
				words++
			}
			return values, v
		}
		for range 20_000 {
			xs, x := random()
			ys, y := random()
			var both []uint64
			for _, v := range xs {
				if _, ok := slices.BinarySearch(ys, v); ok {
					both = append(both, v)
				}
			}
			if got := AndLen(x, y); got != uint64(len(both)) {
				t.Fatalf("AndLen(%v, %v): got %d, want %d", xs, ys, got, len(both))
			}
			if got := Intersects(x, y); got != (len(both) > 0) {
				t.Fatalf("Intersects(%v, %v): got %v", xs, ys, got)
			}
			for _, v := range []uint64{xs[0], xs[len(xs)-1], xs[r.IntN(len(xs))], ys[r.IntN(len(ys))],
				xs[r.IntN(len(xs))] + 1, xs[0] - 1, xs[0] - 1<<16, 1 << 63} {
				_, found := slices.BinarySearch(xs, v)
				if got := x.Contains(v); got != found {
					t.Fatalf("Contains(%d) of %v: got %v", v, xs, got)
				}
				if got, want := x.Rank(v), roaringtest.RankOf(xs, v); got != want {
					t.Fatalf("Rank(%d) of %v: got %d, want %d", v, xs, got, want)
				}
			}
			i := r.IntN(len(xs) + 1)
			if got, ok := x.Select(uint64(i)); ok != (i < len(xs)) || ok && got != xs[i] {
				t.Fatalf("Select(%d) of %v: got %d, %v", i, xs, got, ok)
			}
		}
		if words < 100 || arrays < 100 || fixed < 100 {
			t.Errorf("got %d lists in a word, %d of one array, %d fixed lists, want some of each", words, arrays, fixed)
		}
	})
}
