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

// arrayFewLenNEON returns how many values of few another array has.
//
//go:noescape
func arrayFewLenNEON(few, many []byte) int

// arrayFewNEON writes those that it has or, if flip is 1, has not. dst has the room of few.
//
//go:noescape
func arrayFewNEON(dst, few, many []byte, flip int) int

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

// packedValuesNEON does what packedValuesGeneric does, but for the values at the end for which it
// has not the bytes of eight.
//
//go:noescape
func packedValuesNEON(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64)

//go:noescape
func prefetchNEON(b []byte)

//go:noescape
func firstCountNEON(counts []uint32, least uint32) int

// countRowsNEON is for rows of 2 and 3 bytes.
//
//go:noescape
func countRowsNEON(counts []uint32, spans [][]byte, width int) (beyond int)

// lastShareNEON is for as many sizes as counts.
//
//go:noescape
func lastShareNEON(counts, sizes []uint32, least uint32, part float64) int

// smallWordsNEON reads whole vectors of words and returns how many words these are, and the
// greatest: none where one of them is not there.
//
//go:noescape
func smallWordsNEON(dst, lows []uint16, words []byte, offset, bits int) (n, most int)

// wordsValuesNEON writes base plus the place of each one of words, and returns how many, and the
// number of bytes of the words that it has read: it stops where less than 64 values have room.
//
//go:noescape
func wordsValuesNEON(dst []uint64, words []byte, base uint64) (n, read int)

//go:noescape
func runValuesNEON(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)

// These compare whole blocks of four values, as long as both lists have one, and return how many
// values of each they have passed.

//go:noescape
func valuesAndLenNEON(a, b []uint64) (n, i, j int)

//go:noescape
func valuesAndNEON(dst, a, b []uint64) (n, i, j int)

// valuesWithinNEON and keepOffsetsNEON are for bits of whole words.

//go:noescape
func valuesWithinNEON(values []uint64, bits []byte, base uint64) int

//go:noescape
func keepOffsetsNEON(offsets []uint32, bits []byte, base uint32) (n int)

//go:noescape
func fillRunsNEON(bits *Words, runs []byte)

//go:noescape
func runSelectNEON(runs []byte, i uint32) (x uint16, ok bool)

// selectCardNEON finds the place in a list of cardinalities minus 1 up to which their sum exceeds
// i, and what is left of i there.
//
//go:noescape
func selectCardNEON(cards []byte, i uint32) (at int, left uint32)

//go:noescape
func upperOffsetsNEON(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64)

// addLowersNEON returns the number of offsets that are done.
//
//go:noescape
func addLowersNEON(offsets []uint32, block []byte, off int, low uint) (n int)

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

//go:noescape
func arraysOffsetsNEON(dst []uint32, a *Arrays, i, end int) (n, next int)

//go:noescape
func arraysValuesNEON(dst []uint64, a *Arrays, i, end int) (n, next int)
