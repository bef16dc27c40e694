// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// perValue reports the time a value in place of the time a round.
func perValue(b *testing.B, values int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkAdd adds values in random order, one by one.
func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		universe uint64
		n        int
	}{{1 << 18, 50_000}, {5_500_000, 300}, {5_500_000, 5000}, {5_500_000, 100_000}, {1 << 40, 1000}, {1 << 40, 100_000},
		{1 << 40, 1_000_000}} {
		values := make([]uint64, c.n)
		for i := range values {
			values[i] = r.Uint64N(c.universe)
		}
		b.Run(fmt.Sprintf("universe=%d/n=%d", c.universe, c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var m mutable.Bitmap
				for _, x := range values {
					m.Add(x)
				}
			}
			perValue(b, c.n)
		})
	}
}

// BenchmarkAddMany adds values in random order, at once and in batches.
func BenchmarkAddMany(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		universe uint64
		n, batch int
	}{{1 << 18, 50_000, 50_000}, {5_500_000, 100_000, 100_000}, {5_500_000, 100_000, 1000},
		{1 << 40, 1_000_000, 1_000_000}, {1 << 40, 1_000_000, 100_000}, {1 << 40, 1_000_000, 1000}} {
		values := make([]uint64, c.n)
		for i := range values {
			values[i] = r.Uint64N(c.universe)
		}
		b.Run(fmt.Sprintf("universe=%d/n=%d/batch=%d", c.universe, c.n, c.batch), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var m mutable.Bitmap
				for batch := range slices.Chunk(values, c.batch) {
					m.AddMany(batch...)
				}
			}
			perValue(b, c.n)
		})
	}
}

// BenchmarkRange adds, flips and removes ranges of whole chunks and of parts.
func BenchmarkRange(b *testing.B) {
	for _, width := range []uint64{100, 10_000, 1_000_000, 1 << 32} {
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			b.ReportAllocs()
			var m mutable.Bitmap
			m.Add(1 << 50)
			for b.Loop() {
				m.AddRange(1<<20+1000, 1<<20+1000+width)
				m.Flip(1<<20+1050, 1<<20+1000+width/2)
				m.RemoveRange(1<<20, 1<<20+1000+width)
			}
		})
	}
}

// BenchmarkBuild builds sets from sorted values.
func BenchmarkBuild(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		universe uint64
		n        int
	}{{1 << 18, 50_000}, {5_500_000, 30}, {5_500_000, 5000}, {5_500_000, 100_000}, {1 << 40, 1000}} {
		values := make([]uint64, c.n)
		for i := range values {
			values[i] = r.Uint64N(c.universe)
		}
		slices.Sort(values)
		values = slices.Compact(values)
		b.Run(fmt.Sprintf("layout=fastest/universe=%d/n=%d", c.universe, c.n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pair.FromSorted(values)
			}
			perValue(b, len(values))
		})
		b.Run(fmt.Sprintf("layout=smallest/universe=%d/n=%d", c.universe, c.n), func(b *testing.B) {
			b.ReportAllocs()
			var body []byte
			for b.Loop() {
				body = pack.AppendBody(body[:0], values)
			}
			perValue(b, len(values))
		})
	}
}

// BenchmarkRealData builds the sets of the papers' data, and adds their values in random order.
func BenchmarkRealData(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"census-income", "census1881", "weather_sept_85", "wikileaks-noquotes",
		"uscensus2000"} {
		sets := realData(b, name)[:40]
		n := 0
		shuffled := make([][]uint64, len(sets))
		for i, set := range sets {
			n += len(set)
			shuffled[i] = slices.Clone(set)
			r.Shuffle(len(set), func(j, k int) { shuffled[i][j], shuffled[i][k] = shuffled[i][k], shuffled[i][j] })
		}
		b.Run("build/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, set := range sets {
					pair.FromSorted(set)
				}
			}
			perValue(b, n)
		})
		b.Run("add/"+name, func(b *testing.B) {
			for b.Loop() {
				for _, set := range shuffled {
					var m mutable.Bitmap
					for _, x := range set {
						m.Add(x)
					}
				}
			}
			perValue(b, n)
		})
	}
}
