// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestAmong asks sets of all forms for a few values and for many. Some are in the set, some lie
// beside its values, some far away.
func TestAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 505))
	for _, n := range []int{0, 1, 2, 20, 1000, 30_000} {
		for _, spread := range []uint64{1 << 15, 1 << 18, 1 << 34, math.MaxUint64} {
			var b mutable.Bitmap
			for range n {
				b.Add(r.Uint64N(spread))
			}
			if n > 0 {
				b.AddRange(spread/2, spread/2+uint64(n)) // runs, too
			}
			for _, layout := range []pack.Layout{pack.Fastest, pack.Smallest} {
				packed := b.Clone()
				packed.Pack(layout)
				v := packed.View()
				t.Run(fmt.Sprintf("%d in %d, layout %d", n, spread, layout), func(t *testing.T) {
					for _, asked := range []int{0, 1, 2, 3, 5, 60, 700} {
						values := make([]uint64, asked)
						for i := range values {
							if values[i] = r.Uint64(); i%2 == 0 {
								values[i] = r.Uint64N(spread)
							}
							if x, ok := b.View().Select(r.Uint64N(b.View().Len() + 1)); ok && r.IntN(2) == 0 {
								values[i] = x - uint64(r.IntN(2))
							}
						}
						slices.Sort(values)
						values = slices.Compact(values)
						var want []uint64
						for _, x := range values {
							if b.View().Contains(x) {
								want = append(want, x)
							}
						}
						if got := Among(v, values); !slices.Equal(got, want) {
							t.Fatalf("%d values: got %d of them, want %d, or others", asked, len(got), len(want))
						}
					}
				})
			}
		}
	}
}

// TestAmongInDisorder asks for values that do not ascend, or stand there twice: sets of all kinds
// of containers answer as they do one by one.
func TestAmongInDisorder(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 505))
	for i, s := range roaringtest.Samples(r, 20) {
		v := open(t, s.Body)
		for asked := range 40 {
			values := make([]uint64, asked)
			for k := range values {
				values[k] = uint64(r.IntN(5)) << 16
				if len(s.Values) > 0 {
					values[k] = s.Values[r.IntN(len(s.Values))] ^ uint64(r.IntN(2))<<(r.IntN(20))
				}
			}
			if i%2 == 0 { // but for one of them, or none
				slices.Sort(values)
				if asked > 0 {
					values[r.IntN(asked)] = values[r.IntN(asked)]
				}
			}
			var want []uint64
			for _, x := range values {
				if v.Contains(x) {
					want = append(want, x)
				}
			}
			if got := Among(v, slices.Clone(values)); !slices.Equal(got, want) {
				t.Fatalf("%s: of %d got %d, want %d", s.Name, values, got, want)
			}
		}
	}
}
