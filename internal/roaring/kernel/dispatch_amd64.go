// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// What follows takes one of the paths. A switch is used and no variable that holds a function:
// through such a variable the compiler cannot see that operands do not escape, and would move those
// on the stack to the heap.

func ones(words []byte) int {
	switch cpu.Active {
	case cpu.AVX512:
		return onesAVX512(words)
	case cpu.AVX2:
		return onesAVX2(words)
	}
	return onesGeneric(words)
}

func bitsetAndLen(a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndLenAVX512(a, b)
	case cpu.AVX2:
		return bitsetAndLenAVX2(a, b)
	}
	return bitsetAndLenGeneric(a, b)
}

func bitsetAnd(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetAndAVX2(dst, a, b)
	}
	return bitsetAndGeneric(dst, a, b)
}

func bitsetOr(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetOrAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetOrAVX2(dst, a, b)
	}
	return bitsetOrGeneric(dst, a, b)
}

func bitsetAndNot(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndNotAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetAndNotAVX2(dst, a, b)
	}
	return bitsetAndNotGeneric(dst, a, b)
}

func bitsetXor(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetXorAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetXorAVX2(dst, a, b)
	}
	return bitsetXorGeneric(dst, a, b)
}

func orInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		orIntoAVX512(dst, a)
	case cpu.AVX2:
		orIntoAVX2(dst, a)
	default:
		orIntoGeneric(dst, a)
	}
}

func xorInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		xorIntoAVX512(dst, a)
	case cpu.AVX2:
		xorIntoAVX2(dst, a)
	default:
		xorIntoGeneric(dst, a)
	}
}

func andNotInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		andNotIntoAVX512(dst, a)
	case cpu.AVX2:
		andNotIntoAVX2(dst, a)
	default:
		andNotIntoGeneric(dst, a)
	}
}

func scatter(bits *Words, lows []byte) {
	if cpu.Active >= cpu.AVX2 {
		scatterAVX2(bits, lows)
	} else {
		scatterGeneric(bits, lows)
	}
}

func fillRuns(bits *Words, runs []byte) {
	if cpu.Active >= cpu.AVX2 {
		fillRunsAVX2(bits, runs)
	} else {
		fillRunsGeneric(bits, runs)
	}
}

func prefetch(b []byte) {
	if cpu.Active >= cpu.AVX2 {
		prefetchAVX2(b)
	} else {
		prefetchGeneric(b)
	}
}

// probesFrom is the number of values from which it pays to look them up by assembly, and nearFrom
// that from which 32 in turn lie near each other, as a rule.
const (
	probesFrom = 4
	nearFrom   = 1280
)

func arrayBitsetAndLen(lows []byte, a *Words) int {
	switch {
	case cpu.Active == cpu.Generic || len(lows) < 2*probesFrom:
		return arrayBitsetAndLenGeneric(lows, a)
	case cpu.Active == cpu.AVX512 && len(lows) >= 2*nearFrom:
		return arrayBitsetAndLenAVX512(lows, a)
	}
	return arrayBitsetAndLenAVX2(lows, a)
}

func filterBits(dst, lows []byte, a *Words, flip int) int {
	switch {
	case cpu.Active == cpu.Generic || len(lows) < 2*probesFrom:
		return filterBitsGeneric(dst, lows, a, flip)
	case cpu.Active == cpu.AVX512 && len(lows) >= 2*nearFrom:
		return filterBitsAVX512(dst[:len(lows)], lows, a, flip)
	}
	return filterBitsAVX2(dst[:len(lows)], lows, a, flip)
}

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesWithinAVX512(values, bits, base)
	case cpu.AVX2:
		return withinByAVX2(values, bits, base)
	}
	return valuesWithinGeneric(values, bits, base)
}

func firstCount(counts []uint32, least uint32) int {
	switch cpu.Active {
	case cpu.AVX512:
		return firstCountAVX512(counts, least)
	case cpu.AVX2:
		return firstByAVX2(counts, least)
	}
	return firstCountGeneric(counts, least)
}

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	switch cpu.Active {
	case cpu.AVX512:
		return lastShareAVX512(counts, sizes, least, part)
	case cpu.AVX2:
		return lastByAVX2(counts, sizes, least, part)
	}
	return lastShareGeneric(counts, sizes, least, part)
}

func firstByAVX2(counts []uint32, least uint32) int {
	i := firstCountAVX2(counts, least)
	if i == len(counts)&^7 {
		i += firstCountGeneric(counts[i:], least)
	}
	return i
}

func lastByAVX2(counts, sizes []uint32, least uint32, part float64) int {
	rest := len(counts) & 7
	if i := lastShareAVX2(counts[rest:], sizes[rest:], least, part); i >= 0 {
		return rest + i
	}
	return lastShareGeneric(counts[:rest], sizes, least, part)
}

func smallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	switch {
	case offset != int(int16(offset>>8))<<8|offset&0xFF:
	case cpu.Active == cpu.AVX512:
		return smallWordsByAVX512(dst, lows, words, offset, bits)
	case cpu.Active == cpu.AVX2:
		return smallWordsByAVX2(dst, lows, words, offset, bits)
	}
	return smallWordsGeneric(dst, lows, words, offset, bits)
}

func smallWordsByAVX512(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsAVX512(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}

func smallWordsByAVX2(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsAVX2(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}

func withinByAVX2(values []uint64, bits []byte, base uint64) int {
	return valuesWithinAVX2(values, bits, base) + valuesWithinGeneric(values[len(values)&^3:], bits, base)
}

func bitsetToArray(dst []byte, a *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetToArrayAVX512(dst, a)
	case cpu.AVX2:
		return bitsetToArrayAVX2(dst, a)
	}
	return bitsetToArrayGeneric(dst, a)
}

func bitsetLows(dst []uint16, a *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetLowsAVX512(dst, a)
	case cpu.AVX2:
		return bitsetLowsAVX2(dst, a)
	}
	return bitsetLowsGeneric(dst, a)
}

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	switch cpu.Active {
	case cpu.AVX512:
		return wordsValuesAVX512(dst, words, base)
	case cpu.AVX2:
		return wordsValuesAVX2(dst, words, base)
	}
	return wordsValuesGeneric(dst, words, base)
}

func valuesOfWord(dst *[64]uint64, w, base uint64) int {
	if cpu.Active == cpu.AVX512 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], w)
		n, _ := wordsValuesAVX512(dst[:], word[:], base)
		return n
	}
	return wordValues(dst, w, base)
}

func arrayValues(dst []uint64, lows []byte, base uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		arrayValuesAVX512(dst, lows, base)
	case cpu.AVX2:
		arrayValuesAVX2(dst, lows, base)
	default:
		arrayValuesGeneric(dst, lows, base)
	}
}

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	switch cpu.Active {
	case cpu.AVX512:
		return runValuesAVX512(dst, runs, at, next, base)
	case cpu.AVX2:
		return runValuesAVX2(dst, runs, at, next, base)
	}
	return runValuesGeneric(dst, runs, at, next, base)
}

func runSelect(runs []byte, i uint32) (x uint16, ok bool) {
	if cpu.Active == cpu.AVX512 {
		return runSelectAVX512(runs, i)
	}
	return runSelectGeneric(runs, i)
}

// selectCard is SelectCard of at most a stride; ok is false, with nothing done, where that is as
// fast in Go: in lists of few containers.
func selectCard(cards []byte, i uint64) (at int, left uint64, ok bool) {
	if cpu.Active != cpu.AVX512 || len(cards) <= 16 {
		return 0, 0, false
	}
	at, some := selectCardAVX512(cards, uint32(min(i, 1<<31)))
	return at, uint64(some), true
}

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		return upperLowsAVX512(dst, words, word, zeros, end, low)
	case cpu.AVX2:
		return upperLowsAVX2(dst, words, word, zeros, end, low)
	}
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) {
	switch cpu.Active {
	case cpu.AVX512:
		orLowersAVX512(lows, block, off, low)
	case cpu.AVX2:
		lowersByAVX2(lows, block, off, low)
	default:
		orLowersGeneric(lows, block, off, low)
	}
}

func lowersByAVX2(lows, block []byte, off int, low uint) {
	n := orLowersAVX2(lows, block, off, low)
	orLowersGeneric(lows[2*n:], block, off+n*int(low), low)
}

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		return packedValuesAVX512(dst, words, word, zeros, block, off, low, base)
	case cpu.AVX2:
		return packedValuesAVX2(dst, words, word, zeros, block, off, low, base)
	}
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}

// wideWindow is the number of values that are compared all at once by AVX2, where a search has
// narrowed down to them.
const wideWindow = 64

func searchArray(lows []byte, x uint16) int {
	if cpu.Active >= cpu.AVX2 && len(lows) >= 2*wideWindow {
		return searchArrayAVX2(lows, x)
	}
	return searchArrayGeneric(lows, x)
}

func arrayContains(lows []byte, x uint16) bool {
	if cpu.Active >= cpu.AVX2 && len(lows) >= 2*wideWindow {
		return arrayContainsAVX2(lows, x)
	}
	return arrayContainsGeneric(lows, x)
}

func valuesAndLen(a, b []uint64) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesAndLenAVX512(a, b)
	case cpu.AVX2:
		return valuesAndLenAVX2(a, b)
	}
	return valuesFiltered(a, b)
}

func valuesAnd(dst, a, b []uint64) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesAndAVX512(dst, a, b)
	case cpu.AVX2:
		return valuesAndAVX2(dst, a, b)
	}
	return 0, 0, 0
}

func packedKeep(dst, values []uint64, base uint64, p *PackedProbe) (n, read int) {
	if cpu.Active >= cpu.AVX2 && p.upper > 0 && p.Low <= maxGatherLow && len(p.Block) >= 8 {
		return packedKeepAVX2(dst, values, base, p)
	}
	return packedKeepGeneric(dst, values, base, p)
}

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active == cpu.Generic {
		return meetInGo(few, many, fewUpper, manyUpper)
	}
	return packedMeetAVX2(few, many, fewUpper, manyUpper)
}

// packedPair is for lists whose upper parts are one word each, and before which as many bytes may
// be read as make eight with theirs; elsewhere it returns -1.
func packedPair(few, many *Packed, fewUpper, manyUpper int) int {
	switch {
	case cpu.Active < cpu.AVX2:
		return -1
	case cpu.Active == cpu.AVX512 && few.N >= pairFrom && many.N <= pairMost &&
		max(len(few.Block), len(many.Block)) <= pairBytes:
		return packedPairAVX512(few, many, fewUpper, manyUpper)
	}
	return packedTinyAVX2(few, many, fewUpper, manyUpper)
}

// packedPairLong returns -1 of lists that are not compared so.
func packedPairLong(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active == cpu.AVX512 && few.N >= longFrom && pairsLong(few, many, fewUpper, manyUpper) {
		return packedPairLongAVX512(few, many, fewUpper, manyUpper)
	}
	return -1
}

func packedFind(p *Packed, upper, head int, d uint64) (i int, found bool) {
	if cpu.Active >= cpu.AVX2 && upper-1 < findBits-1 && p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		if i, found = packedFindAVX2(p, upper, d); i >= 0 {
			return i, found
		}
	}
	return packedFindGeneric(p, upper, d)
}

// packedHas looks an upper part of two words through without a jump, as packedFind does: which of
// them is meant cannot be guessed.
func packedHas(p *Packed, upper, head int, d uint64) bool {
	if cpu.Active >= cpu.AVX2 && (uint(upper-1) < meetWord || uint(upper-findBits) < hasBits-findBits) &&
		p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		if has := packedHasAVX2(p, upper, d); has >= 0 {
			return has > 0
		}
	}
	_, found := packedFind(p, upper, head, d)
	return found
}

func packedAt(p *Packed, upper, head, i int) (d uint64, ok bool) {
	if cpu.Active >= cpu.AVX2 && upper <= findBits && p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		return packedAtAVX2(p, upper, i)
	}
	return packedAtGeneric(p, upper, i)
}

// hasBits is the number of bits of an upper part that are looked through word by word.
const hasBits = 512

// findBits is the number of bits of an upper part that are looked through without a jump.
const findBits = 128
