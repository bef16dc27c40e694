// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// Each of these does what the function does whose name ends in Generic.

// The kernels that intersect arrays return from where on both are left to another kernel.

//go:noescape
func arrayAndLenNEON(a, b []byte) (n, i, j int)

//go:noescape
func arrayAndNEON(dst, a, b []byte) (n, i, j int)

//go:noescape
func arrayAndNotNEON(dst, a, b []byte) (n, i, j int)

// Those that merge arrays by a network leave it to their caller whether the result ends with 65
// 535. Both arrays have values.

//go:noescape
func arrayOrNEON(dst, a, b []byte) int

//go:noescape
func arrayXorNEON(dst, a, b []byte) int

// Arrays that are searched have at least wideWindow values.

//go:noescape
func searchArrayNEON(lows []byte, x uint16) int

//go:noescape
func arrayContainsNEON(lows []byte, x uint16) bool

// arrayTinyLenNEON returns how many values of few another array has.
//
//go:noescape
func arrayTinyLenNEON(few, many []byte) int

// arrayTinyNEON writes the values of few that many has or, if flip is 1, has not. dst has the room
// of few.
//
//go:noescape
func arrayTinyNEON(dst, few, many []byte, flip int) int

//go:noescape
func arrayBitsetAndLenNEON(lows []byte, a *bitset.Words) int

// dst has the room of lows and may be lows.
//
//go:noescape
func filterBitsNEON(dst, lows []byte, a *bitset.Words, flip int) int

//go:noescape
func arrayValuesNEON(dst []uint64, lows []byte, base uint64)

// selectCardNEON finds the place in a list of cardinalities minus 1 up to which their sum exceeds
// i, and what is left of i there.
//
//go:noescape
func selectCardNEON(cards []byte, i uint32) (at int, left uint32)
