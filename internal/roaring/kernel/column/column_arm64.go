// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func countRows(counts []uint32, spans [][]byte, width int) int {
	if cpu.Active == cpu.NEON && (width == 2 || width == 3) {
		return countInParts(counts, spans, width)
	}
	return countRowsGeneric(counts, spans, width)
}

func countPart(counts []uint32, spans [][]byte, width int) int {
	return countRowsNEON(counts, spans, width)
}
