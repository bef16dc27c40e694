// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// compareSearches compares kernels that look a value up in an array of at least wideWindow values.
// An odd byte at the end of the array does not count.
func compareSearches[T comparable](t *testing.T, got, want func(lows []byte, x uint16) T) {
	r := rand.New(rand.NewPCG(111, 1))
	x := kerneltest.NewArena(t, 4*4096)
	for n := wideWindow; n <= 4096; n += 1 + r.IntN(1+n/16) {
		for range 4 {
			values := kerneltest.Ascending(n, func() uint64 { return r.Uint64N(1 << 16) })
			if r.IntN(3) == 0 {
				values = kerneltest.Ascending(n, func() uint64 { return 1<<16 - uint64(n) + r.Uint64N(uint64(n)) })
			}
			if len(values) < wideWindow {
				continue
			}
			lows := make([]byte, 2*len(values), 2*len(values)+1)
			for i, y := range values {
				swar.PutUint16(lows, 2*i, uint16(y))
			}
			if r.IntN(4) == 0 {
				lows = append(lows, 0)
			}
			room := x.Put(len(lows), []int{kerneltest.AtEnd, kerneltest.AtBegin, r.IntN(64)}[r.IntN(3)], lows)
			for k := range 60 {
				y := uint16(values[r.IntN(len(values))])
				for _, d := range []uint16{y, y - 1, y + 1, uint16(r.Uint32()), uint16(k - 1), uint16(values[0]),
					uint16(values[len(values)-1])} {
					if g, w := got(room, d), want(room, d); g != w {
						t.Fatalf("%d in %d values: got %v, want %v", d, len(values), g, w)
					}
				}
			}
			if !x.Intact() || !bytes.Equal(room, lows) {
				t.Fatalf("%d values: memory was changed", len(values))
			}
		}
	}
}

// searchedLen extends a kernel that counts the values of few that a longer array has. The result
// also takes a short array for many.
func searchedLen(f func(few, many []byte) int) func(few, many []byte) int {
	return func(few, many []byte) int {
		if len(many) < 2*wideWindow {
			return arrayAndLenGeneric(few, many)
		}
		return f(few, many)
	}
}

// searched does the same for one that keeps values.
func searched(f func(dst, few, many []byte, flip int) int) func(dst, few, many []byte, flip int) int {
	return func(dst, few, many []byte, flip int) int {
		if len(many) < 2*wideWindow {
			return arrayTinyGeneric(dst, few, many, flip)
		}
		return f(dst, few, many, flip)
	}
}

// arrayTinyGeneric keeps the values of few that many has or, if flip is 1, has not.
func arrayTinyGeneric(dst, few, many []byte, flip int) (n int) {
	for ; len(few) >= 2; few = few[2:] {
		x := swar.Uint16(few, 0)
		swar.PutUint16(dst, 2*n, x)
		if arrayContainsGeneric(many, x) == (flip == 0) {
			n++
		}
	}
	return n
}
