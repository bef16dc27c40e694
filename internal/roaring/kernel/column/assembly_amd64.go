// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

// Each of these does what the function does whose name ends in Generic.

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
