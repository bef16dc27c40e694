// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

// Each of these does what the function does whose name ends in Generic.

// onesAVX512 and onesAVX2 count the ones of whole words; up to seven bytes behind them do not
// count.

//go:noescape
func onesAVX512(words []byte) int

//go:noescape
func onesAVX2(words []byte) int

//go:noescape
func bitsetAndLenAVX512(a, b *Words) int

//go:noescape
func bitsetAndLenAVX2(a, b *Words) int

//go:noescape
func bitsetAndAVX512(dst, a, b *Words) int

//go:noescape
func bitsetAndAVX2(dst, a, b *Words) int

//go:noescape
func bitsetOrAVX512(dst, a, b *Words) int

//go:noescape
func bitsetOrAVX2(dst, a, b *Words) int

//go:noescape
func bitsetAndNotAVX512(dst, a, b *Words) int

//go:noescape
func bitsetAndNotAVX2(dst, a, b *Words) int

//go:noescape
func bitsetXorAVX512(dst, a, b *Words) int

//go:noescape
func bitsetXorAVX2(dst, a, b *Words) int

//go:noescape
func orIntoAVX512(dst, a *Words)

//go:noescape
func orIntoAVX2(dst, a *Words)

//go:noescape
func scatterAVX2(bits *Words, lows []byte)

//go:noescape
func fillRunsAVX2(bits *Words, runs []byte)

//go:noescape
func xorIntoAVX512(dst, a *Words)

//go:noescape
func xorIntoAVX2(dst, a *Words)

//go:noescape
func andNotIntoAVX512(dst, a *Words)

//go:noescape
func andNotIntoAVX2(dst, a *Words)

// bitsetToArrayAVX2 may write anything behind the values for which there is room.
//
//go:noescape
func bitsetToArrayAVX2(dst []byte, a *Words) int

// bitsetLowsAVX2 is bitsetToArrayAVX2 with another type of room.
//
//go:noescape
func bitsetLowsAVX2(dst []uint16, a *Words) int

// bitsetToArrayAVX512 may write anything behind the values for which there is room.
//
//go:noescape
func bitsetToArrayAVX512(dst []byte, a *Words) int

// bitsetLowsAVX512 is bitsetToArrayAVX512 with another type of room.
//
//go:noescape
func bitsetLowsAVX512(dst []uint16, a *Words) int

// wordsValuesAVX512 writes base plus the place of each one of words, and returns how many, and the
// number of bytes of the words that it has read: it stops where less than 64 values have room.
//
//go:noescape
func wordsValuesAVX512(dst []uint64, words []byte, base uint64) (n, read int)

//go:noescape
func wordsValuesAVX2(dst []uint64, words []byte, base uint64) (n, read int)
