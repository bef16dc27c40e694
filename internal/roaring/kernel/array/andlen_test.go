// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAndLenOfShort compares AndLen of all pairs of sizes up to twelve values with a model. Values
// are near each other, or at either end.
func TestAndLenOfShort(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 4))
	draw := func(n int) (values []uint16, lows []byte) {
		for range n {
			x := uint16(r.IntN(1 << (1 + r.IntN(5))))
			values = append(values, x-uint16(r.IntN(2))*32)
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for _, x := range values {
			lows = binary.LittleEndian.AppendUint16(lows, x)
		}
		return values, lows
	}
	for n := range 13 {
		for m := range 13 {
			for range 100 {
				xs, a := draw(n)
				ys, b := draw(m)
				want := 0
				for _, x := range xs {
					if slices.Contains(ys, x) {
						want++
					}
				}
				if got := AndLen(a, b); got != want {
					t.Fatalf("AndLen(%v, %v): got %d, want %d", xs, ys, got, want)
				}
			}
		}
	}
}
