// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	if cpu.Active == cpu.NEON {
		return valuesWithinNEON(values, bits, base)
	}
	return valuesWithinGeneric(values, bits, base)
}
