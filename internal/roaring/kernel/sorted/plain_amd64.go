// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of plain lists, see assembly_amd64.go.

// Comparisons of a value of the shorter list with a vector of the longer one up to which all are
// compared with all: longer lists are merged as offsets, which they are as they lie.
const (
	plainAllAVX512 = 64
	plainAllAVX2   = 24
)

func plainAndLen(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	short, long := len(a)/PlainLeast, len(b)/PlainLeast
	switch {
	case cpu.Active == cpu.AVX512 && cpu.FastPairs:
		return plainAndLenPairsAVX512(a, b)
	case cpu.Active == cpu.AVX512 && short*((long+15)/16) <= plainAllAVX512:
		return plainAndLenAVX512(a, b)
	case cpu.Active == cpu.AVX512:
		n, _, _ = plainMergeLenAVX512(b, a)
		return n
	case cpu.Active == cpu.AVX2 && short*((long+7)/8) <= plainAllAVX2:
		return plainAndLenAVX2(a, b)
	case cpu.Active == cpu.AVX2:
		n, _, _ = plainMergeLenAVX2(b, a)
		return n
	}
	return plainAndLenGeneric(a, b)
}

func plainHas(list []byte, width int, x uint64) bool {
	switch {
	case cpu.Active == cpu.AVX512:
		return plainHasAVX512(list, width, x)
	case cpu.Active == cpu.AVX2 && width == PlainLeast:
		return plainHasAVX2(list, uint32(x))
	case cpu.Active == cpu.AVX2:
		n, found := plainHasWideAVX2(list, width, x)
		return found || plainHasGeneric(list[n*width:], width, x)
	}
	return plainHasGeneric(list, width, x)
}

func plainRank(list []byte, n, width int, x uint64) int {
	switch {
	case cpu.Active == cpu.AVX512:
		return plainRankAVX512(list, n, width, x)
	case cpu.Active == cpu.AVX2 && width == PlainLeast:
		return plainRankAVX2(list, n, uint32(x))
	}
	return plainRankGeneric(list, n, width, x)
}

func plainValues(dst []uint64, list []byte, width int) {
	n := 0
	switch cpu.Active {
	case cpu.AVX512:
		plainValuesAVX512(dst, list, width)
		return
	case cpu.AVX2:
		n = plainValuesAVX2(dst, list, width)
	}
	plainValuesGeneric(dst[n:], list[n*width:], width)
}

// plainAndLenAVX512 and plainAndLenAVX2 compare each value of a with all of b: a should be the
// shorter one.

//go:noescape
func plainAndLenAVX512(a, b []byte) int

//go:noescape
func plainAndLenPairsAVX512(a, b []byte) int

// plainMergeLenAVX512 and plainMergeLenAVX2 are offsetsAndLenAVX512 and offsetsAndLenAVX2 of plain
// lists.

//go:noescape
func plainMergeLenAVX512(a, b []byte) (n, i, j int)

//go:noescape
func plainMergeLenAVX2(a, b []byte) (n, i, j int)

//go:noescape
func plainHasAVX512(list []byte, width int, x uint64) bool

//go:noescape
func plainValuesAVX512(dst []uint64, list []byte, width int)

//go:noescape
func plainRankAVX512(list []byte, n, width int, x uint64) int

//go:noescape
func plainAndLenAVX2(a, b []byte) int

//go:noescape
func plainHasAVX2(list []byte, x uint32) bool

//go:noescape
func plainRankAVX2(list []byte, n int, x uint32) int

// plainValuesAVX2 reads all but some of the last values, and returns how many.
//
//go:noescape
func plainValuesAVX2(dst []uint64, list []byte, width int) (n int)

// plainHasWideAVX2 looks at all but some of the last values, and returns how many.
//
//go:noescape
func plainHasWideAVX2(list []byte, width int, x uint64) (n int, found bool)
