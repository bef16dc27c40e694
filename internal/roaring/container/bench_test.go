// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

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
