// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

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
func arrayBitsetAndLenAVX512(lows []byte, a *Words) int

//go:noescape
func arrayBitsetAndLenAVX2(lows []byte, a *Words) int

// dst has the room of lows and may be lows.
//
//go:noescape
func filterBitsAVX512(dst, lows []byte, a *Words, flip int) int

// As that one.
//
//go:noescape
func filterBitsAVX2(dst, lows []byte, a *Words, flip int) int

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
func arrayValuesAVX512(dst []uint64, lows []byte, base uint64)

//go:noescape
func arrayValuesAVX2(dst []uint64, lows []byte, base uint64)

//go:noescape
func runValuesAVX512(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)

//go:noescape
func runValuesAVX2(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int)

//go:noescape
func runSelectAVX512(runs []byte, i uint32) (x uint16, ok bool)

// selectCardAVX512 is for lists whose cardinalities are less than 2^32 together.
//
//go:noescape
func selectCardAVX512(cards []byte, i uint32) (at int, left uint32)

//go:noescape
func upperLowsAVX512(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64)

//go:noescape
func orLowersAVX512(lows, block []byte, off int, low uint)

// packedValuesAVX512 does what packedValuesGeneric does, but for the values at the end for which it
// has not the room or the bytes of eight; it may write anything behind those that it returns.
//
//go:noescape
func packedValuesAVX512(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64)

//go:noescape
func upperLowsAVX2(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64)

// orLowersAVX2 returns the number of values that are done.
//
//go:noescape
func orLowersAVX2(lows, block []byte, off int, low uint) (n int)

// packedValuesAVX2 does what packedValuesGeneric does, but for the values at the end that have not
// the bytes of eight.
//
//go:noescape
func packedValuesAVX2(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64)

// Arrays that are searched have at least wideWindow values.

//go:noescape
func searchArrayAVX2(lows []byte, x uint16) int

//go:noescape
func arrayContainsAVX2(lows []byte, x uint16) bool

//go:noescape
func arrayFewLenAVX2(few, many []byte) int

//go:noescape
func arrayFewAVX2(dst, few, many []byte, flip int) int

//go:noescape
func prefetchAVX2(b []byte)

// These compare whole blocks of eight or four values, as long as both lists have one, and return
// how many values of each they have passed.

//go:noescape
func valuesAndLenAVX512(a, b []uint64) (n, i, j int)

//go:noescape
func valuesAndLenAVX2(a, b []uint64) (n, i, j int)

//go:noescape
func valuesAndAVX512(dst, a, b []uint64) (n, i, j int)

//go:noescape
func valuesAndAVX2(dst, a, b []uint64) (n, i, j int)

//go:noescape
func valuesWithinAVX512(values []uint64, bits []byte, base uint64) int

// valuesWithinAVX2 leaves out the values behind the last four.
//
//go:noescape
func valuesWithinAVX2(values []uint64, bits []byte, base uint64) (n int)

// countRowsAVX512 is for rows of two to four bytes.
//
//go:noescape
func countRowsAVX512(counts []uint32, spans [][]byte, width int) (beyond int)

// smallWordsAVX512 reads sixteen words at a time, up to where one of them has no four bytes, and
// returns how many. The offset has 24 bits.
//
//go:noescape
func smallWordsAVX512(dst, lows []uint16, words []byte, offset, bits int) (n, most int)

//go:noescape
func firstCountAVX512(counts []uint32, least uint32) int

// lastShareAVX512 is for as many sizes as counts.
//
//go:noescape
func lastShareAVX512(counts, sizes []uint32, least uint32, part float64) int

//go:noescape
func packedKeepAVX2(dst, values []uint64, base uint64, p *PackedProbe) (n, read int)

// packedMeetAVX2 reads the last eight bytes up to the end of each block, also where a block has
// fewer.
//
//go:noescape
func packedMeetAVX2(few, many *Packed, fewUpper, manyUpper int) (n int)

// packedTinyAVX2 is for two blocks of up to 64 bits of an upper part. It reads the last eight bytes
// up to the end of each block, also where a block has fewer.
//
//go:noescape
func packedTinyAVX2(few, many *Packed, fewUpper, manyUpper int) (n int)

// packedFindAVX2 returns -1 if more than three values share the upper bits of d, or the block is
// not valid. The upper part has less than 128 bits. It reads the last eight bytes up to the end of
// the block, also where this has fewer.
//
//go:noescape
func packedFindAVX2(p *Packed, upper int, d uint64) (i int, found bool)

// packedHasAVX2 returns 1 if the block has d, 0 if it has not, and -1 if it did not find out. It
// reads as packedFindAVX2 does.
//
//go:noescape
func packedHasAVX2(p *Packed, upper int, d uint64) int

// packedAtAVX2 is for an upper part of at most 128 bits, and reads as packedFindAVX2 does.
//
//go:noescape
func packedAtAVX2(p *Packed, upper, i int) (d uint64, ok bool)

//go:noescape
func upperOffsetsAVX512(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64)

//go:noescape
func addLowersAVX512(offsets []uint32, block []byte, off int, low uint)

// These end with less than two blocks of sixteen values left of one of both, or of room.
//
//go:noescape
func offsetsAndLenPairsAVX512(a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndPairsAVX512(dst, a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndLenAVX512(a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndAVX512(dst, a, b []uint32) (n, i, j int)

//go:noescape
func arrayOffsetsAVX512(dst []uint32, lows []byte, base uint32)

//go:noescape
func arraysOffsetsAVX512(dst []uint32, a *Arrays, i, end int) (n, next int)

//go:noescape
func arraysOffsetsAVX2(dst []uint32, a *Arrays, i, end int) (n, next int)

//go:noescape
func arraysValuesAVX2(dst []uint64, a *Arrays, i, end int) (n, next int)

//go:noescape
func packedInArraysAVX512(few *Packed, fewUpper int, a *Arrays) int

//go:noescape
func valuesInArraysAVX512(few []uint64, a *Arrays) int

//go:noescape
func arraysValuesAVX512(dst []uint64, a *Arrays, i, end int) (n, next int)

// packedKeepOffsetsAVX512 is for blocks of which PackedKeepOffsets says more.
//
//go:noescape
func packedKeepOffsetsAVX512(offsets []uint32, p *Packed, upper int, scale uint64, f *fields) (n, read int)

//go:noescape
func keepOffsetsAVX512(offsets []uint32, bits []byte, base uint32) (n int)

//go:noescape
func upperOffsetsAVX2(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64)

// addLowersAVX2 is for blocks of at least lowersBlock bytes.
//
//go:noescape
func addLowersAVX2(offsets []uint32, block []byte, off int, low uint)

//go:noescape
func offsetsAndLenAVX2(a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndAVX2(dst, a, b []uint32) (n, i, j int)

//go:noescape
func arrayOffsetsAVX2(dst []uint32, lows []byte, base uint32)

//go:noescape
func keepOffsetsAVX2(offsets []uint32, bits []byte, base uint32) (n int)

// firstCountAVX2 returns how many counts there are in whole vectors of eight, if none of these is
// large enough; lastShareAVX2 is for as many counts.
//
//go:noescape
func firstCountAVX2(counts []uint32, least uint32) int

//go:noescape
func lastShareAVX2(counts, sizes []uint32, least uint32, part float64) int

// smallWordsAVX2 reads eight words at a time, up to where one of them has no two bytes, and
// returns how many. The offset has 24 bits.
//
//go:noescape
func smallWordsAVX2(dst, lows []uint16, words []byte, offset, bits int) (n, most int)

//go:noescape
func wordsValuesAVX2(dst []uint64, words []byte, base uint64) (n, read int)
