// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestScattered subtracts long arrays, and counts what they have in common. Processors that set
// bits fast do it through a bitset, others do not; it tries both.
func TestScattered(t *testing.T) {
	defer func(was bool) { cpu.FastScatter = was }(cpu.FastScatter)
	r := rand.New(rand.NewPCG(11, 7))
	for range 200 {
		a, _ := kerneltest.RandomLows(r, 1+r.IntN(4096), 65536)
		b, _ := kerneltest.RandomLows(r, 1+r.IntN(4096), 65536)
		want := make([]byte, len(a))
		want = want[:2*arrayAndNotGeneric(want, a, b)]
		for _, cpu.FastScatter = range []bool{false, true} {
			got := make([]byte, len(a))
			if got = got[:2*arrayAndNot(got, a, b)]; !bytes.Equal(got, want) {
				t.Fatalf("%d less %d values, bits set fast %v: got %d values, want %d", len(a)/2, len(b)/2,
					cpu.FastScatter,
					len(got)/2, len(want)/2)
			}
			if got, want := arrayAndLen(a, b), arrayAndLenGeneric(a, b); got != want {
				t.Fatalf("%d and %d values, bits set fast %v: got %d in common, want %d", len(a)/2, len(b)/2,
					cpu.FastScatter, got, want)
			}
		}
	}
}
