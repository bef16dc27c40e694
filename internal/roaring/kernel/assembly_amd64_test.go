// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "strings"

var comparisons = []comparison{
	{AVX512, onesAVX512, nil, onesGeneric},
	{AVX2, onesAVX2, nil, onesGeneric},
	{AVX512, bitsetAndLenAVX512, nil, bitsetAndLenGeneric},
	{AVX2, bitsetAndLenAVX2, nil, bitsetAndLenGeneric},
	{AVX512, bitsetAndAVX512, nil, bitsetAndGeneric},
	{AVX2, bitsetAndAVX2, nil, bitsetAndGeneric},
	{AVX512, bitsetOrAVX512, nil, bitsetOrGeneric},
	{AVX2, bitsetOrAVX2, nil, bitsetOrGeneric},
	{AVX512, bitsetAndNotAVX512, nil, bitsetAndNotGeneric},
	{AVX2, bitsetAndNotAVX2, nil, bitsetAndNotGeneric},
	{AVX512, bitsetXorAVX512, nil, bitsetXorGeneric},
	{AVX2, bitsetXorAVX2, nil, bitsetXorGeneric},
	{AVX512, orIntoAVX512, nil, orIntoGeneric},
	{AVX2, orIntoAVX2, nil, orIntoGeneric},
	{AVX2, scatterAVX2, nil, scatterGeneric},
	{AVX2, fillRunsAVX2, nil, fillRunsGeneric},
	{AVX512, xorIntoAVX512, nil, xorIntoGeneric},
	{AVX2, xorIntoAVX2, nil, xorIntoGeneric},
	{AVX512, andNotIntoAVX512, nil, andNotIntoGeneric},
	{AVX2, andNotIntoAVX2, nil, andNotIntoGeneric},
	{AVX512, valuesWithinAVX512, nil, valuesWithinGeneric},
	{AVX2, valuesWithinAVX2, withinByAVX2, valuesWithinGeneric},
	{AVX512, countRowsAVX512, nil, countRowsGeneric},
	{AVX512, firstCountAVX512, nil, firstCountGeneric},
	{AVX2, firstCountAVX2, firstByAVX2, firstCountGeneric},
	{AVX512, lastShareAVX512, nil, lastShareGeneric},
	{AVX2, lastShareAVX2, lastByAVX2, lastShareGeneric},
	{AVX512, narrowWordsAVX512, narrowByAVX512, narrowWordsGeneric},
	{AVX2, narrowWordsAVX2, narrowByAVX2, narrowWordsGeneric},
	{AVX2, prefetchAVX2, nil, prefetchGeneric},
	{AVX512, arrayAndLenAVX512, nil, arrayAndLenGeneric},
	{AVX2, arrayAndLenAVX2, andLenByAVX2, arrayAndLenGeneric},
	{AVX512, arrayAndAVX512, nil, arrayAndGeneric},
	{AVX2, arrayAndAVX2, andByAVX2, arrayAndGeneric},
	{AVX512, arrayAndNotAVX512, nil, arrayAndNotGeneric},
	{AVX2, arrayAndNotAVX2, andNotByAVX2, arrayAndNotGeneric},
	{AVX512, arrayOrAVX512, nil, arrayOrGeneric},
	{AVX2, arrayOrAVX2, nil, arrayOrGeneric},
	{AVX512, arrayXorAVX512, nil, arrayXorGeneric},
	{AVX2, arrayXorAVX2, nil, arrayXorGeneric},
	{AVX512, arrayBitsetAndLenAVX512, nil, arrayBitsetAndLenGeneric},
	{AVX2, arrayBitsetAndLenAVX2, nil, arrayBitsetAndLenGeneric},
	{AVX512, filterBitsAVX512, nil, filterBitsGeneric},
	{AVX2, filterBitsAVX2, nil, filterBitsGeneric},
	{AVX512, bitsetToArrayAVX512, nil, bitsetToArrayGeneric},
	{AVX2, bitsetToArrayAVX2, nil, bitsetToArrayGeneric},
	{AVX512, bitsetLowsAVX512, nil, bitsetLowsGeneric},
	{AVX2, bitsetLowsAVX2, nil, bitsetLowsGeneric},
	{AVX512, wordsValuesAVX512, nil, wordsValuesGeneric},
	{AVX2, wordsValuesAVX2, nil, wordsValuesGeneric},
	{AVX512, arrayValuesAVX512, nil, arrayValuesGeneric},
	{AVX2, arrayValuesAVX2, nil, arrayValuesGeneric},
	{AVX512, runValuesAVX512, nil, runValuesGeneric},
	{AVX2, runValuesAVX2, nil, runValuesGeneric},
	{AVX512, runAndAVX512, runPairs(runAndAVX512), runPairs(runAndGeneric)},
	{AVX2, runAndAVX2, runPairs(runAndByAVX2), runPairs(runAndGeneric)},
	{AVX512, runAndLenAVX512, runPairsLen(runAndLenAVX512), runPairsLen(runAndLenGeneric)},
	{AVX2, runAndLenAVX2, runPairsLen(runAndLenByAVX2), runPairsLen(runAndLenGeneric)},
	{AVX512, runSelectAVX512, nil, runSelectGeneric},
	{AVX512, selectCardAVX512, nil, selectEachCard},
	{AVX512, upperLowsAVX512, nil, upperLowsGeneric},
	{AVX2, upperLowsAVX2, nil, upperLowsGeneric},
	{AVX512, orLowersAVX512, nil, orLowersGeneric},
	{AVX2, orLowersAVX2, lowersByAVX2, orLowersGeneric},
	{AVX512, packedValuesAVX512, nil, packedValuesGeneric},
	{AVX2, packedValuesAVX2, nil, packedValuesGeneric},
	{AVX2, packedKeepAVX2, nil, packedKeepGeneric},
	{AVX2, packedMeetAVX2, meetLen, packedMeetGeneric},
	{AVX512, packedPairAVX512, pairLen, packedMeetGeneric},
	{AVX512, packedPairLongAVX512, meetLen, packedMeetGeneric},
	{AVX2, packedFewAVX2, pairLen, packedMeetGeneric},
	{AVX2, packedFindAVX2, findBehind, packedFindGeneric},
	{AVX2, packedHasAVX2, hasBehind, packedFindGeneric},
	{AVX2, packedAtAVX2, atBehind, packedAtGeneric},
	{AVX512, plainAndLenAVX512, plainPairs(plainAndLenAVX512), plainPairs(plainAndLenGeneric)},
	{AVX512, plainAndLenPairsAVX512, plainPairs(plainAndLenPairsAVX512), plainPairs(plainAndLenGeneric)},
	{AVX512, plainMergeLenAVX512, plainPairs(plainMerged(plainMergeLenAVX512)), plainPairs(plainAndLenGeneric)},
	{AVX2, plainMergeLenAVX2, plainPairs(plainMerged(plainMergeLenAVX2)), plainPairs(plainAndLenGeneric)},
	{AVX512, plainHasAVX512, plainLookUp(plainHasAVX512), plainLookUp(plainHasGeneric)},
	{AVX512, plainRankAVX512, plainRanked(plainRankAVX512), plainRanked(plainRankGeneric)},
	{AVX512, plainValuesAVX512, plainRead(plainValuesAVX512), plainRead(plainValuesGeneric)},
	{AVX2, plainValuesAVX2, plainRead(plainValues), plainRead(plainValuesGeneric)},
	{AVX2, plainAndLenAVX2, plainPairs(plainAndLenAVX2), plainPairs(plainAndLenGeneric)},
	{AVX2, plainHasAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)},
	{AVX2, plainHasWideAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)},
	{AVX2, plainRankAVX2, plainRanked(plainRank), plainRanked(plainRankGeneric)},
	{AVX512, valuesAndLenAVX512, nil, valuesAndLenGeneric},
	{AVX2, valuesAndLenAVX2, nil, valuesAndLenGeneric},
	{AVX512, valuesAndAVX512, nil, ValuesAnd},
	{AVX2, valuesAndAVX2, nil, ValuesAnd},
	{AVX512, upperOffsetsAVX512, nil, upperOffsetsGeneric},
	{AVX2, upperOffsetsAVX2, nil, upperOffsetsGeneric},
	{AVX512, addLowersAVX512, nil, addLowersGeneric},
	{AVX2, addLowersAVX2, addLowers, addLowersGeneric},
	{AVX512, offsetsAndLenAVX512, nil, offsetsAndLenGeneric},
	{AVX512, offsetsAndLenPairsAVX512, offsetsAndLenByPairs, offsetsAndLenGeneric},
	{AVX512, offsetsAndPairsAVX512, offsetsAndByPairs, offsetsAndGeneric},
	{AVX2, offsetsAndLenAVX2, nil, offsetsAndLenGeneric},
	{AVX512, offsetsAndAVX512, nil, offsetsAndGeneric},
	{AVX2, offsetsAndAVX2, nil, offsetsAndGeneric},
	{AVX512, arrayOffsetsAVX512, nil, arrayOffsetsGeneric},
	{AVX2, arrayOffsetsAVX2, nil, arrayOffsetsGeneric},
	{AVX512, arraysOffsetsAVX512, nil, arraysOffsetsGeneric},
	{AVX2, arraysOffsetsAVX2, nil, arraysOffsetsGeneric},
	{AVX512, arraysValuesAVX512, nil, arraysValuesGeneric},
	{AVX2, arraysValuesAVX2, nil, arraysValuesGeneric},
	{AVX512, packedKeepOffsetsAVX512, packedKeepByAVX512, packedKeepOffsetsGeneric},
	{AVX512, packedInArraysAVX512, nil, packedInArraysGeneric},
	{AVX512, valuesInArraysAVX512, nil, valuesInArraysGeneric},
	{AVX512, keepOffsetsAVX512, nil, keepOffsetsGeneric},
	{AVX2, keepOffsetsAVX2, nil, keepOffsetsGeneric},
	{AVX512, packedSameAVX512, nil, packedSameGeneric},
	{AVX512, packedInBitsAVX512, nil, packedInBitsGeneric},
	{AVX512, packedInArrayAVX512, nil, packedInArrayGeneric},
	{AVX2, searchArrayAVX2, nil, searchArrayGeneric},
	{AVX2, arrayFewLenAVX2, searchedLen(arrayFewLenAVX2), arrayAndLenGeneric},
	{AVX2, arrayFewAVX2, searched(arrayFewAVX2), arrayFewGeneric},
	{AVX2, arrayContainsAVX2, nil, arrayContainsGeneric},
}

// lacks returns what a function needs beside its path that this processor has not got, or nothing.
func lacks(name string) string {
	if strings.HasSuffix(name, "PairsAVX512") && !hasPairs() {
		return "VP2INTERSECT"
	}
	return ""
}

func plainMerged(merge func(a, b []byte) (n, i, j int)) plainPairs {
	return func(a, b []byte) (n int) {
		n, _, _ = merge(a, b)
		return n
	}
}

// What some forms take is limited: they are called by the functions that choose a form, so that the
// limits stand once. What is of no list of few values is left to the reference.

func findBehind(p *Packed, _ int, d uint64) (i int, found bool) {
	return p.FindBehind(max(8-len(p.Block), 0), d)
}

// hasBehind has the place from elsewhere.
func hasBehind(p *Packed, upper int, d uint64) (i int, found bool) {
	i, _ = packedFindGeneric(p, upper, d)
	return i, p.HasBehind(max(8-len(p.Block), 0), d)
}

func atBehind(p *Packed, _, i int) (d uint64, ok bool) {
	return p.AtBehind(max(8-len(p.Block), 0), i)
}

func pairLen(few, many *Packed, fewUpper, manyUpper int) int {
	if n, ok := PackedPairLen(few, many, max(8-min(len(few.Block), len(many.Block)), 0)); ok {
		return n
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}

func meetLen(few, many *Packed, fewUpper, manyUpper int) int {
	if n, ok := PackedMeetLen(few, many, max(8-min(len(few.Block), len(many.Block)), 0)); ok {
		return n
	}
	return packedMeetGeneric(few, many, fewUpper, manyUpper)
}
