// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// TestPatch merges changes into arrays between pages that must not be touched. Arrays have all
// lengths up to beyond two vectors, and some are longer.
func TestPatch(t *testing.T) {
	r := rand.New(rand.NewPCG(110, 1))
	dst, lows, set, unset := kerneltest.NewArena(t, 5*4096), kerneltest.NewArena(t, 3*4096), kerneltest.NewArena(t,
		3*4096), kerneltest.NewArena(t, 3*4096)
	wheres := kerneltest.Places()
	check := func(n, sets, unsets, limit int) {
		limit = max(limit, n+1, sets+1, unsets+1)
		shift := r.IntN(2) * (65536 - limit) // the largest value may be among them, or the value 0
		var operands [3][]byte
		var model [1 << 16]bool
		for i, size := range []int{n, unsets, sets} {
			var xs []int
			_, xs = kerneltest.RandomLows(r, size, limit)
			for j := range xs {
				xs[j] += shift
				model[xs[j]] = i != 1
			}
			operands[i] = kerneltest.NativeLows(xs)
			if i == 0 {
				operands[i] = kerneltest.EncodeLows(xs)
			}
		}
		for _, where := range []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]} {
			to, from := dst.Put(2*(n+sets), where, nil), lows.Put(2*n, wheres[r.IntN(len(wheres))], operands[0])
			cut, put := unset.Put(2*unsets, where, operands[1]), set.Put(2*sets, where, operands[2])
			got := Patch(to, from, kerneltest.AsLows(put), kerneltest.AsLows(cut))
			if !dst.Intact() || !lows.Intact() || !set.Intact() || !unset.Intact() || !bytes.Equal(from, operands[0]) ||
				!bytes.Equal(put, operands[2]) || !bytes.Equal(cut, operands[1]) {
				t.Fatalf("%d set and %d unset in %d values at %d: memory was changed", sets, unsets, n, where)
			}
			var want []int
			for x, in := range model {
				if in {
					want = append(want, x)
				}
			}
			if got != len(want) || !bytes.Equal(to[:2*got], kerneltest.EncodeLows(want)) {
				t.Fatalf("%d set and %d unset in %d values at %d: got %d values, want %d", sets, unsets, n, where, got,
					len(want))
			}
		}
	}
	for n := range 71 {
		for _, changes := range []int{0, 1, 7, 8, 15, 16, 31, 32, 33, 70} {
			limit := []int{0, 2 * (n + changes), 65536}[r.IntN(3)]
			check(n, changes, 0, limit)
			check(n, 0, changes, limit)
			check(n, changes, r.IntN(71), limit)
		}
	}
	for range 150 {
		check(r.IntN(4097), r.IntN(1<<r.IntN(12)), r.IntN(1<<r.IntN(12)), 1<<(9+r.IntN(8)))
	}
	check(4096, 4096, 4096, 65536)
}

// BenchmarkPatch measures the time of a value of an array and of what is merged into it. Half of
// the changes set a value, half unset one.
func BenchmarkPatch(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, size := range [][2]int{{20, 2}, {20, 20}, {100, 2}, {100, 10}, {100, 100}, {300, 10}, {300, 100}, {300, 300},
		{2000, 10}, {2000, 40}, {2000, 200}, {2000, 1000}} {
		const variants = 16 // so that jumps cannot be learned
		var arrays [variants][]byte
		var sets, unsets, mixed [variants][]uint16
		var dst [16384]byte
		for i := range variants {
			lows, _ := kerneltest.RandomLows(r, size[0], 30000)
			arrays[i] = lows
			edits, _ := kerneltest.RandomLows(r, size[1], 30000)
			for j := 0; j < len(edits); j += 2 {
				mixed[i] = append(mixed[i], swar.Uint16(edits, j))
				if r.IntN(2) == 0 {
					sets[i] = append(sets[i], swar.Uint16(edits, j))
				} else {
					unsets[i] = append(unsets[i], swar.Uint16(lows, 2*(j/2*size[0]/size[1])))
				}
			}
		}
		i := 0
		kerneltest.OnPaths(b, fmt.Sprintf("set/n=%d,%d", size[0], size[1]), size[0]+size[1], "ns/value", func() {
			i++
			Patch(dst[:], arrays[i%variants], mixed[i*5%variants], nil)
		})
		kerneltest.OnPaths(b, fmt.Sprintf("both/n=%d,%d", size[0], size[1]), size[0]+size[1], "ns/value", func() {
			i++
			Patch(dst[:], arrays[i%variants], sets[i%variants], unsets[i%variants])
		})
	}
}

// TestKeepLows compares KeepLows with the reference on each path. Lows are in any order, and the
// result goes to other memory or in place.
func TestKeepLows(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(191, 1))
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		var a bitset.Words
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		for n := range 300 {
			lows, want, got := make([]uint16, n), make([]uint16, n), make([]uint16, n)
			for i := range lows {
				lows[i] = uint16(r.Uint32())
			}
			want = want[:keepLowsGeneric(want, lows, &a)]
			if got = got[:KeepLows(got, lows, &a)]; !slices.Equal(got, want) {
				t.Fatalf("%v: %v: got %v, want %v", p, lows, got, want)
			}
			if got = lows[:KeepLows(lows, lows, &a)]; !slices.Equal(got, want) {
				t.Fatalf("%v: where they are: got %v, want %v", p, got, want)
			}
		}
	}
}

// TestKeepManyLows keeps some of more lows than one call of a kernel looks up. The result goes to
// other memory or in place.
func TestKeepManyLows(t *testing.T) {
	r := rand.New(rand.NewPCG(113, 2))
	var a bitset.Words
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	for _, n := range []int{maxLows - 1, maxLows, maxLows + 1, 2 * maxLows, 3*maxLows + 5} {
		lows, want, got := make([]uint16, n), make([]uint16, n), make([]uint16, n)
		for i := range lows {
			lows[i] = uint16(r.Uint32())
		}
		want = want[:keepLowsGeneric(want, lows, &a)]
		if got = got[:KeepLows(got, lows, &a)]; !slices.Equal(got, want) {
			t.Fatalf("%d lows: got %d, want %d, or other ones", n, len(got), len(want))
		}
		if got = lows[:KeepLows(lows, lows, &a)]; !slices.Equal(got, want) {
			t.Fatalf("%d lows, where they are: got %d, want %d, or other ones", n, len(got), len(want))
		}
	}
}
