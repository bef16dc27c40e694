// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

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
