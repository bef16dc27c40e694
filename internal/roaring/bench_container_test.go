// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// benchChunks is how many chunks the sets of BenchmarkContainer have.
const benchChunks = 64

// chunksOf returns two like sets with a container of one kind in each chunk.
func chunksOf(b *testing.B, kind uint8, layout pack.Layout, perChunk int, runs bool) (pair [2]view.View) {
	r := rand.New(rand.NewPCG(uint64(kind), 7))
	for i := range pair {
		set := new(mutable.Bitmap)
		for chunk := range uint64(benchChunks) {
			if !runs {
				low := roaringtest.RandomIDs(r, perChunk, 1<<16)
				for j := range low {
					low[j] += chunk << 16
				}
				set.AddMany(low...)
				continue
			}
			for range perChunk {
				from := chunk<<16 + r.Uint64N(65_000)
				set.AddRange(from, from+r.Uint64N(500))
			}
		}
		set.Pack(layout)
		pair[i] = set.View()
		if got := pair[i].KindAt(0); got != kind {
			b.Fatalf("got a container of kind %d, want %d", got, kind)
		}
	}
	return pair
}

// BenchmarkContainer shows what each kind of container costs: bytes a value, and the time of each
// read of a set of 64 chunks. The table in the package's documentation is made from it.
func BenchmarkContainer(b *testing.B) {
	for _, c := range []struct {
		name     string
		kind     uint8
		layout   pack.Layout
		perChunk int
		runs     bool
	}{
		{"array", container.Array, pack.Fastest, 1000, false},
		{"bitset", container.Bitset, pack.Fastest, 20_000, false},
		{"run", container.Run, pack.Fastest, 50, true},
		{"packed", container.Packed, pack.Smallest, 1000, false},
	} {
		two := chunksOf(b, c.kind, c.layout, c.perChunk, c.runs)
		v, n := two[0], two[0].Len()
		r := rand.New(rand.NewPCG(5, 5))
		at, ranks := make([]uint64, 1<<12), make([]uint64, 1<<12)
		for i := range at {
			at[i], ranks[i] = r.Uint64N(benchChunks<<16), r.Uint64N(n)
		}
		var sum uint64
		each := func(name string, f func(i int)) {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					f(i & (len(at) - 1))
				}
				b.ReportMetric(float64(len(v.Body()))/float64(n), "B/value")
			})
		}
		each("Contains", func(i int) {
			if v.Contains(at[i]) {
				sum++
			}
		})
		each("Rank", func(i int) { sum += v.Rank(at[i]) })
		each("Select", func(i int) { x, _ := v.Select(ranks[i]); sum += x })
		each("Next", func(i int) { x, _ := v.Next(at[i]); sum += x })
		b.Run(c.name+"/iterate", func(b *testing.B) {
			for b.Loop() {
				for x := range v.All() {
					sum += x
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
		})
		for name, op := range map[string]func(){"AndLen": func() {
			sum += pair.AndLen(two[0], two[1])
		}, "And": func() { sum += pair.And(two[0], two[1]).Len() }} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					op()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchChunks, "ns/chunk")
			})
		}
	}
}
