// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// FuzzBlockAlgebra draws two sets of one chunk from the fuzzer's bytes and compares each operation
// with the model.
func FuzzBlockAlgebra(f *testing.F) {
	f.Add(uint64(1), uint64(2), []byte{1, 2, 3})
	f.Add(uint64(3), uint64(4), []byte{})
	f.Add(uint64(5), uint64(9), []byte{255, 255, 0, 0})
	f.Fuzz(func(t *testing.T, seed, other uint64, toggle []byte) {
		r := rand.New(rand.NewPCG(seed, other))
		x, y := pairOfChunks(r)
		tx, ty := tableOf(x), tableOf(y)
		for i := 0; i+2 < len(toggle); i += 3 {
			low := int(toggle[i]) | int(toggle[i+1])<<8
			for k := low; k <= min(low+int(toggle[i+2])/2, 65535); k++ {
				if toggle[i+2]&1 == 0 {
					tx[k] = !tx[k]
				} else {
					ty[k] = !ty[k]
				}
			}
		}
		x, y = tx.lows(), ty.lows()
		var s container.Scratch
		for _, op := range blockOps {
			want := combine(tx, ty, op.f)
			for _, a := range blocksOf(1, x) {
				for _, b := range blocksOf(1, y) {
					checkBlock(t, op.name, op.do(&s, a, b), 1, want)
					if got := op.n(a, b); got != len(want) {
						t.Fatalf("length of %s of kinds %d and %d: got %d, want %d", op.name, a.Kind, b.Kind, got,
							len(want))
					}
				}
			}
		}
	})
}
