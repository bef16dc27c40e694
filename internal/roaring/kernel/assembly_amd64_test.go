// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"strings"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

var comparisons = []comparison{
	{cpu.AVX512, onesAVX512, nil, onesGeneric},
	{cpu.AVX2, onesAVX2, nil, onesGeneric},
	{cpu.AVX512, bitsetAndLenAVX512, nil, bitsetAndLenGeneric},
	{cpu.AVX2, bitsetAndLenAVX2, nil, bitsetAndLenGeneric},
	{cpu.AVX512, bitsetAndAVX512, nil, bitsetAndGeneric},
	{cpu.AVX2, bitsetAndAVX2, nil, bitsetAndGeneric},
	{cpu.AVX512, bitsetOrAVX512, nil, bitsetOrGeneric},
	{cpu.AVX2, bitsetOrAVX2, nil, bitsetOrGeneric},
	{cpu.AVX512, bitsetAndNotAVX512, nil, bitsetAndNotGeneric},
	{cpu.AVX2, bitsetAndNotAVX2, nil, bitsetAndNotGeneric},
	{cpu.AVX512, bitsetXorAVX512, nil, bitsetXorGeneric},
	{cpu.AVX2, bitsetXorAVX2, nil, bitsetXorGeneric},
	{cpu.AVX512, orIntoAVX512, nil, orIntoGeneric},
	{cpu.AVX2, orIntoAVX2, nil, orIntoGeneric},
	{cpu.AVX2, scatterAVX2, nil, scatterGeneric},
	{cpu.AVX2, fillRunsAVX2, nil, fillRunsGeneric},
	{cpu.AVX512, xorIntoAVX512, nil, xorIntoGeneric},
	{cpu.AVX2, xorIntoAVX2, nil, xorIntoGeneric},
	{cpu.AVX512, andNotIntoAVX512, nil, andNotIntoGeneric},
	{cpu.AVX2, andNotIntoAVX2, nil, andNotIntoGeneric},
	{cpu.AVX512, valuesWithinAVX512, nil, valuesWithinGeneric},
	{cpu.AVX2, valuesWithinAVX2, withinByAVX2, valuesWithinGeneric},
	{cpu.AVX512, countRowsAVX512, nil, countRowsGeneric},
	{cpu.AVX512, firstCountAVX512, nil, firstCountGeneric},
	{cpu.AVX2, firstCountAVX2, firstByAVX2, firstCountGeneric},
	{cpu.AVX512, lastShareAVX512, nil, lastShareGeneric},
	{cpu.AVX2, lastShareAVX2, lastByAVX2, lastShareGeneric},
	{cpu.AVX512, smallWordsAVX512, smallWordsByAVX512, smallWordsGeneric},
	{cpu.AVX2, smallWordsAVX2, smallWordsByAVX2, smallWordsGeneric},
	{cpu.AVX2, prefetchAVX2, nil, prefetchGeneric},
	{cpu.AVX512, arrayAndLenAVX512, nil, arrayAndLenGeneric},
	{cpu.AVX2, arrayAndLenAVX2, andLenByAVX2, arrayAndLenGeneric},
	{cpu.AVX512, arrayAndAVX512, nil, arrayAndGeneric},
	{cpu.AVX2, arrayAndAVX2, andByAVX2, arrayAndGeneric},
	{cpu.AVX512, arrayAndNotAVX512, nil, arrayAndNotGeneric},
	{cpu.AVX2, arrayAndNotAVX2, andNotByAVX2, arrayAndNotGeneric},
	{cpu.AVX512, arrayOrAVX512, nil, arrayOrGeneric},
	{cpu.AVX2, arrayOrAVX2, nil, arrayOrGeneric},
	{cpu.AVX512, arrayXorAVX512, nil, arrayXorGeneric},
	{cpu.AVX2, arrayXorAVX2, nil, arrayXorGeneric},
	{cpu.AVX512, arrayBitsetAndLenAVX512, nil, arrayBitsetAndLenGeneric},
	{cpu.AVX2, arrayBitsetAndLenAVX2, nil, arrayBitsetAndLenGeneric},
	{cpu.AVX512, filterBitsAVX512, nil, filterBitsGeneric},
	{cpu.AVX2, filterBitsAVX2, nil, filterBitsGeneric},
	{cpu.AVX512, bitsetToArrayAVX512, nil, bitsetToArrayGeneric},
	{cpu.AVX2, bitsetToArrayAVX2, nil, bitsetToArrayGeneric},
	{cpu.AVX512, bitsetLowsAVX512, nil, bitsetLowsGeneric},
	{cpu.AVX2, bitsetLowsAVX2, nil, bitsetLowsGeneric},
	{cpu.AVX512, wordsValuesAVX512, nil, wordsValuesGeneric},
	{cpu.AVX2, wordsValuesAVX2, nil, wordsValuesGeneric},
	{cpu.AVX512, arrayValuesAVX512, nil, arrayValuesGeneric},
	{cpu.AVX2, arrayValuesAVX2, nil, arrayValuesGeneric},
	{cpu.AVX512, runValuesAVX512, nil, runValuesGeneric},
	{cpu.AVX2, runValuesAVX2, nil, runValuesGeneric},
	{cpu.AVX512, runAndAVX512, runPairs(runAndAVX512), runPairs(runAndGeneric)},
	{cpu.AVX2, runAndAVX2, runPairs(runAndByAVX2), runPairs(runAndGeneric)},
	{cpu.AVX512, runAndLenAVX512, runPairsLen(runAndLenAVX512), runPairsLen(runAndLenGeneric)},
	{cpu.AVX2, runAndLenAVX2, runPairsLen(runAndLenByAVX2), runPairsLen(runAndLenGeneric)},
	{cpu.AVX512, runSelectAVX512, nil, runSelectGeneric},
	{cpu.AVX512, selectCardAVX512, nil, selectEachCard},
	{cpu.AVX512, upperLowsAVX512, nil, upperLowsGeneric},
	{cpu.AVX2, upperLowsAVX2, nil, upperLowsGeneric},
	{cpu.AVX512, orLowersAVX512, nil, orLowersGeneric},
	{cpu.AVX2, orLowersAVX2, lowersByAVX2, orLowersGeneric},
	{cpu.AVX512, packedValuesAVX512, nil, packedValuesGeneric},
	{cpu.AVX2, packedValuesAVX2, nil, packedValuesGeneric},
	{cpu.AVX2, packedKeepAVX2, nil, packedKeepGeneric},
	{cpu.AVX2, packedMeetAVX2, meetLen, packedMeetGeneric},
	{cpu.AVX2, packedTinyAVX2, pairLen, packedMeetGeneric},
	{cpu.AVX2, packedFindAVX2, findBehind, packedFindGeneric},
	{cpu.AVX2, packedHasAVX2, hasBehind, packedFindGeneric},
	{cpu.AVX2, packedAtAVX2, atBehind, packedAtGeneric},
	{cpu.AVX512, plainAndLenAVX512, plainPairs(plainAndLenAVX512), plainPairs(plainAndLenGeneric)},
	{cpu.AVX512, plainAndLenPairsAVX512, plainPairs(plainAndLenPairsAVX512), plainPairs(plainAndLenGeneric)},
	{cpu.AVX512, plainMergeLenAVX512, plainPairs(plainMerged(plainMergeLenAVX512)), plainPairs(plainAndLenGeneric)},
	{cpu.AVX2, plainMergeLenAVX2, plainPairs(plainMerged(plainMergeLenAVX2)), plainPairs(plainAndLenGeneric)},
	{cpu.AVX512, plainHasAVX512, plainLookUp(plainHasAVX512), plainLookUp(plainHasGeneric)},
	{cpu.AVX512, plainRankAVX512, plainRanked(plainRankAVX512), plainRanked(plainRankGeneric)},
	{cpu.AVX512, plainValuesAVX512, plainRead(plainValuesAVX512), plainRead(plainValuesGeneric)},
	{cpu.AVX2, plainValuesAVX2, plainRead(plainValues), plainRead(plainValuesGeneric)},
	{cpu.AVX2, plainAndLenAVX2, plainPairs(plainAndLenAVX2), plainPairs(plainAndLenGeneric)},
	{cpu.AVX2, plainHasAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)},
	{cpu.AVX2, plainHasWideAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)},
	{cpu.AVX2, plainRankAVX2, plainRanked(plainRank), plainRanked(plainRankGeneric)},
	{cpu.AVX512, valuesAndLenAVX512, nil, valuesAndLenGeneric},
	{cpu.AVX2, valuesAndLenAVX2, nil, valuesAndLenGeneric},
	{cpu.AVX512, valuesAndAVX512, nil, ValuesAnd},
	{cpu.AVX2, valuesAndAVX2, nil, ValuesAnd},
	{cpu.AVX512, upperOffsetsAVX512, nil, upperOffsetsGeneric},
	{cpu.AVX2, upperOffsetsAVX2, nil, upperOffsetsGeneric},
	{cpu.AVX512, addLowersAVX512, nil, addLowersGeneric},
	{cpu.AVX2, addLowersAVX2, addLowers, addLowersGeneric},
	{cpu.AVX512, offsetsAndLenAVX512, nil, offsetsAndLenGeneric},
	{cpu.AVX512, offsetsAndLenPairsAVX512, offsetsAndLenByPairs, offsetsAndLenGeneric},
	{cpu.AVX512, offsetsAndPairsAVX512, offsetsAndByPairs, offsetsAndGeneric},
	{cpu.AVX2, offsetsAndLenAVX2, nil, offsetsAndLenGeneric},
	{cpu.AVX512, offsetsAndAVX512, nil, offsetsAndGeneric},
	{cpu.AVX2, offsetsAndAVX2, nil, offsetsAndGeneric},
	{cpu.AVX512, arrayOffsetsAVX512, nil, arrayOffsetsGeneric},
	{cpu.AVX2, arrayOffsetsAVX2, nil, arrayOffsetsGeneric},
	{cpu.AVX512, arraysOffsetsAVX512, nil, arraysOffsetsGeneric},
	{cpu.AVX2, arraysOffsetsAVX2, nil, arraysOffsetsGeneric},
	{cpu.AVX512, arraysValuesAVX512, nil, arraysValuesGeneric},
	{cpu.AVX2, arraysValuesAVX2, nil, arraysValuesGeneric},
	{cpu.AVX512, packedKeepOffsetsAVX512, packedKeepByAVX512, packedKeepOffsetsGeneric},
	{cpu.AVX512, packedInArraysAVX512, nil, packedInArraysGeneric},
	{cpu.AVX512, valuesInArraysAVX512, nil, valuesInArraysGeneric},
	{cpu.AVX512, keepOffsetsAVX512, nil, keepOffsetsGeneric},
	{cpu.AVX2, keepOffsetsAVX2, nil, keepOffsetsGeneric},
	{cpu.AVX512, packedSameAVX512, nil, packedSameGeneric},
	{cpu.AVX512, packedInBitsAVX512, nil, packedInBitsGeneric},
	{cpu.AVX512, packedInArrayAVX512, nil, packedInArrayGeneric},
	{cpu.AVX2, searchArrayAVX2, nil, searchArrayGeneric},
	{cpu.AVX2, arrayFewLenAVX2, searchedLen(arrayFewLenAVX2), arrayAndLenGeneric},
	{cpu.AVX2, arrayFewAVX2, searched(arrayFewAVX2), arrayFewGeneric},
	{cpu.AVX2, arrayContainsAVX2, nil, arrayContainsGeneric},
}

// lacks returns what a function needs beside its path that this processor has not got, or nothing.
func lacks(name string) string {
	if strings.HasSuffix(name, "PairsAVX512") && !cpu.HasPairs() {
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
