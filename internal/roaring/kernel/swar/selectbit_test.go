// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"math/rand/v2"
	"testing"
)

func TestSelectBit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		x := r.Uint64() & (r.Uint64() | ^uint64(0)<<r.IntN(64))
		k := 0
		for at := range 64 {
			if x>>at&1 != 0 {
				if got := SelectBit(x, k); got != at {
					t.Fatalf("selectBit(%#x, %d): got %d, want %d", x, k, got, at)
				}
				k++
			}
		}
	}
}
