// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"maps"
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

// TestPackedBounds reads packed containers whose values run past the next container's key, or past
// 2^64: those values are not there.
func TestPackedBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	over := roaringtest.Container{Key: 1, Kind: container.Packed, Values: []uint64{1 << 16, 3<<16 | 5, 4<<16 | 1,
		9 << 16},
		Low: 10}
	next := roaringtest.Container{Key: 4, Values: []uint64{4<<16 | 8, 4<<16 | 9}}
	// The last container of all: its second value would be 2^64 + 3.
	top := uint64(container.MaxKey) << 16
	wrap := roaringtest.Container{Key: container.MaxKey, Kind: container.Packed, Values: []uint64{top + 1, 3}, Low: 12}
	for _, c := range []struct {
		cs   []roaringtest.Container
		want []uint64
	}{
		{[]roaringtest.Container{over, next}, []uint64{1 << 16, 3<<16 | 5, 4<<16 | 8, 4<<16 | 9}},
		{[]roaringtest.Container{wrap}, []uint64{top + 1}},
		{[]roaringtest.Container{next, wrap}, []uint64{4<<16 | 8, 4<<16 | 9, top + 1}},
	} {
		for form, body := range map[string][]byte{"compact": roaringtest.CompactBody(c.cs, 0),
			"loose": roaringtest.LooseBody(c.cs, r)} {
			v := open(t, body)
			if v.Validate() == nil {
				t.Fatalf("%s: values beyond the bound are valid", form)
			}
			var blocks []uint64
			for cursor := v.Cursor(nil); cursor.Next(); {
				blocks = cursor.Block().AppendTo(blocks)
			}
			back := slices.Collect(v.Backward())
			slices.Reverse(back)
			for how, got := range map[string][]uint64{
				"Cursor": blocks, "All": slices.Collect(v.All()), "Backward": back, "AppendTo": v.AppendTo(nil),
			} {
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: %s: got %d, want %d", form, how, got, c.want)
				}
			}
			if hi, ok := v.Max(); !ok || hi != c.want[len(c.want)-1] {
				t.Errorf("%s: Max: got %d, want %d", form, hi, c.want[len(c.want)-1])
			}
			if v.Contains(9<<16) || v.Contains(3) || v.Contains(4<<16|1) {
				t.Errorf("%s: contains a value beyond the bound", form)
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

// TestBalanced checks that Balanced packs small chunks, keeps larger ones as in Fastest, and makes
// bitsets of the largest. The set stays the same.
func TestBalanced(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, each := range []int{1, 20, 300, pack.UnpackedFrom - 1, pack.UnpackedFrom, pack.BitsetFrom - 1,
		pack.BitsetFrom, 3000, 9000} {
		var values []uint64
		for chunk := range uint64(5) {
			seen := map[uint64]bool{}
			for len(seen) < each {
				seen[chunk<<16|rng.Uint64N(1<<16)] = true
			}
			values = append(values, slices.Sorted(maps.Keys(seen))...)
		}
		var b pack.Builder
		for _, x := range values {
			b.Append(x)
		}
		v, err := view.OpenBody(b.BodyIn(nil, pack.Balanced))
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Validate(); err != nil || !slices.Equal(v.AppendTo(nil), values) {
			t.Fatalf("%d values a chunk: got another set (%v)", each, err)
		}
		k := view.KindsOf(v)
		if packed := k.Array.Count+k.Bitset.Count+k.Run.Count == 0; packed != (each < pack.UnpackedFrom) {
			t.Errorf("%d values a chunk: got %+v", each, k)
		}
		if bitsets := k.Bitset.Count > 0; bitsets != (each >= pack.BitsetFrom) || bitsets && k.Bitset.Count != 5 {
			t.Errorf("%d values a chunk: got %+v, want bitsets from %d on", each, k, pack.BitsetFrom)
		}
		fastest, smallest := len(b.BodyIn(nil, pack.Fastest)), len(b.Body(nil))
		if each >= pack.BitsetFrom {
			fastest = max(fastest, 5*container.MaxPayload+40)
		}
		if n := len(v.Body()); n < smallest || n > fastest {
			t.Errorf("%d values a chunk: got %d bytes, want %d to %d", each, n, smallest, fastest)
		}
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
