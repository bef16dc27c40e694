// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

// Each of these does what the function does whose name ends in Generic.

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
func containedLenAVX512(values []uint64, bits []byte, base uint64) int

// containedLenAVX2 leaves out the values behind the last four.
//
//go:noescape
func containedLenAVX2(values []uint64, bits []byte, base uint64) (n int)

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
func keepOffsetsAVX512(offsets []uint32, bits []byte, base uint32) (n int)

//go:noescape
func offsetsAndLenAVX2(a, b []uint32) (n, i, j int)

//go:noescape
func offsetsAndAVX2(dst, a, b []uint32) (n, i, j int)

//go:noescape
func arrayOffsetsAVX2(dst []uint32, lows []byte, base uint32)

//go:noescape
func keepOffsetsAVX2(offsets []uint32, bits []byte, base uint32) (n int)
