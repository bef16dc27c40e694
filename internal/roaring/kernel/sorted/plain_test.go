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

// TestPlain asks plain lists on each path for what a sorted slice says of them.
func TestPlain(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		r := rand.New(rand.NewPCG(174, 1))
		for range 3000 {
			width := PlainLeast + r.IntN(PlainMost-PlainLeast+1)
			values := plainDraw(r, 1+r.IntN(PlainUpTo), width)
			list := plainOf(values, width)
			for i, want := range values {
				if got := PlainAt(list, width, i); got != want {
					t.Fatalf("%v: value %d of %x, %d bytes each: got %x", p, i, values, width, got)
				}
			}
			var read [PlainUpTo]uint64
			if n := PlainValues(read[:], list, width); !slices.Equal(read[:n], values) {
				t.Fatalf("%v: values of %d bytes: got %x, want %x", p, width, read[:n], values)
			}
			for range 20 {
				x := values[r.IntN(len(values))] + uint64(r.IntN(3)) - 1
				switch r.IntN(10) {
				case 0:
					x = r.Uint64() >> r.IntN(64)
				case 1: // a value, but for bits that none has
					x += 1 << (8*width + r.IntN(8))
				}
				i, found := slices.BinarySearch(values, x)
				if got := PlainHas(list, width, x); got != found {
					t.Fatalf("%v: whether %x is in %x, %d bytes each: got %v", p, x, values, width, got)
				}
				if got := PlainRank(list, width, x); got != i+swar.One(found) {
					t.Fatalf("%v: rank of %x in %x, %d bytes each: got %d, want %d", p, x, values, width, got,
						i+swar.One(found))
				}
			}
			a, b := plainDraw(r, r.IntN(PlainUpTo+1), PlainLeast), plainDraw(r, r.IntN(PlainUpTo+1), PlainLeast)
			for i := range b {
				if len(a) > 0 && r.IntN(2) == 0 {
					b[i] = a[r.IntN(len(a))]
				}
			}
			slices.Sort(b)
			b = slices.Compact(b)
			m, n := plainOf(a, PlainLeast), plainOf(b, PlainLeast)
			want := len(foundInBoth(a, b))
			if got := PlainAndLen(m, n); got != want {
				t.Fatalf("%v: %x and %x: got %d in common, want %d", p, a, b, got, want)
			}
			if apart := len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] ||
				b[len(b)-1] < a[0]; PlainApart(m, n) != apart {
				t.Fatalf("%v: %x and %x: apart: got %v", p, a, b, !apart)
			}
		}
		same := make([]byte, 4*PlainUpTo) // not valid
		if got := PlainAndLen(same, same[:40]); got > 10 {
			t.Errorf("%v: lists of %d and 10 zeros: got %d in common", p, PlainUpTo, got)
		}
		long := make([]uint64, PlainUpTo+1)
		for i := range long {
			long[i] = uint64(7 * i)
		}
		if got := PlainAndLen(plainOf(long, PlainLeast), plainOf(long[PlainUpTo-1:], PlainLeast)); got != 1 {
			t.Errorf("%v: of a list of %d values the last one is not looked at: got %d in common, want 1", p, len(long),
				got)
		}
		// lists that are empty, and widths that there are not
		for width := PlainLeast - 1; width <= PlainMost+2; width++ {
			var list []byte
			if width < PlainLeast || width > PlainMost {
				list = same
			}
			if rank, n := PlainRank(list, width, 1<<40), PlainValues(long, list, width); rank != 0 || n != 0 {
				t.Errorf("%v: %d bytes of values of %d: got rank %d and %d values, want none", p, len(list), width,
					rank, n)
			}
		}
		if got := PlainAndLen(append(plainOf([]uint64{1}, 4), make([]byte, 4*PlainUpTo)...), nil); got != 0 {
			t.Errorf("%v: an empty list: got %d in common", p, got)
		}
	}
}

// BenchmarkPlain looks values up in plain lists, and compares two.
func BenchmarkPlain(b *testing.B) {
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
				lists[i] = plainOf(slices.Compact(values), width)
			}
			name := fmt.Sprintf("/n=%d/width=%d", n, width)
			b.Run("Has"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					PlainHas(lists[i&63], width, 1+uint64(i)*swar.HashFactor>>(64-8*width))
				}
			})
			b.Run("Rank"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					PlainRank(lists[i&63], width, uint64(i)*swar.HashFactor>>(64-8*width))
				}
			})
			b.Run("Values"+name, func(b *testing.B) {
				var dst [PlainUpTo]uint64
				for i := 0; b.Loop(); i++ {
					PlainValues(dst[:], lists[i&63], width)
				}
			})
			if width == PlainLeast {
				b.Run("AndLen"+name, func(b *testing.B) {
					for i := 0; b.Loop(); i++ {
						PlainAndLen(lists[i&63], lists[(i+1)&63])
					}
				})
			}
		}
	}
}
