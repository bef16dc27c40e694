// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestListsAreAsBuilt checks that the short way to a list gives the bytes of the long one. It tries
// the densities and sizes around which a set becomes a list.
func TestListsAreAsBuilt(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	lists := 0
	for range 4000 {
		n := 1 + r.IntN(1<<r.IntN(9))
		if r.IntN(200) == 0 {
			n = view.MaxList - 2 + r.IntN(5)
		}
		gap := uint64(1) << (8 + r.IntN(12))
		if r.IntN(4) == 0 {
			gap <<= r.IntN(30)
		}
		values, x := make([]uint64, n), r.Uint64()>>(2+r.IntN(60))
		for i := range values {
			values[i] = x
			x += 1 + r.Uint64N(gap)
		}
		var b pack.Builder
		for _, x := range values {
			b.Append(x)
		}
		want, got := mutable.NewBitmap(&b, pack.Fastest), FromSorted(values)
		if isList(values) {
			lists++
		}
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%d values from %d to %d: got % x, want % x", n, values[0], values[n-1], got.Bytes(), want.Bytes())
		}
		for _, wrong := range [][]uint64{append(slices.Clone(values), values[0]),
			append(slices.Clone(values), values[n-1]), append([]uint64{values[n-1]}, values...)} {
			if got := FromSorted(wrong); !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("%d values and one again: got % x, want % x", n, got.Bytes(), want.Bytes())
			}
		}
	}
	if lists < 500 {
		t.Errorf("only %d of 4000 sets were lists", lists)
	}
}
