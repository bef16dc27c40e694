// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package run

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestRunLimits is array.TestArrayLimits for runs.
func TestRunLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(322, 1))
	x, y, z := kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 2*4096), kerneltest.NewArena(t, 4*4096)
	for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17} {
		for _, m := range []int{1, 6, 7, 8, 9, 15, 16, 17, 64*n - 1, 64 * n, 64*n + 1} {
			if m < 0 {
				continue
			}
			for range 4 {
				p, q := kerneltest.SeparateRuns(r, n, 1<<r.IntN(16)), kerneltest.SeparateRuns(r, m, 1<<r.IntN(16))
				for _, where := range []int{kerneltest.AtBegin, kerneltest.AtEnd} {
					a, b := x.Put(len(p), where, p), y.Put(len(q), where, q)
					for _, of := range [][2][]byte{{a, b}, {b, a}} {
						dst, expected := z.Put(4*(n+m), where, nil), make([]byte, 4*(n+m))
						values, runs := And(dst, of[0], of[1])
						want, wantRuns := runAndGeneric(expected, of[0], of[1])
						if k := AndLen(of[0], of[1]); k != want || values != want || runs != wantRuns ||
							!bytes.Equal(dst[:4*runs], expected[:4*runs]) {
							t.Fatalf("%d and %d runs: got %d values, and %d in %d runs, want %d in %d", len(of[0])/4,
								len(of[1])/4, k, values, runs, want, wantRuns)
						}
					}
					if !x.Intact() || !y.Intact() || !z.Intact() || !bytes.Equal(a, p) || !bytes.Equal(b, q) {
						t.Fatalf("%d and %d runs: memory was changed", n, m)
					}
				}
			}
		}
	}
}
