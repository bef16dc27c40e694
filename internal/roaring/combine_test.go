// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// inPlace are the operations that change a set.
var inPlace = []struct {
	op   kernel.Op
	do   func(b *Bitmap, v view.View)
	want func(a, b view.View) *Bitmap
}{
	{kernel.And, (*Bitmap).And, And}, {kernel.Or, (*Bitmap).Or, Or}, {kernel.AndNot, (*Bitmap).AndNot, AndNot},
	{kernel.Xor, (*Bitmap).Xor, Xor},
}

// writableOf returns the set of values in a form that changes where it lies.
func writableOf(values []uint64) *Bitmap {
	b := FromSorted(values)
	b.makeWritable()
	return b
}

// TestCombineKinds combines every kind of container with every kind, as it is written by each
// layout, where it lies: chunks that only one set has, between, before and behind.
func TestCombineKinds(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	kinds := []func(key uint64) []uint64{
		func(uint64) []uint64 { return nil },
		func(key uint64) []uint64 { return []uint64{key<<16 | r.Uint64N(1<<16)} },
		func(key uint64) []uint64 { return drawn(r, 12, key) },
		func(key uint64) []uint64 { return drawn(r, 400, key) },
		func(key uint64) []uint64 { return drawn(r, 30_000, key) },
		func(key uint64) []uint64 {
			return roaringtest.Span(key<<16+r.Uint64N(1000), key<<16+5000+r.Uint64N(60_000), 1)
		},
		func(key uint64) []uint64 { return roaringtest.Span(key<<16, key<<16+1<<16, 1) },
	}
	for round := range roaringtest.Paced(60, 15) {
		var sets [2][]uint64
		for i := range sets {
			for key := range uint64(1 + r.IntN(12)) {
				sets[i] = append(sets[i], kinds[r.IntN(len(kinds))](key*uint64(1+round%3))...)
			}
		}
		a, b := sets[0], sets[1]
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		for _, layout := range []Layout{Fastest, Smallest} {
			other := FromSorted(b)
			other.Pack(layout)
			for _, v := range []view.View{other.View(), writableOf(b).View()} {
				for _, o := range inPlace {
					m := writableOf(a)
					m.combine(o.op, v)
					if err := m.View().Validate(); err != nil {
						t.Fatalf("round %d, operation %d: %v", round, o.op, err)
					}
					if want := o.want(FromSorted(a).View(), v); !Equal(m.View(), want.View()) || m.Len() != want.Len() {
						t.Fatalf("round %d, operation %d: got %d values, want %d", round, o.op, m.Len(), want.Len())
					}
				}
			}
		}
	}
}

// drawn returns up to n random values of a chunk, ascending.
func drawn(r *rand.Rand, n int, key uint64) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = key<<16 | r.Uint64N(1<<16)
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// TestCombineHostile combines valid sets, where they lie, with bytes that are not valid: what
// becomes of them is valid, and goes on changing.
func TestCombineHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	combined := 0
	for range roaringtest.Paced(800, 120) {
		cs, values := roaringtest.RandomContainers(r, 1+r.IntN(8))
		body := roaringtest.CompactBody(cs, 0)
		if r.IntN(2) == 0 {
			body = roaringtest.LooseBody(cs, r)
		}
		for range 1 + r.IntN(6) {
			body[2+r.IntN(len(body)-2)] ^= byte(1 + r.IntN(255))
		}
		v, err := view.OpenBody(body)
		if err != nil || v.Validate() == nil {
			continue
		}
		for _, o := range inPlace {
			m := writableOf(values)
			if m.combine(o.op, v); m.View().Validate() != nil {
				t.Fatalf("operation %d: %v", o.op, m.View().Validate())
			}
			m.Add(r.Uint64N(1 << 20))
			if o.do(m, v); m.writable && m.View().Validate() != nil {
				t.Fatalf("operation %d: %v", o.op, m.View().Validate())
			}
			combined++
		}
	}
	if combined < 60 {
		t.Fatalf("%d operations, want many", combined)
	}
}

// TestCombineAllocatesNothing runs operations in place on sets that have changed, and on packed
// ones, again and again.
func TestCombineAllocatesNothing(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("pools lose what they keep under the race detector")
	}
	r := rand.New(rand.NewPCG(85, 86))
	var values []uint64
	for key := range uint64(40) {
		values = append(values, drawn(r, 50+int(key)*200, key)...)
	}
	var masks []*Bitmap // each leaves one value out of 200
	for k := range uint64(20) {
		masks = append(masks, FromSorted(slices.DeleteFunc(slices.Clone(values), func(x uint64) bool {
			return x%200 == k
		})))
	}
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprintf("packed=%v", packed), func(t *testing.T) {
			b := writableOf(values)
			if packed {
				b.Pack(Fastest)
			}
			k := 0
			got := roaringtest.Allocations(len(masks)/3-1, func() {
				b.And(masks[k].View())
				k++
			})
			if got != 0 || b.writable == packed {
				t.Errorf("And: got %v allocations each, changeable %v, want 0 and %v", got, b.writable, !packed)
			}
			if want := slices.DeleteFunc(slices.Clone(values), func(x uint64) bool {
				return x%200 < uint64(k)
			}); !slices.Equal(b.View().AppendTo(nil), want) {
				t.Errorf("got %d values, want %d", b.Len(), len(want))
			}
			if p := b.Clone(); !packed {
				if p.Pack(Fastest); len(b.Bytes()) > 2*len(p.Bytes()) {
					t.Errorf("got %d bytes, want at most twice %d", len(b.Bytes()), len(p.Bytes()))
				}
			}
		})
	}
}

// TestCombineTouchesItsChunks takes a chunk out of a large set, and puts it in again: the work
// follows the chunk.
func TestCombineTouchesItsChunks(t *testing.T) {
	b := writableOf(roaringtest.Span(0, 3000<<16, 20))
	part := FromSorted(roaringtest.Span(1500<<16, 1502<<16, 20))
	all := b.Clone()
	start := b.Moved()
	b.AndNot(part.View())
	if b.Len() != all.Len()-part.Len() || Intersects(b.View(), part.View()) {
		t.Fatalf("AndNot: got %d values, want %d", b.Len(), all.Len()-part.Len())
	}
	b.Xor(part.View())
	if !Equal(b.View(), all.View()) {
		t.Fatal("Xor: got another set than before")
	}
	b.Or(part.View())
	if got, most := b.Moved()-start, uint64(len(b.Bytes())/10); got > most {
		t.Errorf("moved %d bytes, want at most %d", got, most)
	}
}
