// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

// Each of these does what the function does whose name ends in Generic.

//go:noescape
func upperLowsNEON(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64)

// orLowersNEON returns the number of values that are done.
//
//go:noescape
func orLowersNEON(lows, block []byte, off int, low uint) (n int)

// packedValuesNEON is packedValuesGeneric, except that it leaves the last values if it lacks the
// bytes for eight.
//
//go:noescape
func packedValuesNEON(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint,
	base uint64) (n, read int, left uint64)

//go:noescape
func upperOffsetsNEON(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64)

// addLowersNEON returns the number of offsets that are done.
//
//go:noescape
func addLowersNEON(offsets []uint32, block []byte, off int, low uint) (n int)

//go:noescape
func arraysOffsetsNEON(dst []uint32, a *Arrays, i, end int) (n, next int)

//go:noescape
func arraysValuesNEON(dst []uint64, a *Arrays, i, end int) (n, next int)
