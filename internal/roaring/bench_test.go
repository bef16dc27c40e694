// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
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

func BenchmarkBlocks(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	full := roaringtest.RandomValues(r, 30000, 65536)
	array := roaringtest.RandomValues(r, 3000, 65536)
	var runs []uint64
	for lo := uint64(0); lo < 65000; lo += 600 + r.Uint64N(300) {
		runs = append(runs, roaringtest.Span(lo, min(lo+300, 65536), 1)...)
	}
	blocks := []container.Block{blocksOf(0, array)[0], blocksOf(0, full)[0], {}}
	for _, x := range blocksOf(0, runs) {
		if x.Kind == container.Run {
			blocks[2] = x
		}
	}
	var s container.Scratch
	for i, x := range blocks {
		for _, y := range blocks[i:] {
			for _, op := range blockOps {
				b.Run(fmt.Sprintf("op=%s/kinds=%d,%d", op.name, x.Kind, y.Kind), func(b *testing.B) {
					for b.Loop() {
						op.do(&s, x, y)
					}
				})
			}
			b.Run(fmt.Sprintf("op=andlen/kinds=%d,%d", x.Kind, y.Kind), func(b *testing.B) {
				for b.Loop() {
					x.AndLen(y)
				}
			})
		}
	}
}
