// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, valuesWithinAVX512, nil, valuesWithinGeneric),
	kerneltest.NewForm(cpu.AVX2, valuesWithinAVX2, withinByAVX2, valuesWithinGeneric),
	kerneltest.NewForm(cpu.AVX512, plainAndLenAVX512, plainPairs(plainAndLenAVX512), plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, plainAndLenPairsAVX512, plainPairs(plainAndLenPairsAVX512),
		plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, plainMergeLenAVX512, plainPairs(plainMerged(plainMergeLenAVX512)),
		plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainMergeLenAVX2, plainPairs(plainMerged(plainMergeLenAVX2)),
		plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, plainHasAVX512, plainLookUp(plainHasAVX512), plainLookUp(plainHasGeneric)),
	kerneltest.NewForm(cpu.AVX512, plainRankAVX512, plainRanked(plainRankAVX512), plainRanked(plainRankGeneric)),
	kerneltest.NewForm(cpu.AVX512, plainValuesAVX512, plainRead(plainValuesAVX512), plainRead(plainValuesGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainValuesAVX2, plainRead(plainValues), plainRead(plainValuesGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainAndLenAVX2, plainPairs(plainAndLenAVX2), plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainHasAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainHasWideAVX2, plainLookUp(plainHas), plainLookUp(plainHasGeneric)),
	kerneltest.NewForm(cpu.AVX2, plainRankAVX2, plainRanked(plainRank), plainRanked(plainRankGeneric)),
	kerneltest.NewForm(cpu.AVX512, valuesAndLenAVX512, nil, valuesAndLenGeneric),
	kerneltest.NewForm(cpu.AVX2, valuesAndLenAVX2, nil, valuesAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, valuesAndAVX512, nil, ValuesAnd),
	kerneltest.NewForm(cpu.AVX2, valuesAndAVX2, nil, ValuesAnd),
	kerneltest.NewForm(cpu.AVX512, offsetsAndLenAVX512, nil, offsetsAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, offsetsAndLenPairsAVX512, offsetsAndLenByPairs, offsetsAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, offsetsAndPairsAVX512, offsetsAndByPairs, offsetsAndGeneric),
	kerneltest.NewForm(cpu.AVX2, offsetsAndLenAVX2, nil, offsetsAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, offsetsAndAVX512, nil, offsetsAndGeneric),
	kerneltest.NewForm(cpu.AVX2, offsetsAndAVX2, nil, offsetsAndGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayOffsetsAVX512, nil, arrayOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayOffsetsAVX2, nil, arrayOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX512, keepOffsetsAVX512, nil, keepOffsetsGeneric),
	kerneltest.NewForm(cpu.AVX2, keepOffsetsAVX2, nil, keepOffsetsGeneric),
}

func plainMerged(merge func(a, b []byte) (n, i, j int)) plainPairs {
	return func(a, b []byte) (n int) {
		n, _, _ = merge(a, b)
		return n
	}
}
