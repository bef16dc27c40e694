// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Span returns the values lo, lo+step, … below hi.
func Span(lo, hi, step uint64) (out []uint64) {
	for x := lo; x < hi; x += step {
		out = append(out, x)
	}
	return out
}

// Few prints the first values of a list.
func Few[T any](list []T) string {
	if len(list) <= 8 {
		return fmt.Sprint(list)
	}
	return fmt.Sprintf("%v …", list[:8])
}

// Damage changes a few bytes, mostly in the header and the directory, or cuts some off.
func Damage(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(6) {
		if len(b) == 0 {
			break
		}
		at := r.IntN(min(len(b), 1+r.IntN(1<<r.IntN(17))))
		switch r.IntN(4) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1, 2:
			b[at] = byte(r.Uint32())
		default:
			b = b[:max(len(b)-r.IntN(3)*r.IntN(20), 1)]
		}
	}
	return b
}

// RandomIDs returns n values below a bound, in any order and some of them twice.
func RandomIDs(r *rand.Rand, n int, below uint64) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64N(below)
	}
	return out
}
