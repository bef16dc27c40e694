// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestFold compares with the reversal of one word after the other, and folds in place.
func TestFold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var src, dst Words
		for i := range src {
			src[i] = byte(r.Uint32() & r.Uint32())
		}
		want := 0
		n := Fold(&dst, &src)
		for i := 0; i < len(src); i += 2 {
			x := binary.LittleEndian.Uint16(src[i:])
			want += bits.OnesCount16(x)
			if got := binary.LittleEndian.Uint16(dst[i:]); got != bits.Reverse16(x) {
				t.Fatalf("word %d: got %016b, want %016b", i/2, got, bits.Reverse16(x))
			}
		}
		if n != want || Fold(&dst, &dst) != want {
			t.Fatalf("ones: got %d, want %d", n, want)
		}
		if dst != src {
			t.Fatal("folded twice, the bits are not as they were")
		}
	}
}
