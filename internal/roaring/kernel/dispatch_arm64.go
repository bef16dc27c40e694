// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

// What follows takes one of the paths.

func ones(words []byte) int {
	if cpu.Active == cpu.NEON {
		return onesNEON(words)
	}
	return onesGeneric(words)
}

func bitsetAndLen(a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndLenNEON(a, b)
	}
	return bitsetAndLenGeneric(a, b)
}

func bitsetAnd(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndNEON(dst, a, b)
	}
	return bitsetAndGeneric(dst, a, b)
}

func bitsetOr(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetOrNEON(dst, a, b)
	}
	return bitsetOrGeneric(dst, a, b)
}

func bitsetAndNot(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndNotNEON(dst, a, b)
	}
	return bitsetAndNotGeneric(dst, a, b)
}

func bitsetXor(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetXorNEON(dst, a, b)
	}
	return bitsetXorGeneric(dst, a, b)
}

func orInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		orIntoNEON(dst, a)
	} else {
		orIntoGeneric(dst, a)
	}
}

func xorInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		xorIntoNEON(dst, a)
	} else {
		xorIntoGeneric(dst, a)
	}
}

func andNotInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		andNotIntoNEON(dst, a)
	} else {
		andNotIntoGeneric(dst, a)
	}
}

func prefetch(b []byte) {
	if cpu.Active == cpu.NEON {
		prefetchNEON(b)
	} else {
		prefetchGeneric(b)
	}
}

func arrayBitsetAndLen(lows []byte, a *Words) int {
	if cpu.Active == cpu.NEON {
		return arrayBitsetAndLenNEON(lows, a)
	}
	return arrayBitsetAndLenGeneric(lows, a)
}

func filterBits(dst, lows []byte, a *Words, flip int) int {
	if cpu.Active == cpu.NEON {
		return filterBitsNEON(dst[:len(lows)], lows, a, flip)
	}
	return filterBitsGeneric(dst, lows, a, flip)
}

func bitsetToArray(dst []byte, a *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetToArrayNEON(dst, a)
	}
	return bitsetToArrayGeneric(dst, a)
}

func bitsetLows(dst []uint16, a *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetLowsNEON(dst, a)
	}
	return bitsetLowsGeneric(dst, a)
}

func arrayValues(dst []uint64, lows []byte, base uint64) {
	if cpu.Active == cpu.NEON {
		arrayValuesNEON(dst, lows, base)
	} else {
		arrayValuesGeneric(dst, lows, base)
	}
}

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	if cpu.Active == cpu.NEON {
		return upperLowsNEON(dst, words, word, zeros, end, low)
	}
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) {
	if cpu.Active == cpu.NEON {
		lowersByNEON(lows, block, off, low)
	} else {
		orLowersGeneric(lows, block, off, low)
	}
}

func lowersByNEON(lows, block []byte, off int, low uint) {
	n := orLowersNEON(lows, block, off, low)
	orLowersGeneric(lows[2*n:], block, off+n*int(low), low)
}

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	if cpu.Active == cpu.NEON {
		return packedValuesNEON(dst, words, word, zeros, block, off, low, base)
	}
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}

// wideWindow is the number of values that are compared all at once, where a search has narrowed
// down to them.
const wideWindow = 32

func searchArray(lows []byte, x uint16) int {
	if cpu.Active == cpu.NEON && len(lows) >= 2*wideWindow {
		return searchArrayNEON(lows, x)
	}
	return searchArrayGeneric(lows, x)
}

func arrayContains(lows []byte, x uint16) bool {
	if cpu.Active == cpu.NEON && len(lows) >= 2*wideWindow {
		return arrayContainsNEON(lows, x)
	}
	return arrayContainsGeneric(lows, x)
}

func firstCount(counts []uint32, least uint32) int {
	if cpu.Active == cpu.NEON {
		return firstCountNEON(counts, least)
	}
	return firstCountGeneric(counts, least)
}

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	if cpu.Active == cpu.NEON {
		return lastShareNEON(counts, sizes, least, part)
	}
	return lastShareGeneric(counts, sizes, least, part)
}

func smallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	if cpu.Active == cpu.NEON && offset == int(int16(offset>>8))<<8|offset&0xFF {
		return smallWordsByNEON(dst, lows, words, offset, bits)
	}
	return smallWordsGeneric(dst, lows, words, offset, bits)
}

func smallWordsByNEON(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsNEON(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	if cpu.Active == cpu.NEON {
		return wordsValuesNEON(dst, words, base)
	}
	return wordsValuesGeneric(dst, words, base)
}

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	if cpu.Active == cpu.NEON {
		return runValuesNEON(dst, runs, at, next, base)
	}
	return runValuesGeneric(dst, runs, at, next, base)
}

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	if cpu.Active == cpu.NEON {
		return valuesWithinNEON(values, bits, base)
	}
	return valuesWithinGeneric(values, bits, base)
}

func valuesAndLen(a, b []uint64) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return valuesAndLenNEON(a, b)
	}
	return valuesFiltered(a, b)
}

func valuesAnd(dst, a, b []uint64) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return valuesAndNEON(dst, a, b)
	}
	return 0, 0, 0
}

func fillRuns(bits *Words, runs []byte) {
	if cpu.Active == cpu.NEON {
		fillRunsNEON(bits, runs)
	} else {
		fillRunsGeneric(bits, runs)
	}
}

// selectFrom is the number of runs or containers from which it pays to add up eight of them at a
// time: which of the last eight it is costs a wrong guess more than which of four in Go.
const selectFrom = 32

func runSelect(runs []byte, i uint32) (x uint16, ok bool) {
	if cpu.Active == cpu.NEON && len(runs) >= 4*selectFrom {
		return runSelectNEON(runs, i)
	}
	return runSelectGeneric(runs, i)
}

// selectCard is SelectCard of at most a stride; ok is false, with nothing done, where that is as
// fast in Go: in lists of few containers.
func selectCard(cards []byte, i uint64) (at int, left uint64, ok bool) {
	if cpu.Active != cpu.NEON || len(cards) < 2*selectFrom {
		return 0, 0, false
	}
	at, some := selectCardNEON(cards, uint32(min(i, 1<<31)))
	return at, uint64(some), true
}

// The kernels that NEON has no form for.

func valuesOfWord(dst *[64]uint64, w, base uint64) int { return wordValues(dst, w, base) }

func packedKeep(dst, values []uint64, base uint64, p *PackedProbe) (n, read int) {
	return packedKeepGeneric(dst, values, base, p)
}

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	return meetInGo(few, many, fewUpper, manyUpper)
}

// packedPair and packedPairLong return -1: no form compares all with all at once.
func packedPair(_, _ *Packed, _, _ int) int     { return -1 }
func packedPairLong(_, _ *Packed, _, _ int) int { return -1 }

func packedHas(p *Packed, upper, _ int, d uint64) bool {
	_, found := packedFindGeneric(p, upper, d)
	return found
}

func packedFind(p *Packed, upper, _ int, d uint64) (i int, found bool) {
	return packedFindGeneric(p, upper, d)
}

func packedAt(p *Packed, upper, _, i int) (d uint64, ok bool) { return packedAtGeneric(p, upper, i) }

func scatter(bits *Words, lows []byte) { scatterGeneric(bits, lows) }
