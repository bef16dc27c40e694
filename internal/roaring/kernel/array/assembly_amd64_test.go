// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, arrayAndLenAVX512, nil, arrayAndLenGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayAndLenAVX2, andLenByAVX2, arrayAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayAndAVX512, nil, arrayAndGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayAndAVX2, andByAVX2, arrayAndGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayAndNotAVX512, nil, arrayAndNotGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayAndNotAVX2, andNotByAVX2, arrayAndNotGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayOrAVX512, nil, arrayOrGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayOrAVX2, nil, arrayOrGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayXorAVX512, nil, arrayXorGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayXorAVX2, nil, arrayXorGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayBitsetAndLenAVX512, nil, arrayBitsetAndLenGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayBitsetAndLenAVX2, nil, arrayBitsetAndLenGeneric),
	kerneltest.NewForm(cpu.AVX512, filterBitsAVX512, nil, filterBitsGeneric),
	kerneltest.NewForm(cpu.AVX2, filterBitsAVX2, nil, filterBitsGeneric),
	kerneltest.NewForm(cpu.AVX512, arrayValuesAVX512, nil, arrayValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayValuesAVX2, nil, arrayValuesGeneric),
	kerneltest.NewForm(cpu.AVX512, selectCardAVX512, nil, selectEachCard),
	kerneltest.NewForm(cpu.AVX2, searchArrayAVX2, nil, searchArrayGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayTinyLenAVX2, searchedLen(arrayTinyLenAVX2), arrayAndLenGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayTinyAVX2, searched(arrayTinyAVX2), arrayTinyGeneric),
	kerneltest.NewForm(cpu.AVX2, arrayContainsAVX2, nil, arrayContainsGeneric),
}
