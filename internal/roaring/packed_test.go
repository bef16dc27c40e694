// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestPackedSpans combines packed containers that reach over chunks with containers that lie in
// those chunks: the keys of the directories alone do not tell that they meet.
func TestPackedSpans(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	at := func(key, low uint64) uint64 { return key<<16 | low }
	packed := func(values ...uint64) roaringtest.Container {
		return roaringtest.Container{Key: values[0] >> 16, Kind: container.Packed, Values: values,
			Low: roaringtest.BestLow(roaringtest.Relative(values, values[0]>>16<<16))}
	}
	array := func(key uint64, lows ...uint64) roaringtest.Container {
		c := roaringtest.Container{Key: key}
		for _, low := range lows {
			c.Values = append(c.Values, at(key, low))
		}
		return c
	}
	sets := [][]roaringtest.Container{
		{packed(at(1, 5), at(3, 7), at(5, 9), at(9, 1))},
		{array(3, 7, 8)},
		{array(0, 1), array(5, 9)},
		{array(0, 1), packed(at(1, 5), at(3, 7), at(5, 9)), array(8, 1)},
		{array(2, 1), array(3, 7), array(4, 0), array(5, 9), array(8, 1), array(9, 1)},
		{packed(at(0, 1), at(3, 7)), packed(at(5, 9), at(8, 1))},
		{array(1, 1), packed(at(2, 2), at(9, 1))},
		{array(1, 1), array(9, 1)},
		{array(8, 1), packed(at(9, 1), at(700, 3))},
		{array(700, 3, 4)},
	}
	for i, x := range sets {
		for j, y := range sets {
			var xs, ys []uint64
			for _, c := range x {
				xs = append(xs, c.Values...)
			}
			for _, c := range y {
				ys = append(ys, c.Values...)
			}
			for _, a := range []view.View{open(t, roaringtest.CompactBody(x, 0)),
				open(t, roaringtest.LooseBody(x, r))} {
				for _, b := range []view.View{open(t, roaringtest.CompactBody(y, 2)),
					open(t, roaringtest.LooseBody(y, r))} {
					for _, op := range viewOps {
						want := roaringtest.CombineSorted(xs, ys, op.F)
						if got := op.Do(a, b).View().AppendTo(nil); !slices.Equal(got, want) {
							t.Fatalf("%s of sets %d and %d: got %d, want %d", op.Name, i, j, got, want)
						}
						if got := op.N(a, b); got != uint64(len(want)) {
							t.Fatalf("length of %s of sets %d and %d: got %d, want %d", op.Name, i, j, got, len(want))
						}
					}
					common := roaringtest.CombineSorted(xs, ys, viewOps[0].F)
					if pair.Intersects(a, b) != (len(common) > 0) || pair.IsSubset(a, b) != (len(common) == len(xs)) ||
						pair.Equal(a, b) != slices.Equal(xs, ys) {
						t.Fatalf("predicates of sets %d and %d", i, j)
					}
				}
			}
		}
	}
}

// TestPackedDense reads a packed container of one chunk with more values than an array may have.
func TestPackedDense(t *testing.T) {
	for _, n := range []uint64{4095, 4096, 4097, 9000} {
		c := roaringtest.Container{Key: 7, Kind: container.Packed, Values: roaringtest.Span(7<<16, 7<<16+7*n, 7),
			Low: 2}
		if c.Values = slices.DeleteFunc(c.Values, func(x uint64) bool { return x>>16 != 7 }); !c.Fits() {
			t.Fatal("does not fit")
		}
		after := roaringtest.Container{Key: 8, Values: []uint64{8 << 16}}
		values := append(slices.Clone(c.Values), after.Values...)
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			v := open(t, roaringtest.CompactBody([]roaringtest.Container{c, after}, 0))
			if err := v.Validate(); err != nil {
				t.Fatal(err)
			}
			checkView(t, rand.New(rand.NewPCG(1, n)), v, values)
		})
	}
}

// TestRemoveFirstOfFullContainers removes the first value of packed containers that fill their
// payloads, whose next value lies in another chunk: the rest is packed anew, and must fit a payload
// in the low width that is chosen for changes.
func TestRemoveFirstOfFullContainers(t *testing.T) {
	r := rand.New(rand.NewPCG(211, 1))
	for width := 17; width < 48; width++ {
		var values []uint64
		for x := uint64(0); len(values) <= view.MaxList; x += 1<<16 + r.Uint64N(1<<width) {
			values = append(values, x)
		}
		m := pair.FromSorted(values)
		m.Pack(pack.Smallest)
		m.Add(1) // makes room for changes: containers are as they were packed
		m.Remove(1)
		full, removed := 0, make(map[uint64]bool)
		for range 20 {
			v := m.View()
			i := r.IntN(v.Count())
			e := v.EntryAt(i)
			if e.Kind != container.Packed {
				continue
			}
			if e.N > 160 && e.Size() > container.MaxPayload*3/4 {
				full++
			}
			d, _ := e.Packed().At(0)
			x := e.Key<<16 + d
			if removed[x] = true; !m.Remove(x) || m.Contains(x) {
				t.Fatalf("steps below 2^%d: the first value %d of container %d was not removed", width, x, i)
			}
		}
		values = slices.DeleteFunc(values, func(x uint64) bool { return removed[x] })
		if err := m.View().Validate(); err != nil || !slices.Equal(m.View().AppendTo(nil), values) {
			t.Fatalf("steps below 2^%d: the set is not what is left after %d values have been removed: %v", width,
				len(removed), err)
		}
		if width > 30 && full == 0 {
			t.Fatalf("steps below 2^%d: no container was full", width)
		}
	}
}
