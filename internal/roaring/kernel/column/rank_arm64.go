// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func firstCount(counts []uint32, least uint32) int {
	if cpu.Active == cpu.NEON {
		return firstCountNEON(counts, least)
	}
	return firstCountGeneric(counts, least)
}

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	if cpu.Active == cpu.NEON {
		return lastShareNEON(counts, sizes, least, part)
	}
	return lastShareGeneric(counts, sizes, least, part)
}
