// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, onesNEON, nil, onesGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetAndLenNEON, nil, bitsetAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetAndNEON, nil, bitsetAndGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetOrNEON, nil, bitsetOrGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetAndNotNEON, nil, bitsetAndNotGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetXorNEON, nil, bitsetXorGeneric),
	kerneltest.NewForm(cpu.NEON, orIntoNEON, nil, orIntoGeneric),
	kerneltest.NewForm(cpu.NEON, xorIntoNEON, nil, xorIntoGeneric),
	kerneltest.NewForm(cpu.NEON, andNotIntoNEON, nil, andNotIntoGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetToArrayNEON, nil, bitsetToArrayGeneric),
	kerneltest.NewForm(cpu.NEON, bitsetLowsNEON, nil, bitsetLowsGeneric),
	kerneltest.NewForm(cpu.NEON, wordsValuesNEON, nil, wordsValuesGeneric),
	kerneltest.NewForm(cpu.NEON, fillRunsNEON, nil, fillRunsGeneric),
}
