// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

// Each of these does what the function does whose name ends in Generic.

//go:noescape
func upperLowsAVX512(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64)

//go:noescape
func orLowersAVX512(lows, block []byte, off int, low uint)

// packedValuesAVX512 is packedValuesGeneric, except that it leaves the last values if it lacks room
// or bytes for eight. It may write anything behind the values it returns.
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

// packedValuesAVX2 is packedValuesGeneric, except that it leaves the last values if it lacks the
// bytes for eight.
//
//go:noescape
func packedValuesAVX2(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64)

//go:noescape
func packedKeepAVX2(dst, values []uint64, base uint64, p *Probe) (n, read int)

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

// packedKeepOffsetsAVX512 is for blocks that KeepOffsets takes; see there.
//
//go:noescape
func packedKeepOffsetsAVX512(offsets []uint32, p *Packed, upper int, scale uint64, f *fields) (n, read int)

//go:noescape
func upperOffsetsAVX2(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64)

// addLowersAVX2 is for blocks of at least lowersBlock bytes.
//
//go:noescape
func addLowersAVX2(offsets []uint32, block []byte, off int, low uint)
