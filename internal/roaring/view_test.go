// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestViewAgainstModel(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(1, 2))
	for i, s := range roaringtest.Samples(r, 25) {
		t.Run(fmt.Sprint(i, " ", s.Name), func(t *testing.T) {
			v, err := view.OpenBody(s.Body)
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Validate(); err != nil {
				t.Fatal(err)
			}
			checkView(t, r, v, s.Values)
		})
	}
}

// checkView compares every read of v with a sorted slice.
func checkView(t *testing.T, r *rand.Rand, v view.View, values []uint64) {
	t.Helper()
	if got := v.Len(); got != uint64(len(values)) {
		t.Fatalf("Len: got %d, want %d", got, len(values))
	}
	if got := v.IsEmpty(); got != (len(values) == 0) {
		t.Fatalf("IsEmpty: got %v", got)
	}
	lo, okLo := v.Min()
	hi, okHi := v.Max()
	if okLo != (len(values) > 0) || okHi != okLo {
		t.Fatalf("Min, Max: ok is %v, %v", okLo, okHi)
	}
	if okLo && (lo != values[0] || hi != values[len(values)-1]) {
		t.Fatalf("Min, Max: got %d, %d, want %d, %d", lo, hi, values[0], values[len(values)-1])
	}
	if got := v.AppendTo([]uint64{7}); !slices.Equal(got[1:], values) || got[0] != 7 {
		t.Fatal("AppendTo: wrong values")
	}
	if got := slices.Collect(v.All()); !slices.Equal(got, values) {
		t.Fatal("All: wrong values")
	}
	back := slices.Collect(v.Backward())
	slices.Reverse(back)
	if !slices.Equal(back, values) {
		t.Fatal("Backward: wrong values")
	}
	for _, x := range roaringtest.Asked(r, values) {
		i, found := slices.BinarySearch(values, x)
		if got := v.Contains(x); got != found {
			t.Fatalf("Contains(%d): got %v", x, got)
		}
		if got, want := v.Rank(x), roaringtest.RankOf(values, x); got != want {
			t.Fatalf("Rank(%d): got %d, want %d", x, got, want)
		}
		k := 0
		for got := range v.From(x) {
			if i+k >= len(values) || values[i+k] != got {
				t.Fatalf("From(%d): value %d is %d", x, k, got)
			}
			if k++; k == 5 {
				break
			}
		}
		if want := min(5, len(values)-i); k != want {
			t.Fatalf("From(%d): got %d values, want %d", x, k, want)
		}
	}
	for range 60 {
		i := r.Uint64N(uint64(len(values)) + 3)
		got, ok := v.Select(i)
		if ok != (i < uint64(len(values))) || ok && got != values[i] {
			t.Fatalf("Select(%d): got %d, %v", i, got, ok)
		}
	}
	checkCursor(t, r, v, values)
}

// checkCursor walks and seeks.
func checkCursor(t *testing.T, r *rand.Rand, v view.View, values []uint64) {
	t.Helper()
	var s container.Scratch
	var got []uint64
	c := v.Cursor(&s)
	for c.Next() {
		if r.IntN(3) == 0 && c.BlockLen() == 0 {
			t.Fatal("Cursor: empty block")
		}
		b := c.Block()
		if b.Key != c.Key() || b.Len() != c.BlockLen() {
			t.Fatalf("Cursor: block of key %d and %d values at key %d and %d values", b.Key, b.Len(), c.Key(),
				c.BlockLen())
		}
		got = b.AppendTo(got)
	}
	if !slices.Equal(got, values) {
		t.Fatal("Cursor: wrong values")
	}
	if c.Next() || c.Seek(0) || !c.Block().IsEmpty() {
		t.Fatal("Cursor: moves behind the end")
	}
	for range 8 {
		// Random steps, some blocks not looked at.
		c := v.Cursor(nil)
		at := uint64(0) // smallest key allowed
		for range 30 {
			target := at
			switch r.IntN(4) {
			case 0:
				target += r.Uint64N(3)
			case 1:
				target += r.Uint64N(1 << r.IntN(40))
			case 2:
				if len(values) > 0 {
					target = max(at, values[r.IntN(len(values))]>>16)
				}
			}
			target = min(target, container.MaxKey)
			var ok bool
			if r.IntN(3) == 0 {
				ok, target = c.Next(), at
			} else {
				ok = c.Seek(target)
				if c.I >= 0 && target < at {
					target = at
				}
			}
			i, _ := slices.BinarySearch(values, target<<16)
			if !ok {
				if i < len(values) {
					t.Fatalf("Seek(%d): no block, want key %d", target, values[i]>>16)
				}
				break
			}
			if i == len(values) || c.Key() != values[i]>>16 {
				t.Fatalf("Seek(%d): got key %d", target, c.Key())
			}
			if r.IntN(2) == 0 {
				j, _ := slices.BinarySearchFunc(values, c.Key()+1, func(x, key uint64) int {
					if x>>16 < key {
						return -1
					}
					return 1
				})
				if got := c.Block().AppendTo(nil); !slices.Equal(got, values[i:j]) {
					t.Fatalf("Seek(%d): wrong block of key %d", target, c.Key())
				}
			}
			// A key behind stays.
			if before := c.Key(); !c.Seek(before/2) || c.Key() != before {
				t.Fatal("Seek: moved back")
			}
			if at = c.Key() + 1; at > container.MaxKey {
				break
			}
			if r.IntN(2) == 0 {
				continue
			}
		}
	}
}

// TestCursorBehindTheLastKey walks off the set at the largest key that there is.
func TestCursorBehindTheLastKey(t *testing.T) {
	for _, values := range [][]uint64{{1<<64 - 1}, {5, 1<<64 - 2, 1<<64 - 1}} {
		for _, level := range []pack.Layout{pack.Smallest, pack.Fastest} {
			b := pair.Of(values...)
			b.Pack(level)
			checkCursor(t, rand.New(rand.NewPCG(1, 1)), b.View(), values)
		}
	}
}

// TestRevisionsAreNotShared counts what changes add while others do the same: the memory that they
// borrow must not be read once it is given back.
func TestRevisionsAreNotShared(t *testing.T) {
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for range 200 {
				b := pair.FromSorted([]uint64{1, 1 << 20, 1 << 33})
				n := b.Len()
				for range 20 {
					if b.Add(r.Uint64N(1 << 34)) {
						n++
					}
				}
				if b.Len() != n {
					t.Errorf("got %d values, want %d", b.Len(), n)
				}
			}
		})
	}
	all.Wait()
}
