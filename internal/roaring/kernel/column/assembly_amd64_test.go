// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX512, countRowsAVX512, nil, countRowsGeneric),
	kerneltest.NewForm(cpu.AVX512, firstCountAVX512, nil, firstCountGeneric),
	kerneltest.NewForm(cpu.AVX2, firstCountAVX2, firstByAVX2, firstCountGeneric),
	kerneltest.NewForm(cpu.AVX512, lastShareAVX512, nil, lastShareGeneric),
	kerneltest.NewForm(cpu.AVX2, lastShareAVX2, lastByAVX2, lastShareGeneric),
	kerneltest.NewForm(cpu.AVX512, smallWordsAVX512, smallWordsByAVX512, smallWordsGeneric),
	kerneltest.NewForm(cpu.AVX2, smallWordsAVX2, smallWordsByAVX2, smallWordsGeneric),
}
