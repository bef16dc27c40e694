// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, countRowsNEON, countRows, countRowsGeneric),
	kerneltest.NewForm(cpu.NEON, firstCountNEON, nil, firstCountGeneric),
	kerneltest.NewForm(cpu.NEON, lastShareNEON, nil, lastShareGeneric),
	kerneltest.NewForm(cpu.NEON, smallWordsNEON, smallWordsByNEON, smallWordsGeneric),
}
