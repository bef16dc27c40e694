// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// TestHostileArrays gives payloads in no order to the kernels: they stay in their room.
func TestHostileArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var words bitset.Words
	for range 3000 {
		a, b := make([]byte, 2*r.IntN(1<<r.IntN(10))), make([]byte, 4*r.IntN(1<<r.IntN(10)))
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		dst := make([]byte, len(a)+len(b))
		_ = array.And(dst[:min(len(a), len(b))], a, b) + array.Or(dst, a, b) + array.Xor(dst, a, b) +
			array.AndNot(dst[:len(a)], a, b)
		_ = array.AndLen(a, b) + array.Search(a, 77)
		_ = ArrayAnd(dst[:len(a)], a, b) + ArrayAndNot(dst[:len(a)], a, b) + ArrayAndLen(a, b)
		_ = ArrayIntersects(a, b) || array.Intersects(a, b) || Intersects(a, b) || Contains(b, 9)
		_ = AndLen(a, b) + Rank(a, 9) + Len(b)
		for _, op := range []setOp{andOp, orOp, andNotOp, xorOp} {
			n, runs := Runs(op, dst, a, r.IntN(2) == 0, b, r.IntN(2) == 0)
			if n > 1<<16 || 4*runs > 4*(len(a)+len(b)) {
				t.Fatalf("%d values in %d runs", n, runs)
			}
		}
		for _, f := range []func(*bitset.Words, []byte) int{Set, Flip, Clear, Keep, bitset.SetArray, bitset.FlipArray,
			bitset.ClearArray} {
			f(&words, b)
		}
		_ = BitsetToArray(dst, b, &words) + BitsetAndLen(b, &words) + ToArray(dst, b) +
			bitset.ToArray(dst, &words)
		_ = array.Patch(make([]byte, len(a)+8), a, []uint16{9, 3, 3, 800}, []uint16{800, 2})
	}
}
