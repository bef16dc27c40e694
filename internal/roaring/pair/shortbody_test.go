// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// shortBody is a body of a few bytes and the values that it has.
type shortBody struct {
	name   string
	body   []byte
	values []uint64
}

// shortBodies returns bodies of 3 to 12 bytes: lists of every low width and number of values that
// such a length can have, fixed lists of every width, and single values.
func shortBodies(t *testing.T, r *rand.Rand) (list []shortBody) {
	add := func(name string, body []byte, values []uint64) {
		if v := open(t, body); v.Len() != uint64(len(values)) || v.Validate() != nil {
			t.Fatalf("%s % x: got %d values, %v, want %d", name, body, v.Len(), v.Validate(), values)
		}
		list = append(list, shortBody{name, body, values})
	}
	upTo := func(n int, last uint64) []uint64 {
		values := []uint64{last}
		for x := last; len(values) < n && x > 0; {
			x -= 1 + r.Uint64N(x)>>r.IntN(64)
			values = append(values, x)
		}
		slices.Reverse(values)
		return values
	}
	for size := 3; size <= 12; size++ {
		for low := range view.MaxLowWidth + 1 {
			for n := 1; n <= (8*(size-view.HeaderList)+1)/(low+2); n++ {
				for _, pad := range []int{0, 1, 7} {
					high := 8*(size-view.HeaderList) - n*(low+1) - pad
					if high < 0 || bits.Len(uint(high))+low > 64 {
						continue
					}
					values := upTo(n, uint64(high)<<low|r.Uint64()&(1<<low-1))
					if len(values) == n {
						add("coded", roaringtest.ListBody(values, uint(low)), values)
					}
				}
			}
		}
		for n := 1; n <= 2; n++ {
			if width := (size - view.HeaderFixed - 1) / n; size == view.HeaderFixed+view.FixedBlock(n, width) &&
				width >= 4 && width <= 7 {
				values := upTo(n, 1<<(8*width-1)|r.Uint64N(1<<(8*width-1)))
				add("fixed", roaringtest.FixedBody(values), values)
			}
		}
		if width := size - 1; width <= 8 {
			x := r.Uint64() >> (64 - 8*width)
			add("single", roaringtest.SingleBody(x, width), []uint64{x})
		}
	}
	return list
}

// TestShortBodies reads bodies of a few bytes, on every path, between untouchable pages of memory.
// They stand at either end. A list of less than eight bytes, or ten with the header, has no eight
// bytes to load.
func TestShortBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(311, 1))
	list := shortBodies(t, r)
	seen := map[string]int{}
	for _, s := range list {
		seen[s.name]++
	}
	if seen["coded"] < 3000 || seen["fixed"] != 5 || seen["single"] != 7 {
		t.Errorf("%v: these are not all", seen)
	}
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, path := range cpu.Paths() {
		cpu.Use(path)
		t.Run(path.String(), func(t *testing.T) { checkShortBodies(t, r, list) })
	}
}

func checkShortBodies(t *testing.T, r *rand.Rand, list []shortBody) {
	first, second := roaringtest.NewGuarded(t, 16), roaringtest.NewGuarded(t, 16)
	for i, s := range list {
		for _, atEnd := range []bool{false, true} {
			v := open(t, first.Put(s.body, atEnd))
			asked := []uint64{0, 1, 1 << 32, 1<<64 - 1}
			for j, x := range s.values {
				asked = append(asked, x-1, x, x+1)
				if got, ok := v.Select(uint64(j)); !ok || got != x {
					t.Fatalf("%s % x, value %d of %d: got %d, %t", s.name, s.body, j, s.values, got, ok)
				}
			}
			if got, ok := v.Select(uint64(len(s.values))); ok {
				t.Fatalf("%s % x, a value behind %d: got %d", s.name, s.body, s.values, got)
			}
			for _, x := range asked {
				at, has := slices.BinarySearch(s.values, x)
				if has {
					at++
				}
				if got := v.Rank(x); got != uint64(at) || v.Contains(x) != has {
					t.Fatalf("%s % x, %d in %d: got %d, %t, want %d, %t", s.name, s.body, x, s.values, got,
						v.Contains(x), at, has)
				}
			}
			var room [128]uint64
			it := v.Iterator(0)
			if n := it.Read(room[:]); !slices.Equal(room[:n], s.values) {
				t.Fatalf("%s % x, all values: got %d, want %d", s.name, s.body, room[:n], s.values)
			}
			for _, k := range []int{i, (i + 1) % len(list), r.IntN(len(list)), r.IntN(len(list))} {
				o := list[k]
				w := open(t, second.Put(o.body, r.IntN(2) == 0))
				var want []uint64
				for _, x := range s.values {
					if slices.Contains(o.values, x) {
						want = append(want, x)
					}
				}
				if got := And(v, w).View().AppendTo(nil); !slices.Equal(got, want) ||
					AndLen(v, w) != uint64(len(want)) {
					t.Fatalf("%s % x and %s % x: got %d and %d in common, want %d", s.name, s.body, o.name, o.body, got,
						AndLen(v, w), want)
				}
			}
		}
	}
}
