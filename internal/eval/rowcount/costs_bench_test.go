// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rowcount

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/eval/evaltest"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// BenchmarkCosts measures what the constants of costs.go say: the time of a way to count, divided
// by what most of it is spent on.
func BenchmarkCosts(b *testing.B) {
	const records = 1 << 17
	rng := rand.New(rand.NewPCG(1, 3))
	ix := evaltest.OpenColumns(b)
	load, err := ix.Load(b.Context(), 64<<20, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer load.Abort()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	const perRecord, rows = 24, 20_000
	for record := range model.Ref(records) {
		check(load.Set(model.Exists, model.ID(0), record))
		for range perRecord {
			row, _ := load.Key(model.KeySpace(evaltest.Fast), fmt.Sprint(rng.IntN(rows)))
			check(load.Set(evaltest.Fast, row, record))
			row, _ = load.Key(model.KeySpace(evaltest.Small), fmt.Sprint(rng.IntN(rows)))
			check(load.Set(evaltest.Small, row, record))
		}
		row, _ := load.Key(model.KeySpace(evaltest.One), fmt.Sprint(rng.IntN(2)))
		check(load.Assign(evaltest.One, record, row))
	}
	if _, err := load.Commit(); err != nil {
		b.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	every := func(n int) (v view.View, size float64) {
		var set mutable.Bitmap
		for x := uint64(0); x < records; x += uint64(n) {
			set.Add(x)
		}
		return set.View(), float64(set.Len())
	}
	for _, c := range []struct {
		name   string
		field  uint32
		way    Way
		every  int
		unit   string
		amount func(set, lists float64) float64
	}{
		{"value", evaltest.Fast, ByColumn, 1, "ns/value", func(set, _ float64) float64 { return set * perRecord }},
		{"code", evaltest.Small, ByColumn, 1, "ns/value", func(set, _ float64) float64 { return set * perRecord }},
		{"far record with its values", evaltest.Fast, ByColumn, 16, "ns/record", func(set,
			_ float64) float64 {
			return set
		}},
		{"word", evaltest.One, ByColumn, 1, "ns/record", func(set, _ float64) float64 { return set }},
		{"page", evaltest.One, ByColumn, 1 << 13, "ns/page", func(set, _ float64) float64 { return set }},
		{"value of a sparse list", evaltest.Fast, ByLists, 2, "ns/value", func(_, _ float64) float64 {
			return records * perRecord
		}},
		{"byte of a dense list", evaltest.One, ByLists, 2, "ns/byte", func(_,
			_ float64) float64 {
			return 2 * records / 8
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			set, size := every(c.every)
			for b.Loop() {
				counts, err := Count(b.Context(), snap, c.field, set, Counting{Way: c.way})
				check(err)
				counts.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/c.amount(size, rows), c.unit)
		})
	}
}
