// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// Each of these does what the function does whose name ends in Generic.

// The kernels that merge arrays with VPCMPISTRM take arrays without the value 0. Those of AVX2
// return from where on both arrays are left to another kernel.

//go:noescape
func arrayAndLenAVX512(a, b []byte) int

//go:noescape
func arrayAndLenAVX2(a, b []byte) (n, i, j int)

//go:noescape
func arrayAndAVX512(dst, a, b []byte) int

//go:noescape
func arrayAndAVX2(dst, a, b []byte) (n, i, j int)

//go:noescape
func arrayAndNotAVX512(dst, a, b []byte) int

//go:noescape
func arrayAndNotAVX2(dst, a, b []byte) (n, i, j int)

// Those that merge arrays by a network leave it to their caller whether the result ends with 65
// 535. Both arrays have values.

//go:noescape
func arrayOrAVX512(dst, a, b []byte) int

//go:noescape
func arrayXorAVX512(dst, a, b []byte) int

//go:noescape
func arrayOrAVX2(dst, a, b []byte) int

//go:noescape
func arrayXorAVX2(dst, a, b []byte) int

//go:noescape
func arrayBitsetAndLenAVX512(lows []byte, a *bitset.Words) int

//go:noescape
func arrayBitsetAndLenAVX2(lows []byte, a *bitset.Words) int

// dst has the room of lows and may be lows.
//
//go:noescape
func filterBitsAVX512(dst, lows []byte, a *bitset.Words, flip int) int

// As that one.
//
//go:noescape
func filterBitsAVX2(dst, lows []byte, a *bitset.Words, flip int) int

//go:noescape
func arrayValuesAVX512(dst []uint64, lows []byte, base uint64)

//go:noescape
func arrayValuesAVX2(dst []uint64, lows []byte, base uint64)

// selectCardAVX512 is for lists whose cardinalities are less than 2^32 together.
//
//go:noescape
func selectCardAVX512(cards []byte, i uint32) (at int, left uint32)

// Arrays that are searched have at least wideWindow values.

//go:noescape
func searchArrayAVX2(lows []byte, x uint16) int

//go:noescape
func arrayContainsAVX2(lows []byte, x uint16) bool

//go:noescape
func arrayTinyLenAVX2(few, many []byte) int

//go:noescape
func arrayTinyAVX2(dst, few, many []byte, flip int) int
