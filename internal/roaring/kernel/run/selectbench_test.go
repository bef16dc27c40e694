// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// BenchmarkSelects is the time of asking for the i-th value, of lists of cardinalities, of runs and
// of bitsets.
func BenchmarkSelects(b *testing.B) {
	r := rand.New(rand.NewPCG(226, 1))
	const questions = 64
	for _, n := range []int{16, 60, 200} {
		cards := make([]byte, 2*n)
		for i := range n {
			swar.PutUint16(cards, 2*i, uint16(r.Uint32N(1000)))
		}
		var asked [questions]uint64
		for i := range asked {
			asked[i] = r.Uint64N(array.SumCards(cards))
		}
		kerneltest.OnPaths(b, fmt.Sprintf("cards/n=%d", n), questions, "ns/question", func() {
			for _, i := range asked {
				array.SelectCard(cards, i)
			}
		})
	}
	for _, n := range []int{10, 50, 400} {
		runs := kerneltest.SeparateRuns(r, n, 40)
		var asked [questions]int
		for i := range asked {
			asked[i] = r.IntN(Len(runs))
		}
		kerneltest.OnPaths(b, fmt.Sprintf("runs/n=%d", n), questions, "ns/question", func() {
			for _, i := range asked {
				Select(runs, i)
			}
		})
	}
	var w bitset.Words
	lows, _ := kerneltest.RandomLows(r, 20_000, 65536)
	bitset.Scatter(&w, lows)
	var asked [questions]int
	for i := range asked {
		asked[i] = r.IntN(20_000)
	}
	kerneltest.OnPaths(b, "bitset", questions, "ns/question", func() {
		for _, i := range asked {
			bitset.Select(&w, i, 20_000)
		}
	})
}
