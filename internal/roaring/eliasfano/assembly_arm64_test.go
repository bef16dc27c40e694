// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.NEON, upperLowsNEON, nil, upperLowsGeneric),
	kerneltest.NewForm(cpu.NEON, orLowersNEON, lowersByNEON, orLowersGeneric),
	kerneltest.NewForm(cpu.NEON, packedValuesNEON, nil, packedValuesGeneric),
	kerneltest.NewForm(cpu.NEON, upperOffsetsNEON, nil, upperOffsetsGeneric),
	kerneltest.NewForm(cpu.NEON, addLowersNEON, addByNEON, addLowersGeneric),
	kerneltest.NewForm(cpu.NEON, arraysOffsetsNEON, nil, arraysOffsetsGeneric),
	kerneltest.NewForm(cpu.NEON, arraysValuesNEON, nil, arraysValuesGeneric),
}
