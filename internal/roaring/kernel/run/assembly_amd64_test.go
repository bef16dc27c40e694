// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, runValuesAVX512, nil, runValuesGeneric),
	kerneltest.NewForm(cpu.AVX2, runValuesAVX2, nil, runValuesGeneric),
	kerneltest.NewForm(cpu.AVX512, runAndAVX512, runPairs(runAndAVX512), runPairs(runAndGeneric)),
	kerneltest.NewForm(cpu.AVX2, runAndAVX2, runPairs(runAndByAVX2), runPairs(runAndGeneric)),
	kerneltest.NewForm(cpu.AVX512, runAndLenAVX512, runPairsLen(runAndLenAVX512), runPairsLen(runAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX2, runAndLenAVX2, runPairsLen(runAndLenByAVX2), runPairsLen(runAndLenGeneric)),
	kerneltest.NewForm(cpu.AVX512, runSelectAVX512, nil, runSelectGeneric),
}
