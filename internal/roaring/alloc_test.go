// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestReadsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	cs, values := roaringtest.RandomContainers(r, 12)
	few := values[:300]
	bodies := map[string][]byte{
		"compact": roaringtest.CompactBody(cs, 0),
		"loose":   roaringtest.LooseBody(cs, r),
		"list":    roaringtest.ListBody(few, roaringtest.BestLow(few)),
		"single":  roaringtest.SingleBody(77, 1),
		"empty":   nil,
	}
	other := open(t, roaringtest.LooseBody(cs[1:], r))
	dst := make([]uint64, 0, len(values))
	var s, computed container.Scratch
	var sink uint64
	for name, body := range bodies {
		stored := roaringtest.Envelop(body, 2, true)
		for _, c := range []struct {
			what string
			f    func(v view.View)
		}{
			{"Open", func(view.View) { v, _ := view.Open(stored); sink += v.Code() }},
			{"OpenBody", func(view.View) { v, _ := view.OpenBody(body); sink += v.Code() }},
			{"Len", func(v view.View) { sink += v.Len() }},
			{"Contains", func(v view.View) { v.Contains(values[len(values)/2]) }},
			{"Min, Max", func(v view.View) { v.Min(); v.Max() }},
			{"Rank", func(v view.View) { sink += v.Rank(values[len(values)/2]) }},
			{"Select", func(v view.View) { v.Select(uint64(len(values) / 2)) }},
			{"AppendTo", func(v view.View) { v.AppendTo(dst) }},
			{"All", func(v view.View) {
				for x := range v.All() {
					sink += x
				}
			}},
			{"From", func(v view.View) {
				for x := range v.From(values[len(values)/2]) {
					sink += x
				}
			}},
			{"Backward", func(v view.View) {
				for x := range v.Backward() {
					sink += x
				}
			}},
			{"Cursor", func(v view.View) {
				for c := v.Cursor(&s); c.Next(); {
					b := c.Block()
					b = computed.And(b, b)
					b = computed.Xor(b, c.Block())
					sink += uint64(b.Len())
				}
			}},
			{"AndLen", func(v view.View) { sink += pair.AndLen(v, other) }},
			{"OrLen", func(v view.View) { sink += pair.OrLen(v, other) }},
			{"AndNotLen", func(v view.View) { sink += pair.AndNotLen(v, other) }},
			{"XorLen", func(v view.View) { sink += pair.XorLen(v, other) }},
			{"Intersects", func(v view.View) { pair.Intersects(v, other) }},
			{"IsSubset", func(v view.View) { pair.IsSubset(v, other) }},
			{"Equal", func(v view.View) { pair.Equal(v, other) }},
		} {
			v := open(t, body)
			if got := roaringtest.Allocations(50, func() { c.f(v) }); got != 0 {
				t.Errorf("%s of the %s form: got %v allocations, want 0", c.what, name, got)
			}
		}
	}
}

// TestSmallResultsAllocateOnce checks that a small result shares one allocation with its bytes.
// Larger results take two.
func TestSmallResultsAllocateOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	small, large := 0, 0
	for n := 2; n < 400; n += n {
		var sets [2]*mutable.Bitmap
		for i := range sets {
			values := make([]uint64, n)
			for j := range values {
				values[j] = r.Uint64N(1 << 30)
			}
			sets[i] = pair.Of(values...)
		}
		a, b := sets[0].View(), sets[1].View()
		for _, f := range []func() *mutable.Bitmap{
			func() *mutable.Bitmap { return pair.Or(a, b) },
			func() *mutable.Bitmap { return pair.Xor(a, b) },
			func() *mutable.Bitmap { return pair.AndNot(a, b) },
			func() *mutable.Bitmap { return pair.And(a, a) },
			func() *mutable.Bitmap { return OrAll(a, b, a) },
			func() *mutable.Bitmap { return mutable.Clone(a) },
		} {
			var m *mutable.Bitmap
			got, want := roaringtest.Allocations(20, func() { m = f() }), 1.0
			if roaringtest.RaceEnabled {
				continue
			}
			if small++; len(m.Bytes()) > mutable.BriefBytes {
				want = 2
				small, large = small-1, large+1
			}
			if got > want {
				t.Errorf("%d values, %d bytes: got %v allocations, want %v", n, len(m.Bytes()), got, want)
			}
		}
	}
	if !roaringtest.RaceEnabled && (small < 10 || large < 5) {
		t.Errorf("%d small results and %d large ones, want some of both", small, large)
	}
}

// TestSetsKnowWhatTheyMoved checks that sets count the bytes they move. A set that never changes
// has moved none.
func TestSetsKnowWhatTheyMoved(t *testing.T) {
	b := pair.And(pair.Of(1, 2, 1<<40).View(), pair.Of(2, 1<<40).View())
	if got := b.Moved(); got != 0 || !reflect.ValueOf(b).Elem().FieldByName("changes").IsNil() {
		t.Errorf("a result has moved %d bytes", got)
	}
	b.Pack(pack.Smallest)
	packed := b.Moved()
	if want := uint64(len(b.Bytes())); packed != want {
		t.Errorf("packing moved %d bytes, want %d", packed, want)
	}
	b.Add(7)
	if got := b.Moved(); got <= packed {
		t.Errorf("adding after packing: %d bytes moved, want more than the %d before", got, packed)
	}
	moved := b.Moved()
	if b.Become(pair.Of(3, 4)); b.Len() != 2 {
		t.Fatalf("got %d values, want 2", b.Len())
	}
	if got, want := b.Moved(), moved+uint64(len(b.Bytes())); got != want {
		t.Errorf("after another set was read: %d bytes moved, want %d", got, want)
	}
}
