// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, runValuesNEON, nil, runValuesGeneric),
	kerneltest.NewForm(cpu.NEON, runSelectNEON, nil, runSelectGeneric),
	kerneltest.NewForm(cpu.NEON, runAndNEON, runPairs(runAndByNEON), runPairs(runAndGeneric)),
	kerneltest.NewForm(cpu.NEON, runAndLenNEON, runPairsLen(runAndLenByNEON), runPairsLen(runAndLenGeneric)),
}
