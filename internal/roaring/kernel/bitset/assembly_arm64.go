// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

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

// bitsetToArrayNEON may write anything behind the values for which there is room.
//
//go:noescape
func bitsetToArrayNEON(dst []byte, a *Words) int

// bitsetLowsNEON is bitsetToArrayNEON with another type of room.
//
//go:noescape
func bitsetLowsNEON(dst []uint16, a *Words) int

// wordsValuesNEON writes base plus the place of each one of words, and returns how many, and the
// number of bytes of the words that it has read: it stops where less than 64 values have room.
//
//go:noescape
func wordsValuesNEON(dst []uint64, words []byte, base uint64) (n, read int)

//go:noescape
func fillRunsNEON(bits *Words, runs []byte)
