// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestSmallSetsGrowWithoutHoles adds values to small sets, packed and not, in many thin chunks and
// in few: rooms grow where they lie, so that next to no holes are left, and little is moved for it.
func TestSmallSetsGrowWithoutHoles(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for _, limit := range []uint64{1 << 18, 1 << 21, 5_500_000, 1 << 40} {
		for _, b := range []*Bitmap{new(Bitmap), sorted(roaringtest.Span(0, limit, limit/50))} {
			for range 600 {
				b.Add(r.Uint64N(limit))
			}
			if err := b.View().Validate(); err != nil {
				t.Fatalf("%d values below %d: %v", b.Len(), limit, err)
			}
			if got, bytes := holes(b), uint64(len(b.Bytes())); got > bytes/8 {
				t.Errorf("%d values below %d: got %d bytes of holes, want at most an eighth of %d", b.Len(), limit, got,
					bytes)
			}
			if got := b.Moved() / b.Len(); got > 500 {
				t.Errorf("%d values below %d: moved %d bytes for each, want at most 500", b.Len(), limit, got)
			}
		}
	}
}
