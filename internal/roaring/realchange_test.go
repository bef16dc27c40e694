// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestRealDataStaysNearPacked adds the sets of the papers in random order and bounds their bytes.
// While they change, they may take twice the bytes of Fastest, besides the header and the
// directory's first room.
func TestRealDataStaysNearPacked(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"census-income", "census1881", "weather_sept_85", "wikileaks-noquotes",
		"uscensus2000"} {
		changing, fastest, smallest := 0, 0, 0
		for _, set := range realData(t, name)[:20] {
			values := slices.Clone(set)
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			var b mutable.Bitmap
			for _, x := range values {
				b.Add(x)
			}
			changing += len(b.Bytes()) - 10 - view.HeaderLoose - 4*view.EntryBytes
			b.Pack(pack.Fastest)
			fastest += len(b.Bytes())
			b.Pack(pack.Smallest)
			smallest += len(b.Bytes())
		}
		t.Logf("%s: %d bytes, %.2f times Fastest, %.2f times Smallest", name, changing,
			float64(changing)/float64(fastest), float64(changing)/float64(smallest))
		if changing > 2*fastest {
			t.Errorf("%s: got %d bytes in all, want at most twice %d", name, changing, fastest)
		}
	}
}
