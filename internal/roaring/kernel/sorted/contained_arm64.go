// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func containedLen(values []uint64, bits []byte, base uint64) int {
	if cpu.Active == cpu.NEON {
		return containedLenNEON(values, bits, base)
	}
	return containedLenGeneric(values, bits, base)
}
