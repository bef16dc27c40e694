// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func valuesAndLen(a, b []uint64) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return valuesAndLenNEON(a, b)
	}
	return valuesFiltered(a, b)
}

func valuesAnd(dst, a, b []uint64) (n, i, j int) {
	if cpu.Active == cpu.NEON {
		return valuesAndNEON(dst, a, b)
	}
	return 0, 0, 0
}
