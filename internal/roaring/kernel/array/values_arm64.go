// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func arrayValues(dst []uint64, lows []byte, base uint64) {
	if cpu.Active == cpu.NEON {
		arrayValuesNEON(dst, lows, base)
	} else {
		arrayValuesGeneric(dst, lows, base)
	}
}
