// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// pairsOfLists calls each with ascending lists of many lengths. They have nothing, little, half or
// all in common. Some lists do not ascend; half of these have the same two values again and again,
// so that block by block they have more in common than either has values.
func pairsOfLists(r *rand.Rand, each func(a, b []uint64, ascend bool)) {
	for i := range 4000 {
		n, m := r.IntN(1<<(i%9)), r.IntN(1<<(i/9%9))
		if i%500 == 0 {
			n, m = 3*maxMeeting+r.IntN(20), 2*maxMeeting+r.IntN(20)
		}
		universe := uint64(max(n, m)+1) << (i % 7)
		if i%20 == 15 {
			universe = 2
		}
		draw := func(n int) (list []uint64) {
			for range n {
				list = append(list, r.Uint64N(universe)+uint64(i%3)*(1<<63-universe/2))
			}
			return list
		}
		a, b := draw(n), draw(m)
		ascend := i%10 != 5
		if ascend {
			slices.Sort(a)
			slices.Sort(b)
			a, b = slices.Compact(a), slices.Compact(b)
		}
		each(a, b, ascend)
	}
}

// foundInBoth returns the values that are in two lists, found otherwise.
func foundInBoth(a, b []uint64) (both []uint64) {
	has := map[uint64]bool{}
	for _, x := range b {
		has[x] = true
	}
	for _, x := range a {
		if has[x] {
			both = append(both, x)
		}
	}
	return both
}

// TestValuesAnd compares on each path with what a map finds. Lists that do not ascend must only not
// do harm.
func TestValuesAnd(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		found := 0
		pairsOfLists(rand.New(rand.NewPCG(131, 1)), func(a, b []uint64, ascend bool) {
			dst := make([]uint64, min(len(a), len(b)))
			n := ValuesAnd(dst, a, b)
			k, i, j := ValuesAndLen(a, b)
			if i > len(a) || j > len(b) || i < len(a) && j < len(b) {
				t.Fatalf("%v: passed %d of %d and %d of %d values", p, i, len(a), j, len(b))
			}
			if !ascend {
				return
			}
			want := foundInBoth(a, b)
			if !slices.Equal(dst[:n], want) || k != len(want) {
				t.Fatalf("%v: %d and %d values: got %d and %d of them, want %d", p, len(a), len(b), n, k, len(want))
			}
			if k, p, q := ValuesAndLen(a, b[:len(b)/2]); true {
				rest, _, _ := ValuesAndLen(a[p:], b[q:])
				if k+rest != len(want) {
					t.Fatalf("%d and %d values, in two parts: got %d and %d, want %d", len(a), len(b), k, rest,
						len(want))
				}
			}
			found += len(want)
		})
		if found < 10000 {
			t.Errorf("%v: %d values in common: this tests nothing", p, found)
		}
	}
}

// compareMeeting checks a kernel that compares whole blocks. It must have found all common values
// that it has passed in either list, and leave less than a block of one list.
func compareMeeting(t *testing.T, got func(dst, a, b []uint64) (n, i, j int), writes bool) {
	const size = (3*maxMeeting + 64) * 8
	x, y, z := kerneltest.NewArena(t, size), kerneltest.NewArena(t, size), kerneltest.NewArena(t, size)
	wheres := []int{kerneltest.AtEnd, kerneltest.AtBegin, 8, 16, 24, 32, 40, 48, 56, 64}
	turn := 0
	pairsOfLists(rand.New(rand.NewPCG(132, 1)), func(a, b []uint64, ascend bool) {
		where := wheres[turn%len(wheres)]
		turn++
		p, q := kerneltest.PutValues(x, where, a), kerneltest.PutValues(y, where, b)
		var dst []uint64
		if writes {
			dst = kerneltest.PutValues(z, where, make([]uint64, min(len(a), len(b))))
		}
		n, i, j := got(dst, p, q)
		if !x.Intact() || !y.Intact() || !z.Intact() || !slices.Equal(a, p) || !slices.Equal(b, q) {
			t.Fatalf("%d and %d values at %d: memory was changed", len(a), len(b), where)
		}
		if i > len(a) || j > len(b) || writes && n > len(dst) {
			t.Fatalf("%d and %d values: passed %d and %d, found %d", len(a), len(b), i, j, n)
		}
		if !ascend {
			return
		}
		both := foundInBoth(a, b)
		var want []uint64
		for _, v := range both {
			if i > 0 && v <= a[i-1] || j > 0 && v <= b[j-1] {
				want = append(want, v)
			}
		}
		if n != len(want) || writes && !slices.Equal(dst[:n], want) {
			t.Fatalf("%d and %d values, of which %d and %d were passed: got %d in common, want %d", len(a), len(b), i,
				j, n, len(want))
		}
		full := writes && len(dst)-n < 8
		if left := min(len(a)-i, len(b)-j); left >= 8 && !full {
			t.Fatalf("%d and %d values: stopped after %d and %d", len(a), len(b), i, j)
		}
	})
}
