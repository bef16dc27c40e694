// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func BenchmarkAndLen(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const universe = 5_500_000
	large := open(b, roaringtest.DirectoryOf(roaringtest.RandomValues(r, 500_000, universe)))
	for _, n := range []int{100, 1000, 100_000} {
		values := roaringtest.RandomValues(r, n, universe)
		forms := map[string][]byte{"directory": roaringtest.DirectoryOf(values)}
		if n <= view.MaxList {
			forms["list"] = roaringtest.ListBody(values, roaringtest.BestLow(values))
		}
		for form, body := range forms {
			v := open(b, body)
			b.Run(fmt.Sprintf("n=%d/of=500000/form=%s", n, form), func(b *testing.B) {
				for b.Loop() {
					pair.AndLen(v, large)
				}
			})
		}
		other := roaringtest.RandomValues(r, n, universe)
		if n <= view.MaxList {
			v, w := open(b, forms["list"]), open(b, roaringtest.ListBody(other, roaringtest.BestLow(other)))
			b.Run(fmt.Sprintf("n=%d/of=%d/form=list", n, n), func(b *testing.B) {
				for b.Loop() {
					pair.AndLen(v, w)
				}
			})
		}
	}
}

func BenchmarkReads(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 2))
	const universe = 5_500_000
	for _, n := range []int{1000, 500_000} {
		values := roaringtest.RandomValues(r, n, universe)
		body := roaringtest.DirectoryOf(values)
		if n <= view.MaxList {
			body = roaringtest.ListBody(values, roaringtest.BestLow(values))
		}
		stored := roaringtest.Envelop(body, 2, false)
		v := open(b, body)
		points := make([]uint64, 1<<12)
		for i := range points {
			points[i] = r.Uint64N(universe)
		}
		for _, c := range []struct {
			name string
			f    func(i int)
		}{
			{"open", func(int) { view.Open(stored) }},
			{"contains", func(i int) { v.Contains(points[i&(1<<12-1)]) }},
			{"rank", func(i int) { v.Rank(points[i&(1<<12-1)]) }},
			{"select", func(i int) { v.Select(points[i&(1<<12-1)] % uint64(n)) }},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", c.name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					c.f(i)
				}
			})
		}
		b.Run(fmt.Sprintf("iterate/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				for range v.All() {
				}
			}
		})
		dst := make([]uint64, 0, n)
		b.Run(fmt.Sprintf("append/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				v.AppendTo(dst)
			}
		})
	}
}
