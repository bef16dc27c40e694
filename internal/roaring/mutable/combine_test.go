// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// operations change a set where it lies.
var operations = []struct {
	op   container.Op
	want func(a, b bool) bool
}{
	{container.And, func(a, b bool) bool { return a && b }}, {container.Or, func(a, b bool) bool { return a || b }},
	{container.AndNot, func(a, b bool) bool { return a && !b }}, {container.Xor, func(a,
		b bool) bool {
		return a != b
	}},
}

// sorted returns the set of ascending values, packed as Fastest.
func sorted(values []uint64) *Bitmap { return Collect(slices.Values(values)) }

// writableOf returns the set of values in a form that changes where it lies.
func writableOf(values []uint64) *Bitmap {
	b := sorted(values)
	makeWritable(b)
	return b
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
		for _, layout := range []pack.Layout{pack.Fastest, pack.Smallest} {
			other := sorted(b)
			other.Pack(layout)
			for _, v := range []view.View{other.View(), writableOf(b).View()} {
				for _, o := range operations {
					m := writableOf(a)
					combineOwn(m, o.op, v)
					if err := m.View().Validate(); err != nil {
						t.Fatalf("round %d, operation %d: %v", round, o.op, err)
					}
					want := roaringtest.CombineSorted(sorted(a).View().AppendTo(nil), v.AppendTo(nil), o.want)
					if !slices.Equal(m.View().AppendTo(nil), want) || m.Len() != uint64(len(want)) {
						t.Fatalf("round %d, operation %d: got %d values, want %d", round, o.op, m.Len(), len(want))
					}
				}
			}
		}
	}
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
		for _, o := range operations {
			m := writableOf(values)
			if combineOwn(m, o.op, v); m.View().Validate() != nil {
				t.Fatalf("operation %d: %v", o.op, m.View().Validate())
			}
			m.Add(r.Uint64N(1 << 20))
			if m.Combine(o.op, v); m.writable && m.View().Validate() != nil {
				t.Fatalf("operation %d: %v", o.op, m.View().Validate())
			}
			combined++
		}
	}
	if combined < 60 {
		t.Fatalf("%d operations, want many", combined)
	}
}
