// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, onesAVX512, nil, onesGeneric),
	kerneltest.NewForm(cpu.AVX2, onesAVX2, nil, onesGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetAndLenAVX512, nil, bitsetAndLenGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetAndLenAVX2, nil, bitsetAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetAndAVX512, nil, bitsetAndGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetAndAVX2, nil, bitsetAndGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetOrAVX512, nil, bitsetOrGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetOrAVX2, nil, bitsetOrGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetAndNotAVX512, nil, bitsetAndNotGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetAndNotAVX2, nil, bitsetAndNotGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetXorAVX512, nil, bitsetXorGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetXorAVX2, nil, bitsetXorGeneric),
	kerneltest.NewForm(cpu.AVX512, orIntoAVX512, nil, orIntoGeneric),
	kerneltest.NewForm(cpu.AVX2, orIntoAVX2, nil, orIntoGeneric),
	kerneltest.NewForm(cpu.AVX2, scatterAVX2, nil, scatterGeneric),
	kerneltest.NewForm(cpu.AVX2, fillRunsAVX2, nil, fillRunsGeneric),
	kerneltest.NewForm(cpu.AVX512, xorIntoAVX512, nil, xorIntoGeneric),
	kerneltest.NewForm(cpu.AVX2, xorIntoAVX2, nil, xorIntoGeneric),
	kerneltest.NewForm(cpu.AVX512, andNotIntoAVX512, nil, andNotIntoGeneric),
	kerneltest.NewForm(cpu.AVX2, andNotIntoAVX2, nil, andNotIntoGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetToArrayAVX512, nil, bitsetToArrayGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetToArrayAVX2, nil, bitsetToArrayGeneric),
	kerneltest.NewForm(cpu.AVX512, bitsetLowsAVX512, nil, bitsetLowsGeneric),
	kerneltest.NewForm(cpu.AVX2, bitsetLowsAVX2, nil, bitsetLowsGeneric),
	kerneltest.NewForm(cpu.AVX512, wordsValuesAVX512, nil, wordsValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, wordsValuesAVX2, nil, wordsValuesGeneric),
}
