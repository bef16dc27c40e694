// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// bitsetsOf returns the set of values in bitsets, one for each chunk that has values.
func bitsetsOf(values []uint64) []byte {
	var cs []roaringtest.Container
	for _, x := range values {
		if len(cs) == 0 || cs[len(cs)-1].Key != x>>16 {
			cs = append(cs, roaringtest.Container{Key: x >> 16, Kind: container.Bitset})
		}
		c := &cs[len(cs)-1]
		c.Values = append(c.Values, x)
	}
	return roaringtest.CompactBody(cs, 0)
}

// TestListsWithSets compares intersections of lists and other sets with the plain intersection, on
// all paths. The others are lists, arrays, bitsets and mixed directories. Values lie up to and
// beyond 2^32, few and many a chunk.
func TestListsWithSets(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(301, 1))
	compared, offset, dense, looked := 0, 0, 0, 0
	for i := range 600 {
		width := []int{12, 16, 18, 20, 23, 28, 32, 34, 40}[i%9]
		n := 1 + r.IntN(1<<(3+i%11))
		m := max(n*[]int{1, 1, 2, 5, 12, 40}[i%6]/[]int{1, 3, 1, 20}[i%4], 1)
		if i%50 == 0 {
			n, m = 9000, 9500
		}
		n, m = min(n, view.MaxList, 1<<width/3), min(m, view.MaxList, 1<<width/3)
		from := uint64(0)
		if i%3 == 0 {
			from = 1<<32 - 3<<16
		}
		draw := func(n int) []uint64 {
			list := roaringtest.RandomValues(r, max(n, 1), 1<<width)
			for j := range list {
				list[j] += from
			}
			return list
		}
		x, y := draw(n), draw(m)
		for range r.IntN(len(x)) {
			y = append(y, x[r.IntN(len(x))])
		}
		slices.Sort(y)
		if y = slices.Compact(y); len(y) > view.MaxList {
			y = y[:view.MaxList]
		}
		var want []uint64
		for _, v := range x {
			if _, ok := slices.BinarySearch(y, v); ok {
				want = append(want, v)
			}
		}
		sets := []view.View{open(t, roaringtest.ListBody(y, roaringtest.BestLow(y))),
			open(t, roaringtest.DirectoryOf(y)),
			open(t, pack.AppendBody(nil, y))}
		if y[len(y)-1]>>16-y[0]>>16 < 600 {
			sets = append(sets, open(t, bitsetsOf(y)))
		}
		list := open(t, roaringtest.ListBody(x, roaringtest.BestLow(x)))
		for _, path := range cpu.Paths() {
			cpu.Use(path)
			for k := range sets {
				if byOffsets(&list, &sets[k]) {
					offset++
				}
				if got, ok := inDense(nil, &list, &sets[k]); ok {
					dense++
					if got != len(want) {
						t.Fatalf("%v: %d and %d values below 2^%d, set %d, flat: got %d, want %d", path, len(x), len(y),
							width, k, got, len(want))
					}
				}
				if sets[k].Form() == view.FormList {
					if looksUp(&list, &sets[k]) {
						looked++
						if got := lookedUpLen(&list, &sets[k]); got != len(want) {
							t.Fatalf("%v: %d and %d values below 2^%d, looked up: got %d, want %d", path, len(x),
								len(y), width, got, len(want))
						}
					}
				}
				for _, pair := range [][2]view.View{{list, sets[k]}, {sets[k], list}} {
					compared++
					if got := AndLen(pair[0], pair[1]); got != uint64(len(want)) {
						t.Fatalf("%v: %d and %d values below 2^%d, set %d: got %d in common, want %d", path, len(x),
							len(y), width, k, got, len(want))
					}
					both := And(pair[0], pair[1])
					if err := both.View().Validate(); err != nil {
						t.Fatalf("%v: %d and %d values below 2^%d, set %d: %v", path, len(x), len(y), width, k, err)
					}
					if got := slices.Collect(both.All()); !slices.Equal(got, want) {
						t.Fatalf("%v: %d and %d values below 2^%d, set %d: got %d values, want %d", path, len(x),
							len(y), width, k, len(got), len(want))
					}
				}
			}
		}
	}
	t.Log(compared, "pairs,", offset, "as offsets,", dense, "flat")
	if compared < 4000*len(cpu.Paths()) || cpu.Best() == cpu.AVX512 &&
		(offset < 200 || dense < 50 || looked < 100) {
		t.Errorf("%d pairs, %d as offsets, %d flat, %d looked up: this tests little", compared, offset, dense, looked)
	}
}

// TestOffsetsBeyond looks a list of values below 2^32 up in sets that reach beyond it: what has the
// same lower 32 bits there is another value.
func TestOffsetsBeyond(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	var values, beyond []uint64
	for i := range uint64(200) {
		values = append(values, i<<8)
		beyond = append(beyond, 1<<32+i<<8)
	}
	values = append(values, 1<<32-1)
	beyond = slices.Insert(beyond, 0, 1<<32-1)
	list := open(t, roaringtest.ListBody(values, roaringtest.BestLow(values)))
	for name, body := range map[string][]byte{"arrays": roaringtest.DirectoryOf(beyond), "bitsets": bitsetsOf(beyond)} {
		set := open(t, body)
		for _, path := range cpu.Paths() {
			cpu.Use(path)
			if got := AndLen(list, set); got != 1 {
				t.Errorf("%v, %s: got %d values in common, want 1", path, name, got)
			}
			if got := slices.Collect(And(set, list).All()); !slices.Equal(got, []uint64{1<<32 - 1}) {
				t.Errorf("%v, %s: got %d", path, name, got)
			}
		}
	}
}

// TestListsLookedUp looks lists up in longer ones: as many values as memory on the stack has room
// for, or what is lent, and one more or less, up to 2^32 and beyond it.
func TestListsLookedUp(t *testing.T) {
	taken := cpu.Active
	defer cpu.Use(taken)
	r := rand.New(rand.NewPCG(302, 1))
	looked := map[int]bool{}
	for _, n := range []int{23, 24, 25, 127, 128, 129, 500, 2047, 2048, 2049} {
		for _, from := range []uint64{0, 1<<32 - 1<<20, 1<<32 - 1<<18, 1 << 32} {
			times := max(offsetsTimes*n+20, 5000)
			if times > view.MaxList && from > 0 {
				continue // of more bytes than a body has
			}
			span := uint64(times) * 150
			few, many := roaringtest.RandomValues(r, n, span), roaringtest.RandomValues(r, times-n/2, span)
			for i := range few {
				few[i] += from
			}
			for i := range many {
				many[i] += from
			}
			for i := 1 - n%2; i < n; i += 2 { // the last of them as well
				many = append(many, few[i])
			}
			slices.Sort(many)
			many = slices.Compact(many)
			body := roaringtest.ListBody
			if len(many) > view.MaxList {
				body = roaringtest.LongListBody
			}
			want := roaringtest.CombineSorted(few, many, viewOps[0].F)
			list, in := open(t, roaringtest.ListBody(few, roaringtest.BestLow(few))),
				open(t, body(many, roaringtest.BestLow(many)))
			for _, path := range cpu.Paths() {
				cpu.Use(path)
				if looksUp(&list, &in) {
					looked[n] = true
				}
				if got := AndLen(in, list); got != uint64(len(want)) {
					t.Errorf("%v: %d values from %d on and %d: got %d in common, want %d", path, n, from, len(many),
						got, len(want))
				}
				if got := slices.Collect(And(list, in).All()); !slices.Equal(got, want) {
					t.Errorf("%v: %d values from %d on and %d: And has %d values, want %d", path, n, from, len(many),
						len(got), len(want))
				}
			}
		}
	}
	if cpu.Best() == cpu.AVX512 && (len(looked) != 8 || looked[23] || looked[2049]) {
		t.Errorf("lists of as many values as %v are looked up, want 24 to 2048", looked)
	}
}
