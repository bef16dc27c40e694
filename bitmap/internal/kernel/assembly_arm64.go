// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// Each of these does what the function does whose name ends in Generic.

// onesNEON counts the ones of whole words; up to seven bytes behind them do not count.
//
//go:noescape
func onesNEON(words []byte) int

//go:noescape
func bitsetAndLenNEON(a, b *Words) int

//go:noescape
func bitsetAndNEON(dst, a, b *Words) int

//go:noescape
func bitsetOrNEON(dst, a, b *Words) int

//go:noescape
func bitsetAndNotNEON(dst, a, b *Words) int

//go:noescape
func bitsetXorNEON(dst, a, b *Words) int

//go:noescape
func orIntoNEON(dst, a *Words)

//go:noescape
func xorIntoNEON(dst, a *Words)

//go:noescape
func andNotIntoNEON(dst, a *Words)

// The kernels that intersect arrays return from where on both are left to another kernel.

//go:noescape
func arrayAndLenNEON(a, b []byte) (n, i, j int)

//go:noescape
func arrayAndNEON(dst, a, b []byte) (n, i, j int)

//go:noescape
func arrayAndNotNEON(dst, a, b []byte) (n, i, j int)

// Those that merge arrays by a network leave it to their caller whether the result ends with 65 535. Both arrays have values.

//go:noescape
func arrayOrNEON(dst, a, b []byte) int

//go:noescape
func arrayXorNEON(dst, a, b []byte) int

//go:noescape
func arrayBitsetAndLenNEON(lows []byte, a *Words) int

// dst has the room of lows and may be lows.
//
//go:noescape
func filterBitsNEON(dst, lows []byte, a *Words, flip int) int

// bitsetToArrayNEON may write anything behind the values for which there is room.
//
//go:noescape
func bitsetToArrayNEON(dst []byte, a *Words) int

// bitsetLowsNEON is bitsetToArrayNEON with another type of room.
//
//go:noescape
func bitsetLowsNEON(dst []uint16, a *Words) int

//go:noescape
func arrayValuesNEON(dst []uint64, lows []byte, base uint64)

//go:noescape
func upperLowsNEON(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64)

// orLowersNEON returns the number of values that are done.
//
//go:noescape
func orLowersNEON(lows, block []byte, off int, low uint) (n int)

// packedValuesNEON does what packedValuesGeneric does, but for the values at the end for which it has not the bytes of eight.
//
//go:noescape
func packedValuesNEON(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n, read int, left uint64)

//go:noescape
func prefetchNEON(b []byte)
