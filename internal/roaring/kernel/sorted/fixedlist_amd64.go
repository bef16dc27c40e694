// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of fixed lists, see assembly_amd64.go.

// Up to this many comparisons, kernels compare all with all. A comparison is one value of the
// shorter list with one vector of the longer one. Longer lists merge as offsets, which they are as
// they lie.
const (
	fixedAllAVX512 = 64
	fixedAllAVX2   = 24
)

func fixedAndLen(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	short, long := len(a)/FixedLeast, len(b)/FixedLeast
	switch {
	case cpu.Active == cpu.AVX512 && cpu.FastPairs:
		return fixedAndLenPairsAVX512(a, b)
	case cpu.Active == cpu.AVX512 && short*((long+15)/16) <= fixedAllAVX512:
		return fixedAndLenAVX512(a, b)
	case cpu.Active == cpu.AVX512:
		n, _, _ = fixedMergeLenAVX512(b, a)
		return n
	case cpu.Active == cpu.AVX2 && short*((long+7)/8) <= fixedAllAVX2:
		return fixedAndLenAVX2(a, b)
	case cpu.Active == cpu.AVX2:
		n, _, _ = fixedMergeLenAVX2(b, a)
		return n
	}
	return fixedAndLenGeneric(a, b)
}

func fixedHas(list []byte, width int, x uint64) bool {
	switch {
	case cpu.Active == cpu.AVX512:
		return fixedHasAVX512(list, width, x)
	case cpu.Active == cpu.AVX2 && width == FixedLeast:
		return fixedHasAVX2(list, uint32(x))
	case cpu.Active == cpu.AVX2:
		n, found := fixedHasWideAVX2(list, width, x)
		return found || fixedHasGeneric(list[n*width:], width, x)
	}
	return fixedHasGeneric(list, width, x)
}

func fixedRank(list []byte, n, width int, x uint64) int {
	switch {
	case cpu.Active == cpu.AVX512:
		return fixedRankAVX512(list, n, width, x)
	case cpu.Active == cpu.AVX2 && width == FixedLeast:
		return fixedRankAVX2(list, n, uint32(x))
	}
	return fixedRankGeneric(list, n, width, x)
}

func fixedValues(dst []uint64, list []byte, width int) {
	n := 0
	switch cpu.Active {
	case cpu.AVX512:
		fixedValuesAVX512(dst, list, width)
		return
	case cpu.AVX2:
		n = fixedValuesAVX2(dst, list, width)
	}
	fixedValuesGeneric(dst[n:], list[n*width:], width)
}

// fixedAndLenAVX512 and fixedAndLenAVX2 compare each value of a with all of b: a should be the
// shorter one.

//go:noescape
func fixedAndLenAVX512(a, b []byte) int

//go:noescape
func fixedAndLenPairsAVX512(a, b []byte) int

// fixedMergeLenAVX512 and fixedMergeLenAVX2 are offsetsAndLenAVX512 and offsetsAndLenAVX2 of fixed
// lists.

//go:noescape
func fixedMergeLenAVX512(a, b []byte) (n, i, j int)

//go:noescape
func fixedMergeLenAVX2(a, b []byte) (n, i, j int)

//go:noescape
func fixedHasAVX512(list []byte, width int, x uint64) bool

//go:noescape
func fixedValuesAVX512(dst []uint64, list []byte, width int)

//go:noescape
func fixedRankAVX512(list []byte, n, width int, x uint64) int

//go:noescape
func fixedAndLenAVX2(a, b []byte) int

//go:noescape
func fixedHasAVX2(list []byte, x uint32) bool

//go:noescape
func fixedRankAVX2(list []byte, n int, x uint32) int

// fixedValuesAVX2 reads all but some of the last values, and returns how many.
//
//go:noescape
func fixedValuesAVX2(dst []uint64, list []byte, width int) (n int)

// fixedHasWideAVX2 looks at all but some of the last values, and returns how many.
//
//go:noescape
func fixedHasWideAVX2(list []byte, width int, x uint64) (n int, found bool)
