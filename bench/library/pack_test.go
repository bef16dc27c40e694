// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
)

// BenchmarkPackedPair counts what two sets of 95 000 random values below 1 000 000 have in common.
// It does so in each layout: docs/migrate.md has the table.
func BenchmarkPackedPair(b *testing.B) {
	r := rand.New(rand.NewPCG(95, 95))
	random := func(layout bitmap.Layout) bitmap.View {
		var set bitmap.Bitmap
		for set.Len() < 95_000 {
			set.Add(r.Uint64N(1_000_000))
		}
		set.Pack(layout)
		return set.View()
	}
	for layout, name := range []string{bitmap.Fastest: "fastest", bitmap.Smallest: "smallest",
		bitmap.Balanced: "balanced"} {
		x, y := random(bitmap.Layout(layout)), random(bitmap.Layout(layout))
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			for b.Loop() {
				bitmap.AndLen(x, y)
			}
			b.ReportMetric(float64(len(x.Body())), "bytes")
		})
	}
}
