// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, valuesAndLenNEON, nil, valuesAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, valuesAndNEON, nil, ValuesAnd),
	kerneltest.NewForm(cpu.NEON, offsetsAndLenNEON, offsetsLenByNEON, offsetsAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, offsetsAndNEON, offsetsByNEON, offsetsAndGeneric),
	kerneltest.NewForm(cpu.NEON, arrayOffsetsNEON, arrayByNEON, arrayOffsetsGeneric),
	kerneltest.NewForm(cpu.NEON, fixedAndLenNEON, fixedPairs(fixedAndLenNEON), fixedPairs(fixedAndLenGeneric)),
	kerneltest.NewForm(cpu.NEON, fixedHasNEON, fixedLookUp(fixedHasByNEON), fixedLookUp(fixedHasGeneric)),
	kerneltest.NewForm(cpu.NEON, fixedHasWideNEON, fixedLookUp(fixedHasByNEON), fixedLookUp(fixedHasGeneric)),
	kerneltest.NewForm(cpu.NEON, fixedRankNEON, fixedRanked(fixedRankByNEON), fixedRanked(fixedRankGeneric)),
	kerneltest.NewForm(cpu.NEON, fixedRankWideNEON, fixedRanked(fixedRankByNEON), fixedRanked(fixedRankGeneric)),
	kerneltest.NewForm(cpu.NEON, fixedValuesNEON, fixedRead(fixedValuesByNEON), fixedRead(fixedValuesGeneric)),
	kerneltest.NewForm(cpu.NEON, containedLenNEON, nil, containedLenGeneric),
	kerneltest.NewForm(cpu.NEON, keepOffsetsNEON, nil, keepOffsetsGeneric),
}
