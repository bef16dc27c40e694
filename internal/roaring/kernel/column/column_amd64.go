// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// rowsFrom is the number of spans from which it pays to count their rows by vectors: the first
// steps are empty.
const rowsFrom = 4

func countRows(counts []uint32, spans [][]byte, width int) int {
	if cpu.Active == cpu.AVX512 && width > 1 && len(spans) >= rowsFrom {
		return countInParts(counts, spans, width)
	}
	return countRowsGeneric(counts, spans, width)
}

func countPart(counts []uint32, spans [][]byte, width int) int {
	return countRowsAVX512(counts, spans, width)
}
