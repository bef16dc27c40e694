// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// lacks returns nothing: all processors have what the functions need.
func lacks(string) string { return "" }

var comparisons = []comparison{
	{NEON, onesNEON, nil, onesGeneric},
	{NEON, bitsetAndLenNEON, nil, bitsetAndLenGeneric},
	{NEON, bitsetAndNEON, nil, bitsetAndGeneric},
	{NEON, bitsetOrNEON, nil, bitsetOrGeneric},
	{NEON, bitsetAndNotNEON, nil, bitsetAndNotGeneric},
	{NEON, bitsetXorNEON, nil, bitsetXorGeneric},
	{NEON, orIntoNEON, nil, orIntoGeneric},
	{NEON, xorIntoNEON, nil, xorIntoGeneric},
	{NEON, andNotIntoNEON, nil, andNotIntoGeneric},
	{NEON, prefetchNEON, nil, prefetchGeneric},
	{NEON, arrayAndLenNEON, andLenByNEON, arrayAndLenGeneric},
	{NEON, arrayAndNEON, andByNEON, arrayAndGeneric},
	{NEON, arrayAndNotNEON, andNotByNEON, arrayAndNotGeneric},
	{NEON, arrayOrNEON, nil, arrayOrGeneric},
	{NEON, arrayXorNEON, nil, arrayXorGeneric},
	{NEON, arrayBitsetAndLenNEON, nil, arrayBitsetAndLenGeneric},
	{NEON, filterBitsNEON, nil, filterBitsGeneric},
	{NEON, bitsetToArrayNEON, nil, bitsetToArrayGeneric},
	{NEON, bitsetLowsNEON, nil, bitsetLowsGeneric},
	{NEON, arrayValuesNEON, nil, arrayValuesGeneric},
	{NEON, upperLowsNEON, nil, upperLowsGeneric},
	{NEON, orLowersNEON, lowersByNEON, orLowersGeneric},
	{NEON, packedValuesNEON, nil, packedValuesGeneric},
	{NEON, searchArrayNEON, nil, searchArrayGeneric},
	{NEON, arrayContainsNEON, nil, arrayContainsGeneric},
	{NEON, arrayFewLenNEON, searchedLen(arrayFewLenNEON), arrayAndLenGeneric},
	{NEON, arrayFewNEON, searched(arrayFewNEON), arrayFewGeneric},
	{NEON, firstCountNEON, nil, firstCountGeneric},
	{NEON, lastShareNEON, nil, lastShareGeneric},
	{NEON, narrowWordsNEON, narrowByNEON, narrowWordsGeneric},
	{NEON, wordsValuesNEON, nil, wordsValuesGeneric},
	{NEON, runValuesNEON, nil, runValuesGeneric},
	{NEON, valuesAndLenNEON, nil, valuesAndLenGeneric},
	{NEON, valuesAndNEON, nil, ValuesAnd},
	{NEON, upperOffsetsNEON, nil, upperOffsetsGeneric},
	{NEON, addLowersNEON, addByNEON, addLowersGeneric},
	{NEON, offsetsAndLenNEON, offsetsLenByNEON, offsetsAndLenGeneric},
	{NEON, offsetsAndNEON, offsetsByNEON, offsetsAndGeneric},
	{NEON, arrayOffsetsNEON, arrayByNEON, arrayOffsetsGeneric},
	{NEON, plainAndLenNEON, plainPairs(plainAndLenNEON), plainPairs(plainAndLenGeneric)},
	{NEON, plainHasNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)},
	{NEON, plainHasWideNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)},
	{NEON, plainRankNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)},
	{NEON, plainRankWideNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)},
	{NEON, plainValuesNEON, plainRead(plainValuesByNEON), plainRead(plainValuesGeneric)},
	{NEON, valuesWithinNEON, nil, valuesWithinGeneric},
	{NEON, keepOffsetsNEON, nil, keepOffsetsGeneric},
	{NEON, fillRunsNEON, nil, fillRunsGeneric},
	{NEON, runSelectNEON, nil, runSelectGeneric},
	{NEON, selectCardNEON, nil, selectEachCard},
	{NEON, runAndNEON, runPairs(runAndByNEON), runPairs(runAndGeneric)},
	{NEON, runAndLenNEON, runPairsLen(runAndLenByNEON), runPairsLen(runAndLenGeneric)},
}
