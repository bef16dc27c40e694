// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestParallel has enough containers, of all kinds, for many ranges.
func TestParallel(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for round := range 4 {
		var sets []sample
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
			b := FromSorted(values)
			b.Pack([]Layout{Fastest, Smallest}[r.IntN(2)])
			sets = append(sets, sample{"many chunks", b.View().Body(), values})
		}
		if round == 3 {
			sets = append(sets, sample{"list", AppendBody(nil, sets[0].values[:500]), sets[0].values[:500]})
		}
		var views []View
		for _, s := range sets {
			views = append(views, open(t, s.body))
		}
		or, and, xor, andNot := OrAll(views...).View(), AndAll(views...).View(), XorAll(views...).View(), AndNotAll(views[0], views[1:]...).View()
		for _, workers := range []int{-1, 0, 1, 2, 3, 16} {
			for _, c := range []struct {
				name string
				got  *Bitmap
				want View
			}{
				{"ParallelOrAll", ParallelOrAll(workers, views...), or},
				{"ParallelAndAll", ParallelAndAll(workers, views...), and},
				{"ParallelXorAll", ParallelXorAll(workers, views...), xor},
				{"ParallelAndNotAll", ParallelAndNotAll(workers, views[0], views[1:]...), andNot},
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
}

func TestCutKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	var views []View
	for range 10 {
		cs, _ := randomContainers(r, 20)
		views = append(views, open(t, compactBody(cs, 0)))
	}
	for _, n := range []int{0, 1, 2, 7, 100} {
		ranges := cutKeys(views, n)
		if len(ranges) > max(n, 1) || n > 1 && len(ranges) < 2 {
			t.Fatalf("%d ranges: got %d", n, len(ranges))
		}
		next := uint64(0)
		for _, within := range ranges {
			if within.lo != next || within.hi <= within.lo {
				t.Fatalf("%d ranges: got %v after %d", n, within, next)
			}
			next = within.hi
		}
		if next != maxKey+1 {
			t.Fatalf("%d ranges: the last ends at %d", n, next)
		}
	}
}
