// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// TestFixedLists asks fixed lists on each path for what a sorted slice says of them.
func TestFixedLists(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		r := rand.New(rand.NewPCG(174, 1))
		for range 3000 {
			width := FixedLeast + r.IntN(FixedMost-FixedLeast+1)
			values := fixedDraw(r, 1+r.IntN(FixedUpTo), width)
			list := fixedOf(values, width)
			for i, want := range values {
				if got := FixedAt(list, width, i); got != want {
					t.Fatalf("%v: value %d of %x, %d bytes each: got %x", p, i, values, width, got)
				}
			}
			var read [FixedUpTo]uint64
			if n := FixedValues(read[:], list, width); !slices.Equal(read[:n], values) {
				t.Fatalf("%v: values of %d bytes: got %x, want %x", p, width, read[:n], values)
			}
			for range 20 {
				x := values[r.IntN(len(values))] + uint64(r.IntN(3)) - 1
				switch r.IntN(10) {
				case 0:
					x = r.Uint64() >> r.IntN(64)
				case 1: // a value with a bit that none has
					x += 1 << (8*width + r.IntN(8))
				}
				i, found := slices.BinarySearch(values, x)
				if got := FixedHas(list, width, x); got != found {
					t.Fatalf("%v: whether %x is in %x, %d bytes each: got %v", p, x, values, width, got)
				}
				if got := FixedRank(list, width, x); got != i+swar.One(found) {
					t.Fatalf("%v: rank of %x in %x, %d bytes each: got %d, want %d", p, x, values, width, got,
						i+swar.One(found))
				}
			}
			a, b := fixedDraw(r, r.IntN(FixedUpTo+1), FixedLeast), fixedDraw(r, r.IntN(FixedUpTo+1), FixedLeast)
			for i := range b {
				if len(a) > 0 && r.IntN(2) == 0 {
					b[i] = a[r.IntN(len(a))]
				}
			}
			slices.Sort(b)
			b = slices.Compact(b)
			m, n := fixedOf(a, FixedLeast), fixedOf(b, FixedLeast)
			want := len(foundInBoth(a, b))
			if got := FixedAndLen(m, n); got != want {
				t.Fatalf("%v: %x and %x: got %d in common, want %d", p, a, b, got, want)
			}
			if disjoint := len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] ||
				b[len(b)-1] < a[0]; FixedDisjoint(m, n) != disjoint {
				t.Fatalf("%v: %x and %x: apart: got %v", p, a, b, !disjoint)
			}
		}
		testFixedCommon(t, r)
		same := make([]byte, 4*FixedUpTo) // not valid
		if got := FixedAndLen(same, same[:40]); got > 10 {
			t.Errorf("%v: lists of %d and 10 zeros: got %d in common", p, FixedUpTo, got)
		}
		long := make([]uint64, FixedUpTo+1)
		for i := range long {
			long[i] = uint64(7 * i)
		}
		if got := FixedAndLen(fixedOf(long, FixedLeast), fixedOf(long[FixedUpTo-1:], FixedLeast)); got != 1 {
			t.Errorf("%v: of a list of %d values the last one is not looked at: got %d in common, want 1", p, len(long),
				got)
		}
		// lists that are empty, and widths that there are not
		for width := FixedLeast - 1; width <= FixedMost+2; width++ {
			var list []byte
			if width < FixedLeast || width > FixedMost {
				list = same
			}
			if rank, n := FixedRank(list, width, 1<<40), FixedValues(long, list, width); rank != 0 || n != 0 {
				t.Errorf("%v: %d bytes of values of %d: got rank %d and %d values, want none", p, len(list), width,
					rank, n)
			}
		}
		if got := FixedAndLen(append(fixedOf([]uint64{1}, 4), make([]byte, 4*FixedUpTo)...), nil); got != 0 {
			t.Errorf("%v: an empty list: got %d in common", p, got)
		}
	}
}

// testFixedCommon merges lists of all widths, of which some are not valid.
func testFixedCommon(t *testing.T, r *rand.Rand) {
	for width := FixedLeast - 1; width <= FixedMost+1; width++ {
		for range 500 {
			w := min(max(width, FixedLeast), FixedMost)
			a, b := fixedDraw(r, r.IntN(20), w), fixedDraw(r, r.IntN(20), w)
			for i := range b {
				if len(a) > 0 && r.IntN(2) == 0 {
					b[i] = a[r.IntN(len(a))]
				}
			}
			slices.Sort(b)
			b = slices.Compact(b)
			want := len(foundInBoth(a, b))
			if width != w {
				want = 0
			}
			m, n := fixedOf(a, w), fixedOf(b, w)
			if got := FixedCommonLen(m, n, width); got != want {
				t.Fatalf("%x and %x, %d bytes each: got %d in common, want %d", a, b, width, got, want)
			}
			clear(m[:len(m)/2])
			clear(n[:len(n)/2])
			if got := FixedCommonLen(m, n, width); got > min(len(a), len(b)) {
				t.Fatalf("lists of %d and %d values that are not valid: got %d in common", len(a), len(b), got)
			}
		}
	}
}

// BenchmarkFixedLists looks values up in fixed lists, and compares two.
func BenchmarkFixedLists(b *testing.B) {
	r := rand.New(rand.NewPCG(175, 1))
	for _, n := range []int{3, 10, 20, 30, 40, 60, 100} {
		for _, width := range []int{4, 5} {
			lists := make([][]byte, 64)
			for i := range lists {
				var values []uint64
				for range n {
					values = append(values, r.Uint64N(1<<(8*width)))
				}
				slices.Sort(values)
				lists[i] = fixedOf(slices.Compact(values), width)
			}
			name := fmt.Sprintf("/n=%d/width=%d", n, width)
			b.Run("Has"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					FixedHas(lists[i&63], width, 1+uint64(i)*swar.HashFactor>>(64-8*width))
				}
			})
			b.Run("Rank"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					FixedRank(lists[i&63], width, uint64(i)*swar.HashFactor>>(64-8*width))
				}
			})
			b.Run("Values"+name, func(b *testing.B) {
				var dst [FixedUpTo]uint64
				for i := 0; b.Loop(); i++ {
					FixedValues(dst[:], lists[i&63], width)
				}
			})
			if width == FixedLeast {
				b.Run("AndLen"+name, func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						FixedAndLen(lists[i&63], lists[(i+1)&63])
					}
				})
			}
		}
	}
}
