// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	_ "github.com/RoaringBitmap/roaring/v2"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// intersection2by2Cardinality is roaring's count of the values that two sorted arrays have in
// common. It gallops where one is 64 times as long as the other.
//
//go:linkname intersection2by2Cardinality github.com/RoaringBitmap/roaring/v2.intersection2by2Cardinality
func intersection2by2Cardinality(a, b []uint16) int

// skewedInC returns a function that counts the common values of each two adjacent sets. It does so
// by CRoaring, in C, if that is there.
var skewedInC func(sets [][]uint32) func() int

// BenchmarkSkewed counts what two sorted arrays have in common; one is 16 to 4 096 times as long.
// The time is for a value of the shorter one: of the fastest of many turns over some 10 000 of
// them. UPROAR_KERNELS=generic takes our assembly away.
func BenchmarkSkewed(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, size := range [][2]int{{4, 64}, {16, 256}, {64, 1024}, {256, 4096}, {4, 256}, {16, 1024}, {64, 4096},
		{1, 256}, {4, 1024}, {16, 4096}, {1, 1024}, {4, 4096}, {1, 4096}} {
		draw := func(n int) []uint16 {
			var lows []uint16
			for _, x := range r.Perm(1 << 16)[:n] {
				lows = append(lows, uint16(x))
			}
			slices.Sort(lows)
			return lows
		}
		// Some arrays in many pairs, all in the processor's caches, as it learns the branches of
		// few pairs by heart.
		const few = 32
		pairs := max(64, 8192/size[0])
		var arrays [2 * few][]uint16
		var blocks [2 * few]container.Block
		var numbers [2 * few][]uint32
		for i := range arrays {
			arrays[i] = draw(size[i%2])
			for _, x := range arrays[i] {
				numbers[i] = append(numbers[i], uint32(x))
			}
			blocks[i] = container.OfLows(0, arrays[i], new(container.Scratch))
		}
		order := make([]int, pairs+1)
		var wide [][]uint32
		want := 0
		for i := range order {
			order[i] = 2*r.IntN(few) + i%2
			wide = append(wide, numbers[order[i]])
			if i > 0 {
				want += intersection2by2Cardinality(arrays[order[i-1]], arrays[order[i]])
			}
		}
		measured := func(name string, turn func() int) {
			if got := turn(); got != want {
				b.Fatalf("%s, %d and %d values: got %d, want %d", name, size[0], size[1], got, want)
			}
			b.Run(fmt.Sprintf("n=%d,%d/%s", size[0], size[1], name), func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				fastest := time.Hour
				for b.Loop() {
					began := time.Now()
					turn()
					fastest = min(fastest, time.Since(began))
				}
				b.ReportMetric(float64(fastest.Nanoseconds())/float64(pairs*size[0]), "ns/value")
				b.ReportMetric(0, "ns/op")
			})
		}
		measured("roaring", func() (n int) {
			for i := range pairs {
				n += intersection2by2Cardinality(arrays[order[i]], arrays[order[i+1]])
			}
			return n
		})
		if skewedInC != nil {
			measured("CRoaring", skewedInC(wide))
		}
		measured("uproar", func() (n int) {
			for i := range pairs {
				n += blocks[order[i]].AndLen(blocks[order[i+1]])
			}
			return n
		})
	}
}
