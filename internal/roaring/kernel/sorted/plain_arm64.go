// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of plain lists, see assembly_arm64.go.

// plainBlock is the number of values that the kernels look at together, and below which a list is
// left to Go.
const plainBlock = 4

// plainCounted is the number of values of more than four bytes up to which all are compared: a
// vector has two of them.
const plainCounted = 64

func plainAndLen(a, b []byte) int {
	if cpu.Active == cpu.NEON {
		return plainAndLenNEON(a, b)
	}
	return plainAndLenGeneric(a, b)
}

func plainHas(list []byte, width int, x uint64) bool {
	if cpu.Active == cpu.NEON {
		return plainHasByNEON(list, width, x)
	}
	return plainHasGeneric(list, width, x)
}

func plainHasByNEON(list []byte, width int, x uint64) bool {
	switch {
	case len(list) < plainBlock*width:
		return plainHasGeneric(list, width, x)
	case width == PlainLeast:
		return plainHasNEON(list, uint32(x))
	case len(list) > plainCounted*width:
		return plainHasGeneric(list, width, x)
	}
	return plainHasWideNEON(list, width, x)
}

func plainRank(list []byte, n, width int, x uint64) int {
	if cpu.Active == cpu.NEON {
		return plainRankByNEON(list, n, width, x)
	}
	return plainRankGeneric(list, n, width, x)
}

func plainRankByNEON(list []byte, n, width int, x uint64) int {
	switch {
	case n < plainBlock:
		return plainRankGeneric(list, n, width, x)
	case width == PlainLeast:
		return plainRankNEON(list[:n*PlainLeast], uint32(x))
	case n > plainCounted:
		return plainRankGeneric(list, n, width, x)
	}
	return plainRankWideNEON(list[:n*width], n, width, x)
}

func plainValues(dst []uint64, list []byte, width int) {
	if cpu.Active == cpu.NEON {
		plainValuesByNEON(dst, list, width)
	} else {
		plainValuesGeneric(dst, list, width)
	}
}

func plainValuesByNEON(dst []uint64, list []byte, width int) {
	if n := min(len(dst), len(list)/width); n >= plainBlock {
		plainValuesNEON(dst[:n], list[:n*width], width)
		return
	}
	plainValuesGeneric(dst, list, width)
}

// plainAndLenNEON takes bytes at the end that make no value for none.
//
//go:noescape
func plainAndLenNEON(a, b []byte) int

// Those below are for whole values, plainBlock of them at least.

//go:noescape
func plainHasNEON(list []byte, x uint32) bool

//go:noescape
func plainHasWideNEON(list []byte, width int, x uint64) bool

//go:noescape
func plainRankNEON(list []byte, x uint32) int

//go:noescape
func plainRankWideNEON(list []byte, n, width int, x uint64) int

// plainValuesNEON has room for as many values as the list has.
//
//go:noescape
func plainValuesNEON(dst []uint64, list []byte, width int)
