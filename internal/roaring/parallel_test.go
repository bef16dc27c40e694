// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestParallel has enough containers, of all kinds, for many ranges.
func TestParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	shared := 0
	for round := range 4 {
		var sets []roaringtest.Sample
		for range 2 + round {
			var values []uint64
			for key := uint64(0); key < 700; key += 1 + r.Uint64N(2) {
				step := uint64(256) << r.IntN(8)
				for x := r.Uint64N(step); x < 65536; x += 1 + r.Uint64N(2*step) {
					values = append(values, key<<16|x)
				}
				if r.IntN(50) == 0 {
					key += r.Uint64N(100)
				}
			}
			b := pair.FromSorted(values)
			b.Pack([]pack.Layout{pack.Fastest, pack.Smallest}[r.IntN(2)])
			sets = append(sets, roaringtest.Sample{Name: "many chunks", Body: b.View().Body(), Values: values})
		}
		if round == 3 {
			sets = append(sets, roaringtest.Sample{Name: "list", Body: pack.AppendBody(nil, sets[0].Values[:500]),
				Values: sets[0].Values[:500]})
		}
		var views []view.View
		for _, s := range sets {
			views = append(views, open(t, s.Body))
		}
		or, and, xor, andNot := OrAll(views...).View(), AndAll(views...).View(), XorAll(views...).View(),
			AndNotAll(views[0], views[1:]...).View()
		often := slices.Repeat(views, 25) // which is worth being shared, and changes no answer: 25 is odd
		for _, workers := range []int{-1, 0, 1, 2, 3, 16} {
			shared += min(len(cutViews(workers, often, false)), 2) / 2
			for _, c := range []struct {
				name string
				got  *mutable.Bitmap
				want view.View
			}{
				{"ParallelOrAll", ParallelOrAll(workers, often...), or},
				{"ParallelAndAll", ParallelAndAll(workers, often...), and},
				{"ParallelXorAll", ParallelXorAll(workers, often...), xor},
				{"ParallelAndNotAll", ParallelAndNotAll(workers, views[0], slices.Repeat(views[1:], 25)...), andNot},
			} {
				if err := c.got.View().Validate(); err != nil {
					t.Fatalf("%s by %d workers: %v", c.name, workers, err)
				}
				if !slices.Equal(c.got.View().AppendTo(nil), c.want.AppendTo(nil)) {
					t.Fatalf("%s by %d workers: got %d values, want %d", c.name, workers, c.got.Len(), c.want.Len())
				}
			}
		}
		checkMany(t, sets)
	}
	if shared < 12 {
		t.Errorf("the work was shared %d times, want 12 at least: this tests little", shared)
	}
}

func TestCutKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	var views []view.View
	cost := 0
	for range 10 {
		cs, _ := roaringtest.RandomContainers(r, 20)
		v := open(t, roaringtest.CompactBody(cs, 0))
		views = append(views, v)
		cost += costOfView(&v)
	}
	for _, n := range []int{0, 1, 2, 7, 100} {
		ranges := cutKeys(views, cost, n)
		if len(ranges) > max(n, 1) || n > 1 && len(ranges) < 2 {
			t.Fatalf("%d ranges: got %d", n, len(ranges))
		}
		next := uint64(0)
		for _, keys := range ranges {
			if keys.lo != next || keys.hi <= keys.lo {
				t.Fatalf("%d ranges: got %v after %d", n, keys, next)
			}
			next = keys.hi
		}
		if next != container.MaxKey+1 {
			t.Fatalf("%d ranges: the last ends at %d", n, next)
		}
	}
}

// TestCutViews shares unions that take long, and no others: neither small sets, nor bitsets, which
// take next to nothing, nor sets that are asked for what one of few values has.
func TestCutViews(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	sets := func(n, values int, universe uint64) (views []view.View) {
		for range n {
			list := make([]uint64, values)
			for i := range list {
				list[i] = r.Uint64N(universe)
			}
			slices.Sort(list)
			views = append(views, pair.FromSorted(list).View())
		}
		return views
	}
	arrays := sets(100, 20_000, 1<<22)
	for _, c := range []struct {
		name    string
		workers int
		views   []view.View
		rarest  bool
		shared  bool
	}{
		{"arrays", 2, arrays, false, true},
		{"arrays of one worker", 1, arrays, false, false},
		{"few arrays", 2, arrays[:5], false, false},
		{"no sets", 2, nil, false, false},
		{"no sets, of which all must have a value", 2, nil, true, false},
		{"bitsets", 2, sets(20, 100_000, 1<<20), false, false},
		{"many short lists", 2, sets(5000, 10, 1<<22), false, false},
		{"arrays, of which all must have a value", 2, arrays, true, true},
		{"arrays and a list, of which all must have a value", 2, append(sets(1, 10, 1<<22), arrays[1:]...), true,
			false},
	} {
		if got := len(cutViews(c.workers, c.views, c.rarest)) > 1; got != c.shared {
			t.Errorf("%s: shared: got %v, want %v", c.name, got, c.shared)
		}
	}
}
