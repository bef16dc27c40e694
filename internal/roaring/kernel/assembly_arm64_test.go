// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

// lacks returns nothing: all processors have what the functions need.
func lacks(string) string { return "" }

var comparisons = []comparison{
	{cpu.NEON, onesNEON, nil, onesGeneric},
	{cpu.NEON, bitsetAndLenNEON, nil, bitsetAndLenGeneric},
	{cpu.NEON, bitsetAndNEON, nil, bitsetAndGeneric},
	{cpu.NEON, bitsetOrNEON, nil, bitsetOrGeneric},
	{cpu.NEON, bitsetAndNotNEON, nil, bitsetAndNotGeneric},
	{cpu.NEON, bitsetXorNEON, nil, bitsetXorGeneric},
	{cpu.NEON, orIntoNEON, nil, orIntoGeneric},
	{cpu.NEON, xorIntoNEON, nil, xorIntoGeneric},
	{cpu.NEON, andNotIntoNEON, nil, andNotIntoGeneric},
	{cpu.NEON, prefetchNEON, nil, prefetchGeneric},
	{cpu.NEON, arrayAndLenNEON, andLenByNEON, arrayAndLenGeneric},
	{cpu.NEON, arrayAndNEON, andByNEON, arrayAndGeneric},
	{cpu.NEON, arrayAndNotNEON, andNotByNEON, arrayAndNotGeneric},
	{cpu.NEON, arrayOrNEON, nil, arrayOrGeneric},
	{cpu.NEON, arrayXorNEON, nil, arrayXorGeneric},
	{cpu.NEON, arrayBitsetAndLenNEON, nil, arrayBitsetAndLenGeneric},
	{cpu.NEON, filterBitsNEON, nil, filterBitsGeneric},
	{cpu.NEON, bitsetToArrayNEON, nil, bitsetToArrayGeneric},
	{cpu.NEON, bitsetLowsNEON, nil, bitsetLowsGeneric},
	{cpu.NEON, arrayValuesNEON, nil, arrayValuesGeneric},
	{cpu.NEON, upperLowsNEON, nil, upperLowsGeneric},
	{cpu.NEON, orLowersNEON, lowersByNEON, orLowersGeneric},
	{cpu.NEON, packedValuesNEON, nil, packedValuesGeneric},
	{cpu.NEON, searchArrayNEON, nil, searchArrayGeneric},
	{cpu.NEON, arrayContainsNEON, nil, arrayContainsGeneric},
	{cpu.NEON, arrayFewLenNEON, searchedLen(arrayFewLenNEON), arrayAndLenGeneric},
	{cpu.NEON, arrayFewNEON, searched(arrayFewNEON), arrayFewGeneric},
	{cpu.NEON, countRowsNEON, countRows, countRowsGeneric},
	{cpu.NEON, firstCountNEON, nil, firstCountGeneric},
	{cpu.NEON, lastShareNEON, nil, lastShareGeneric},
	{cpu.NEON, smallWordsNEON, smallWordsByNEON, smallWordsGeneric},
	{cpu.NEON, wordsValuesNEON, nil, wordsValuesGeneric},
	{cpu.NEON, runValuesNEON, nil, runValuesGeneric},
	{cpu.NEON, valuesAndLenNEON, nil, valuesAndLenGeneric},
	{cpu.NEON, valuesAndNEON, nil, ValuesAnd},
	{cpu.NEON, upperOffsetsNEON, nil, upperOffsetsGeneric},
	{cpu.NEON, addLowersNEON, addByNEON, addLowersGeneric},
	{cpu.NEON, offsetsAndLenNEON, offsetsLenByNEON, offsetsAndLenGeneric},
	{cpu.NEON, offsetsAndNEON, offsetsByNEON, offsetsAndGeneric},
	{cpu.NEON, arrayOffsetsNEON, arrayByNEON, arrayOffsetsGeneric},
	{cpu.NEON, arraysOffsetsNEON, nil, arraysOffsetsGeneric},
	{cpu.NEON, arraysValuesNEON, nil, arraysValuesGeneric},
	{cpu.NEON, plainAndLenNEON, plainPairs(plainAndLenNEON), plainPairs(plainAndLenGeneric)},
	{cpu.NEON, plainHasNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)},
	{cpu.NEON, plainHasWideNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)},
	{cpu.NEON, plainRankNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)},
	{cpu.NEON, plainRankWideNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)},
	{cpu.NEON, plainValuesNEON, plainRead(plainValuesByNEON), plainRead(plainValuesGeneric)},
	{cpu.NEON, valuesWithinNEON, nil, valuesWithinGeneric},
	{cpu.NEON, keepOffsetsNEON, nil, keepOffsetsGeneric},
	{cpu.NEON, fillRunsNEON, nil, fillRunsGeneric},
	{cpu.NEON, runSelectNEON, nil, runSelectGeneric},
	{cpu.NEON, selectCardNEON, nil, selectEachCard},
	{cpu.NEON, runAndNEON, runPairs(runAndByNEON), runPairs(runAndGeneric)},
	{cpu.NEON, runAndLenNEON, runPairsLen(runAndLenByNEON), runPairsLen(runAndLenGeneric)},
}
