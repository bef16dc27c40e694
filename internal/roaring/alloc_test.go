// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
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
		"solo":    roaringtest.SoloBody(few, roaringtest.BestLow(few)),
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
			{"Open", func(view.View) { v, _ := view.Open(stored); sink += v.Code }},
			{"OpenBody", func(view.View) { v, _ := view.OpenBody(body); sink += v.Code }},
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
			{"AndLen", func(v view.View) { sink += AndLen(v, other) }},
			{"OrLen", func(v view.View) { sink += OrLen(v, other) }},
			{"AndNotLen", func(v view.View) { sink += AndNotLen(v, other) }},
			{"XorLen", func(v view.View) { sink += XorLen(v, other) }},
			{"Intersects", func(v view.View) { Intersects(v, other) }},
			{"IsSubset", func(v view.View) { IsSubset(v, other) }},
			{"Equal", func(v view.View) { Equal(v, other) }},
		} {
			v := open(t, body)
			if got := roaringtest.Allocations(50, func() { c.f(v) }); got != 0 {
				t.Errorf("%s of the %s form: got %v allocations, want 0", c.what, name, got)
			}
		}
	}
}

// TestSmallResultsAllocateOnce checks that a result lies together with its bytes as long as they
// are few, and that larger ones take two allocations.
func TestSmallResultsAllocateOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	small, large := 0, 0
	for n := 2; n < 400; n += n {
		var sets [2]*Bitmap
		for i := range sets {
			values := make([]uint64, n)
			for j := range values {
				values[j] = r.Uint64N(1 << 30)
			}
			sets[i] = Of(values...)
		}
		a, b := sets[0].View(), sets[1].View()
		for _, f := range []func() *Bitmap{
			func() *Bitmap { return Or(a, b) },
			func() *Bitmap { return Xor(a, b) },
			func() *Bitmap { return AndNot(a, b) },
			func() *Bitmap { return And(a, a) },
			func() *Bitmap { return OrAll(a, b, a) },
			func() *Bitmap { return Clone(a) },
		} {
			var m *Bitmap
			got, want := roaringtest.Allocations(20, func() { m = f() }), 1.0
			if roaringtest.RaceEnabled {
				continue
			}
			if small++; len(m.Bytes()) > briefBytes {
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

// TestSmallSetsFitSizesOfTheRuntime tells when a field more makes the memory of a set, or of one
// with its first bytes, that of the next larger size.
func TestSmallSetsFitSizesOfTheRuntime(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("the sizes are those of 64-bit systems")
	}
	for _, c := range []struct {
		of   any
		want uintptr
	}{{Bitmap{}, 48}, {brief16{}, 64}, {brief48{}, 96}, {brief96{}, 144}, {brief208{}, 256}, {brief400{}, 448},
		{firstChanges{}, 144}} {
		if got := reflect.TypeOf(c.of).Size(); got != c.want {
			t.Errorf("%T has %d bytes, want %d", c.of, got, c.want)
		}
	}
	most := int(reflect.TypeOf(brief400{}.room).Size())
	// whatever the size, there is room for it, and not for four times as much but in the least
	for n := 1; n <= most; n++ {
		if got := cap(newBitmap(n).buf); got < n || got > 4*n && got > 16 {
			t.Errorf("%d bytes got room for %d", n, got)
		}
	}
	if most != briefBytes {
		t.Errorf("the largest room has %d bytes, want %d", most, briefBytes)
	}
}

// TestSetsKnowWhatTheyMoved checks what is counted of sets that never change, and of those that do.
func TestSetsKnowWhatTheyMoved(t *testing.T) {
	b := And(Of(1, 2, 1<<40).View(), Of(2, 1<<40).View())
	if got := b.Moved(); got != 0 || b.changes != nil {
		t.Errorf("a result has moved %d bytes", got)
	}
	b.Pack(Smallest)
	packed := b.Moved()
	if want := uint64(len(b.Bytes())); packed != want {
		t.Errorf("packing moved %d bytes, want %d", packed, want)
	}
	b.Add(7)
	if got := b.Moved(); got <= packed {
		t.Errorf("adding after packing: %d bytes moved, want more than the %d before", got, packed)
	}
	moved := b.Moved()
	if err := b.UnmarshalBinary(Of(3, 4).Bytes()); err != nil {
		t.Fatal(err)
	}
	if got, want := b.Moved(), moved+uint64(len(b.Bytes())); got != want {
		t.Errorf("after another set was read: %d bytes moved, want %d", got, want)
	}
}
