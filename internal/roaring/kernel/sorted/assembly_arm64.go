// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

// Each of these does what the function does whose name ends in Generic.

// These compare whole blocks of four values, as long as both lists have one, and return how many
// values of each they have passed.

//go:noescape
func valuesAndLenNEON(a, b []uint64) (n, i, j int)

//go:noescape
func valuesAndNEON(dst, a, b []uint64) (n, i, j int)

// containedLenNEON and keepOffsetsNEON are for bits of whole words.

//go:noescape
func containedLenNEON(values []uint64, bits []byte, base uint64) int

//go:noescape
func keepOffsetsNEON(offsets []uint32, bits []byte, base uint32) (n int)

// These compare whole blocks of four offsets, as long as both lists have two, and return how many
// offsets of each they have passed.

//go:noescape
func offsetsAndLenNEON(a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndNEON(dst, a, b []uint32) (n, i, j int)

// arrayOffsetsNEON returns how many offsets it has written, a multiple of eight.
//
//go:noescape
func arrayOffsetsNEON(dst []uint32, lows []byte, base uint32) (n int)
