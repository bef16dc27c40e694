// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

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
	{AVX512, xorIntoAVX512, nil, xorIntoGeneric},
	{AVX2, xorIntoAVX2, nil, xorIntoGeneric},
	{AVX512, andNotIntoAVX512, nil, andNotIntoGeneric},
	{AVX2, andNotIntoAVX2, nil, andNotIntoGeneric},
	{AVX512, arrayAndLenAVX512, nil, arrayAndLenGeneric},
	{AVX2, arrayAndLenAVX2, andLenByAVX2, arrayAndLenGeneric},
	{AVX512, arrayAndAVX512, nil, arrayAndGeneric},
	{AVX2, arrayAndAVX2, andByAVX2, arrayAndGeneric},
	{AVX512, arrayAndNotAVX512, nil, arrayAndNotGeneric},
	{AVX2, arrayAndNotAVX2, andNotByAVX2, arrayAndNotGeneric},
	{AVX512, arrayOrAVX512, nil, arrayOrGeneric},
	{AVX512, arrayXorAVX512, nil, arrayXorGeneric},
	{AVX512, arrayBitsetAndLenAVX512, nil, arrayBitsetAndLenGeneric},
	{AVX512, filterBitsAVX512, nil, filterBitsGeneric},
	{AVX512, bitsetToArrayAVX512, nil, bitsetToArrayGeneric},
	{AVX512, bitsetLowsAVX512, nil, bitsetLowsGeneric},
	{AVX512, wordsValuesAVX512, nil, wordsValuesGeneric},
	{AVX512, arrayValuesAVX512, nil, arrayValuesGeneric},
	{AVX2, arrayValuesAVX2, nil, arrayValuesGeneric},
	{AVX512, upperLowsAVX512, nil, upperLowsGeneric},
	{AVX512, orLowersAVX512, nil, orLowersGeneric},
	{AVX512, packedValuesAVX512, nil, packedValuesGeneric},
	{AVX2, placeShortAVX2, nil, placeShortGeneric},
	{AVX2, searchArrayAVX2, nil, searchArrayGeneric},
	{AVX2, arrayContainsAVX2, nil, arrayContainsGeneric},
}
