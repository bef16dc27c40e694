// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// The kernels of fixed lists, see assembly_arm64.go.

// fixedBlock is the number of values that the kernels look at together. Go handles shorter lists.
const fixedBlock = 4

// fixedCounted is the number of values of more than four bytes up to which all are compared: a
// vector has two of them.
const fixedCounted = 64

func fixedAndLen(a, b []byte) int {
	if cpu.Active == cpu.NEON {
		return fixedAndLenNEON(a, b)
	}
	return fixedAndLenGeneric(a, b)
}

func fixedHas(list []byte, width int, x uint64) bool {
	if cpu.Active == cpu.NEON {
		return fixedHasByNEON(list, width, x)
	}
	return fixedHasGeneric(list, width, x)
}

func fixedHasByNEON(list []byte, width int, x uint64) bool {
	switch {
	case len(list) < fixedBlock*width:
		return fixedHasGeneric(list, width, x)
	case width == FixedLeast:
		return fixedHasNEON(list, uint32(x))
	case len(list) > fixedCounted*width:
		return fixedHasGeneric(list, width, x)
	}
	return fixedHasWideNEON(list, width, x)
}

func fixedRank(list []byte, n, width int, x uint64) int {
	if cpu.Active == cpu.NEON {
		return fixedRankByNEON(list, n, width, x)
	}
	return fixedRankGeneric(list, n, width, x)
}

func fixedRankByNEON(list []byte, n, width int, x uint64) int {
	switch {
	case n < fixedBlock:
		return fixedRankGeneric(list, n, width, x)
	case width == FixedLeast:
		return fixedRankNEON(list[:n*FixedLeast], uint32(x))
	case n > fixedCounted:
		return fixedRankGeneric(list, n, width, x)
	}
	return fixedRankWideNEON(list[:n*width], n, width, x)
}

func fixedValues(dst []uint64, list []byte, width int) {
	if cpu.Active == cpu.NEON {
		fixedValuesByNEON(dst, list, width)
	} else {
		fixedValuesGeneric(dst, list, width)
	}
}

func fixedValuesByNEON(dst []uint64, list []byte, width int) {
	if n := min(len(dst), len(list)/width); n >= fixedBlock {
		fixedValuesNEON(dst[:n], list[:n*width], width)
		return
	}
	fixedValuesGeneric(dst, list, width)
}

// fixedAndLenNEON takes bytes at the end that make no value for none.
//
//go:noescape
func fixedAndLenNEON(a, b []byte) int

// Those below are for whole values, fixedBlock of them at least.

//go:noescape
func fixedHasNEON(list []byte, x uint32) bool

//go:noescape
func fixedHasWideNEON(list []byte, width int, x uint64) bool

//go:noescape
func fixedRankNEON(list []byte, x uint32) int

//go:noescape
func fixedRankWideNEON(list []byte, n, width int, x uint64) int

// fixedValuesNEON has room for as many values as the list has.
//
//go:noescape
func fixedValuesNEON(dst []uint64, list []byte, width int)
