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
	kerneltest.NewForm(cpu.NEON, plainAndLenNEON, plainPairs(plainAndLenNEON), plainPairs(plainAndLenGeneric)),
	kerneltest.NewForm(cpu.NEON, plainHasNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)),
	kerneltest.NewForm(cpu.NEON, plainHasWideNEON, plainLookUp(plainHasByNEON), plainLookUp(plainHasGeneric)),
	kerneltest.NewForm(cpu.NEON, plainRankNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)),
	kerneltest.NewForm(cpu.NEON, plainRankWideNEON, plainRanked(plainRankByNEON), plainRanked(plainRankGeneric)),
	kerneltest.NewForm(cpu.NEON, plainValuesNEON, plainRead(plainValuesByNEON), plainRead(plainValuesGeneric)),
	kerneltest.NewForm(cpu.NEON, valuesWithinNEON, nil, valuesWithinGeneric),
	kerneltest.NewForm(cpu.NEON, keepOffsetsNEON, nil, keepOffsetsGeneric),
}
