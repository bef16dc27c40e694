// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestFewIntoManyInPlace combines a large sparse set, changing or packed, with small ones: the work
// follows these, and the bytes stay near the packed ones.
func TestFewIntoManyInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	draw := func(n int) *mutable.Bitmap {
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(1 << 40)
		}
		return pair.Of(values...)
	}
	whole := new(mutable.Bitmap)
	OrWith(whole, draw(20_000).View())
	for _, layout := range []pack.Layout{pack.Smallest, pack.Fastest} {
		for _, op := range []struct {
			name string
			do   func(b *mutable.Bitmap, v view.View)
			want func(a, b view.View) *mutable.Bitmap
		}{
			{"Or", OrWith, pair.Or}, {"AndNot", AndNotWith, pair.AndNot}, {"Xor", XorWith, pair.Xor},
		} {
			b := whole.Clone()
			b.Pack(layout)
			want := whole
			b.Add(7) // the one copy, which makes room for changes
			b.Remove(7)
			start := b.Moved()
			const rounds, few = 3, 40
			for range rounds {
				small := draw(few)
				for i := range uint64(few) {
					x, _ := want.Select(i * 400)
					small.Add(x)
				}
				op.do(b, small.View())
				want = op.want(want.View(), small.View())
			}
			if !pair.Equal(b.View(), want.View()) {
				t.Fatalf("%s: got other values than those of %s as a function", op.name, op.name)
			}
			if err := b.View().Validate(); err != nil {
				t.Fatalf("%s: %v", op.name, err)
			}
			if got := (b.Moved() - start) / (rounds * 2 * few); got > 1500 {
				t.Errorf("%s: moved %d bytes a value, want at most 1500", op.name, got)
			}
			got := len(b.Bytes())
			if b.Pack(pack.Smallest); got > 2*len(b.Bytes()) {
				t.Errorf("%s: got %d bytes, want at most twice %d", op.name, got, len(b.Bytes()))
			}
		}
	}

	// A packed set becomes changeable by the first operation, and only once.
	b := whole.Clone()
	b.Pack(pack.Smallest)
	for range 20 {
		OrWith(b, draw(10).View())
	}
	if got := b.Moved(); got > 8*uint64(len(b.Bytes())) {
		t.Errorf("20 times 10 values into a packed set: moved %d bytes, want at most eight times the %d of the set",
			got, len(b.Bytes()))
	}
}
