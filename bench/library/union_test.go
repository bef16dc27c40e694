// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	_ "unsafe" // for go:linkname

	_ "github.com/RoaringBitmap/roaring/v2"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// union2by2 is the loop of roaring in Go that Kamke's report is about: the union of two sorted
// arrays. It is in plain Go on amd64 and in assembly on arm64.
//
//go:linkname union2by2 github.com/RoaringBitmap/roaring/v2.union2by2
func union2by2(a, b, buffer []uint16) int

// BenchmarkUnion2by2 times a union of two sorted arrays of values of 16 bits, by roaring and by us.
// All values are drawn from 65 536. UPROAR_KERNELS=generic takes our assembly away. cpu-ns are of
// the thread.
func BenchmarkUnion2by2(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{4, 45, 300, 2000} {
		draw := func() []uint16 {
			var lows []uint16
			for _, x := range r.Perm(1 << 16)[:n] {
				lows = append(lows, uint16(x))
			}
			slices.Sort(lows)
			return lows
		}
		// Many pairs in turn, as the processor learns the branches of one by heart.
		const pairs = 64
		type pair struct {
			x, y       []uint16
			p, q       container.Block
			own, other container.Scratch
		}
		buffer, result, of := make([]uint16, 2*n), new(container.Scratch), make([]pair, pairs)
		for i := range of {
			o := &of[i]
			o.x, o.y = draw(), draw()
			o.p, o.q = container.OfLows(0, o.x, &o.own), container.OfLows(0, o.y, &o.other)
			if got, want := result.Or(o.p, o.q).AppendLow(nil), buffer[:union2by2(o.x, o.y, buffer)]; !slices.Equal(got,
				want) {
				b.Fatalf("2 × %d values: got %d values, want %d", n, len(got), len(want))
			}
		}
		measured := func(name string, f func(o *pair)) {
			b.Run(fmt.Sprintf("%s/2x%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				now := ThreadClock()
				began := now()
				for i := 0; b.Loop(); i++ {
					f(&of[i%pairs])
				}
				b.ReportMetric(float64(now()-began)/float64(b.N), "cpu-ns/op")
			})
		}
		measured("roaring", func(o *pair) { union2by2(o.x, o.y, buffer) })
		measured("uproar", func(o *pair) { result.Or(o.p, o.q) })
	}
}
