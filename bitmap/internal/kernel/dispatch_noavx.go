// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || purego

package kernel

// The functions of dispatch_amd64.go that have a form in vectors there only: NEON gathers nothing.

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	return valuesWithinGeneric(values, bits, base)
}

func countRows(counts []uint32, spans [][]byte, width int) int {
	return countRowsGeneric(counts, spans, width)
}

func narrowWords(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	return narrowWordsGeneric(dst, lows, words, offset, bits)
}

func firstCount(counts []uint32, least uint32) int { return firstCountGeneric(counts, least) }

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	return lastShareGeneric(counts, sizes, least, part)
}

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	return runValuesGeneric(dst, runs, at, next, base)
}

func fillRuns(bits *Words, runs []byte) { fillRunsGeneric(bits, runs) }

func runSelect(runs []byte, i uint32) (x uint16, ok bool) { return runSelectGeneric(runs, i) }

func selectCard([]byte, uint64) (at int, left uint64, ok bool) { return 0, 0, false }
