// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prefetch_test

import (
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/prefetch"
)

// BenchmarkEnds times asking for both ends of a slice, sixteen at a time. The slices are near
// already, or far away as a rule. The result is the fastest of many slots of 256 slices.
func BenchmarkEnds(b *testing.B) {
	const each, lists, step = 16, 16, 65 << 10
	memory := make([]byte, 256<<20)
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	for _, far := range []bool{false, true} {
		name := map[bool]string{false: "near", true: "far"}[far]
		b.Run(name, func(b *testing.B) {
			var list [lists][each][]byte
			fastest, at := time.Hour, 0
			for b.Loop() {
				for i := range list {
					for j := range list[i] {
						list[i][j] = memory[at : at+100]
						if far {
							at = (at + step) % (len(memory) - step)
						}
					}
				}
				start := time.Now()
				for i := range list {
					prefetch.Ends(list[i][:])
				}
				fastest = min(fastest, time.Since(start))
			}
			b.ReportMetric(float64(fastest.Nanoseconds())/each/lists, "ns/slice")
			b.ReportMetric(0, "ns/op")
		})
	}
}
