// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// BenchmarkPackedRatio compares sets packed as Smallest with the same sets as arrays. It combines
// each with another and with a large set, in turn. The metric packed/array is the price of being
// small. It takes the least time of each, as other work on the machine only adds to the rest.
func BenchmarkPackedRatio(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, universe := range []uint64{1 << 20, 5_500_000} {
		largeValues := roaringtest.RandomValues(r, int(universe/11), universe)
		large := open(b, roaringtest.DirectoryOf(largeValues))
		for _, n := range []int{8, 100, 1000, 10_000, 60_000} {
			x, y := roaringtest.RandomValues(r, n, universe), roaringtest.RandomValues(r, n, universe)
			packed := [2]view.View{open(b, pack.AppendBody(nil, x)), open(b, pack.AppendBody(nil, y))}
			array := [2]view.View{open(b, roaringtest.DirectoryOf(x)), open(b, roaringtest.DirectoryOf(y))}
			for _, c := range []struct {
				name string
				do   func(v [2]view.View)
			}{
				{"andlen", func(v [2]view.View) { pair.AndLen(v[0], v[1]) }},
				{"andlen large", func(v [2]view.View) { pair.AndLen(v[0], large) }},
				{"and", func(v [2]view.View) { pair.And(v[0], v[1]) }},
				{"and large", func(v [2]view.View) { pair.And(v[0], large) }},
				{"or", func(v [2]view.View) { pair.Or(v[0], v[1]) }},
				{"andnot", func(v [2]view.View) { pair.AndNot(v[0], v[1]) }},
			} {
				b.Run(fmt.Sprintf("universe=%d/n=%d/op=%s", universe, n, c.name), func(b *testing.B) {
					const turns = 8
					least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
					for b.Loop() {
						for i, v := range [][2]view.View{packed, array} {
							start := time.Now()
							for range turns {
								c.do(v)
							}
							least[i] = min(least[i], time.Since(start))
						}
					}
					for i, name := range []string{"packed-ns", "array-ns"} {
						b.ReportMetric(float64(least[i].Nanoseconds())/turns, name)
					}
					b.ReportMetric(least[0].Seconds()/least[1].Seconds(), "packed/array")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}
