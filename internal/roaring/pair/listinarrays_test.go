// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestListsInArrays intersects short lists with directories of a few values, on all paths. The
// directories have arrays, and also other containers behind the first. Sizes are up to what is
// decoded on the stack, and one more. After changing bytes, it only checks that the answer is the
// same each time.
func TestListsInArrays(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(311, 1))
	answered, found := 0, 0
	for i := range 1500 {
		width := []int{9, 16, 18, 22, 31, 33, 40, 60}[i%8]
		x := roaringtest.RandomValues(r, 2+r.IntN(int(min(1<<(1+i%7), uint64(1)<<width/4))), 1<<width)
		y := roaringtest.RandomValues(r, 1+r.IntN(int(min(1<<(1+i/7%7), uint64(1)<<width/4))), 1<<width)
		if bound := []int{fewOffsets / 4, fewOffsets}[i%2] + r.IntN(2); i%7 == 0 && width > 9 {
			x, y = roaringtest.RandomValues(r, bound, 1<<width), roaringtest.RandomValues(r, 1+r.IntN(bound), 1<<width)
			if i%3 == 0 {
				x, y = roaringtest.RandomValues(r, 2+r.IntN(bound), 1<<width),
					roaringtest.RandomValues(r, bound, 1<<width)
			}
		} else {
			y = append(y, x[:r.IntN(len(x))]...)
		}
		if i%7 == 0 {
			for _, v := range x[len(x)/2:] { // the last of them as well
				y[r.IntN(len(y))] = v
			}
			y[len(y)-1] = x[len(x)-1]
		}
		if i%5 == 0 {
			y = append(y, 1<<50+x[0]) // the same bits as an offset
		}
		slices.Sort(y)
		y = slices.Compact(y)
		var want []uint64
		for _, v := range x {
			if _, ok := slices.BinarySearch(y, v); ok {
				want = append(want, v)
			}
		}
		list, arrays, others := open(t, roaringtest.ListBody(x, roaringtest.BestLow(x))),
			open(t, slices.Clip(roaringtest.DirectoryOf(y))), view.View{}
		if i%3 == 0 {
			others = open(t, slices.Clip(runBody(y, i%2)))
		}
		harmed := slices.Clip(slices.Clone(arrays.Body()))
		for range 1 + r.IntN(4) {
			harmed[2+r.IntN(len(harmed)-2)] ^= byte(1 << r.IntN(8))
		}
		for _, path := range cpu.Paths() {
			cpu.Use(path)
			for _, set := range []view.View{arrays, others} {
				if set.IsEmpty() {
					continue
				}
				if n, ok := listInArraysLen(&list, &set); ok {
					answered++
					if n != len(want) {
						t.Fatalf("%v: %d and %d values below 2^%d: got %d in common, want %d", path, len(x), len(y),
							width, n, len(want))
					}
				}
				if got := AndLen(list, set); got != uint64(len(want)) {
					t.Fatalf("%v: %d and %d values below 2^%d: AndLen is %d, want %d", path, len(x), len(y), width, got,
						len(want))
				}
				if got := slices.Collect(And(set, list).All()); !slices.Equal(got, want) {
					t.Fatalf("%v: %d and %d values below 2^%d: And has %v, want %v", path, len(x), len(y), width, got,
						want)
				}
			}
			if v, err := view.OpenBody(harmed); err == nil {
				if n, m := AndLen(list, v), AndLen(list, v); n != m || n > uint64(len(x)) {
					t.Fatalf("%v: %d and %d values below 2^%d, of changed bytes: got %d and %d", path, len(x), len(y),
						width, n, m)
				}
				And(list, v)
			}
		}
		found += len(want)
	}
	if found < 10_000 || cpu.Best() == cpu.AVX512 && answered < 1000 {
		t.Errorf("%d values in common, %d pairs of few values: this tests too little", found, answered)
	}
}

// TestListsInSmallestDirectories intersects lists with directories too small for loads of eight
// bytes. Nothing stands behind them.
func TestListsInSmallestDirectories(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	lists := [][]uint64{{3, 9}, {3, 9, 200}, {3, 9, 1 << 40}, roaringtest.Span(0, 100, 3),
		roaringtest.Span(9, 8000, 80),
		append(roaringtest.Span(9, 100, 9), 1<<60)}
	for _, list := range lists {
		for _, values := range [][]uint64{{9}, {10}, {9, 90}, {9, 18, 27}, {9, 1<<16 + 9}, {255<<16 + 9}} {
			whole := roaringtest.DirectoryOf(values)
			for n := range len(whole) + 1 {
				v, err := view.OpenBody(whole[:n:n])
				if err != nil {
					continue
				}
				x, want := open(t, roaringtest.ListBody(list, roaringtest.BestLow(list))), []uint64(nil)
				for _, y := range values {
					if n == len(whole) && slices.Contains(list, y) {
						want = append(want, y)
					}
				}
				for _, path := range cpu.Paths() {
					cpu.Use(path)
					got, both := AndLen(x, v), slices.Collect(And(v, x).All())
					if n == len(whole) && (got != uint64(len(want)) || !slices.Equal(both, want)) {
						t.Errorf("%v: %d values and %d: got %d, %v, want %v", path, len(list), values, got, both, want)
					}
				}
			}
		}
	}
}

// runBody returns the set of values in runs. Only the first containers, as many as arrays says, are
// arrays.
func runBody(values []uint64, arrays int) []byte {
	var cs []roaringtest.Container
	for _, x := range values {
		if len(cs) == 0 || cs[len(cs)-1].Key != x>>16 {
			cs = append(cs, roaringtest.Container{Key: x >> 16, Kind: container.Run})
			if len(cs) <= arrays {
				cs[len(cs)-1].Kind = container.Array
			}
		}
		c := &cs[len(cs)-1]
		c.Values = append(c.Values, x)
	}
	return roaringtest.CompactBody(cs, 0)
}
