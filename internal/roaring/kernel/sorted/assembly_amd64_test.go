// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, containedLenAVX512, nil, containedLenGeneric),
	kerneltest.NewForm(cpu.AVX2, containedLenAVX2, containedLenByAVX2, containedLenGeneric),
	kerneltest.NewForm(cpu.AVX512, fixedAndLenAVX512, fixedPairs(fixedAndLenAVX512), fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, fixedAndLenPairsAVX512, fixedPairs(fixedAndLenPairsAVX512),
		fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, fixedMergeLenAVX512, fixedPairs(fixedMerged(fixedMergeLenAVX512)),
		fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedMergeLenAVX2, fixedPairs(fixedMerged(fixedMergeLenAVX2)),
		fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, fixedHasAVX512, fixedLookUp(fixedHasAVX512), fixedLookUp(fixedHasGeneric)),
	kerneltest.NewForm(cpu.AVX512, fixedRankAVX512, fixedRanked(fixedRankAVX512), fixedRanked(fixedRankGeneric)),
	kerneltest.NewForm(cpu.AVX512, fixedValuesAVX512, fixedRead(fixedValuesAVX512), fixedRead(fixedValuesGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedValuesAVX2, fixedRead(fixedValues), fixedRead(fixedValuesGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedAndLenAVX2, fixedPairs(fixedAndLenAVX2), fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedHasAVX2, fixedLookUp(fixedHas), fixedLookUp(fixedHasGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedHasWideAVX2, fixedLookUp(fixedHas), fixedLookUp(fixedHasGeneric)),
	kerneltest.NewForm(cpu.AVX2, fixedRankAVX2, fixedRanked(fixedRank), fixedRanked(fixedRankGeneric)),
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

func fixedMerged(merge func(a, b []byte) (n, i, j int)) fixedPairs {
	return func(a, b []byte) (n int) {
		n, _, _ = merge(a, b)
		return n
	}
}
