// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package kernel

// The functions of dispatch_amd64.go and dispatch_arm64.go where there is one path only.

// OffsetsFrom is of use only where offsets are fast.
const OffsetsFrom = 64

func ones(words []byte) int             { return onesGeneric(words) }
func bitsetAndLen(a, b *Words) int      { return bitsetAndLenGeneric(a, b) }
func bitsetAnd(dst, a, b *Words) int    { return bitsetAndGeneric(dst, a, b) }
func bitsetOr(dst, a, b *Words) int     { return bitsetOrGeneric(dst, a, b) }
func bitsetAndNot(dst, a, b *Words) int { return bitsetAndNotGeneric(dst, a, b) }
func bitsetXor(dst, a, b *Words) int    { return bitsetXorGeneric(dst, a, b) }
func prefetch(b []byte)                 { prefetchGeneric(b) }
func orInto(dst, a *Words)              { orIntoGeneric(dst, a) }
func xorInto(dst, a *Words)             { xorIntoGeneric(dst, a) }
func andNotInto(dst, a *Words)          { andNotIntoGeneric(dst, a) }

func arrayAndLen(a, b []byte) int      { return arrayAndLenGeneric(a, b) }
func arrayAnd(dst, a, b []byte) int    { return arrayAndGeneric(dst, a, b) }
func arrayAndNot(dst, a, b []byte) int { return arrayAndNotGeneric(dst, a, b) }
func arrayOr(dst, a, b []byte) int     { return arrayOrGeneric(dst, a, b) }
func arrayXor(dst, a, b []byte) int    { return arrayXorGeneric(dst, a, b) }

func arrayBitsetAndLen(lows []byte, a *Words) int { return arrayBitsetAndLenGeneric(lows, a) }
func filterBits(dst, lows []byte, a *Words, flip int) int {
	return filterBitsGeneric(dst, lows, a, flip)
}
func keepLows(dst, lows []uint16, a *Words) int          { return keepLowsGeneric(dst, lows, a) }
func patch(dst, lows []byte, set, unset []uint16) int    { return patchGeneric(dst, lows, set, unset) }
func bitsetToArray(dst []byte, a *Words) int             { return bitsetToArrayGeneric(dst, a) }
func bitsetLows(dst []uint16, a *Words) int              { return bitsetLowsGeneric(dst, a) }
func arrayValues(dst []uint64, lows []byte, base uint64) { arrayValuesGeneric(dst, lows, base) }
func valuesOfWord(dst *[64]uint64, w, base uint64) int   { return wordValues(dst, w, base) }

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	return wordsValuesGeneric(dst, words, base)
}

func upperLows(dst, words []byte, word uint64, zeros, end int, low uint) (n, read int, left uint64) {
	return upperLowsGeneric(dst, words, word, zeros, end, low)
}

func orLowers(lows, block []byte, off int, low uint) { orLowersGeneric(lows, block, off, low) }

func packedValues(dst []uint64, words []byte, word uint64, zeros int, block []byte, off int, low uint, base uint64) (n,
	read int, left uint64) {
	return packedValuesGeneric(dst, words, word, zeros, block, off, low, base)
}

func searchArray(lows []byte, x uint16) int { return searchArrayGeneric(lows, x) }

func arrayContains(lows []byte, x uint16) bool { return arrayContainsGeneric(lows, x) }

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	return valuesWithinGeneric(values, bits, base)
}

func valuesAndLen(a, b []uint64) (n, i, j int)   { return valuesFiltered(a, b) }
func valuesAnd(dst, a, b []uint64) (n, i, j int) { return 0, 0, 0 }
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

func countRows(counts []uint32, spans [][]byte, width int) int {
	return countRowsGeneric(counts, spans, width)
}

func firstCount(counts []uint32, least uint32) int { return firstCountGeneric(counts, least) }

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	return lastShareGeneric(counts, sizes, least, part)
}

func smallWords(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	return smallWordsGeneric(dst, lows, words, offset, bits)
}

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	return runValuesGeneric(dst, runs, at, next, base)
}

func fillRuns(bits *Words, runs []byte) { fillRunsGeneric(bits, runs) }

func runSelect(runs []byte, i uint32) (x uint16, ok bool) { return runSelectGeneric(runs, i) }

func selectCard([]byte, uint64) (at int, left uint64, ok bool) { return 0, 0, false }

func upperOffsets(dst []uint32, words []byte, word uint64, zeros int, low uint) (n, read int, left uint64) {
	return upperOffsetsGeneric(dst, words, word, zeros, low)
}

func addLowers(offsets []uint32, block []byte, off int, low uint) {
	addLowersGeneric(offsets, block, off, low)
}

func offsetsAndLen(a, b []uint32) (n, i, j int) { return offsetsAndLenGeneric(a, b) }

func offsetsAnd(dst, a, b []uint32) (n, i, j int) { return offsetsAndGeneric(dst, a, b) }

func arrayOffsets(dst []uint32, lows []byte, base uint32) { arrayOffsetsGeneric(dst, lows, base) }

func arraysOffsets(dst []uint32, a *Arrays, i, end int) (n, next int) {
	return arraysOffsetsGeneric(dst, a, i, end)
}

func arraysValues(dst []uint64, a *Arrays, i, end int) (n, next int) {
	return arraysValuesGeneric(dst, a, i, end)
}

func keepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	return keepOffsetsGeneric(offsets, bits, base)
}

func runAnd(dst, a, b []byte) (values, runs int) { return runAndGeneric(dst, a, b) }
func runAndLen(a, b []byte) int                  { return runAndLenGeneric(a, b) }
func blocks(_, _ []byte) bool                    { return false }

// mergeable returns false: no form merges arrays by a network.
func mergeable(_, _ []byte) bool { return false }
