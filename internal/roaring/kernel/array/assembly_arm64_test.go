// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, arrayAndLenNEON, andLenByNEON, arrayAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, arrayAndNEON, andByNEON, arrayAndGeneric),
	kerneltest.NewForm(cpu.NEON, arrayAndNotNEON, andNotByNEON, arrayAndNotGeneric),
	kerneltest.NewForm(cpu.NEON, arrayOrNEON, nil, arrayOrGeneric),
	kerneltest.NewForm(cpu.NEON, arrayXorNEON, nil, arrayXorGeneric),
	kerneltest.NewForm(cpu.NEON, arrayBitsetAndLenNEON, nil, arrayBitsetAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, filterBitsNEON, nil, filterBitsGeneric),
	kerneltest.NewForm(cpu.NEON, arrayValuesNEON, nil, arrayValuesGeneric),
	kerneltest.NewForm(cpu.NEON, searchArrayNEON, nil, searchArrayGeneric),
	kerneltest.NewForm(cpu.NEON, arrayContainsNEON, nil, arrayContainsGeneric),
	kerneltest.NewForm(cpu.NEON, arrayTinyLenNEON, searchedLen(arrayTinyLenNEON), arrayAndLenGeneric),
	kerneltest.NewForm(cpu.NEON, arrayTinyNEON, searched(arrayTinyNEON), arrayTinyGeneric),
	kerneltest.NewForm(cpu.NEON, selectCardNEON, nil, selectEachCard),
}
