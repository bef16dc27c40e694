// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

// Each of these does what the function does whose name ends in Generic.

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
