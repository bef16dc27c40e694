// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Ones returns the number of ones of whole words; up to seven bytes behind them do not count.
func Ones(words []byte) int {
	if cpu.Active == cpu.NEON {
		return onesNEON(words)
	}
	return onesGeneric(words)
}

func bitsetAndLen(a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndLenNEON(a, b)
	}
	return bitsetAndLenGeneric(a, b)
}

func bitsetAnd(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndNEON(dst, a, b)
	}
	return bitsetAndGeneric(dst, a, b)
}

func bitsetOr(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetOrNEON(dst, a, b)
	}
	return bitsetOrGeneric(dst, a, b)
}

func bitsetAndNot(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetAndNotNEON(dst, a, b)
	}
	return bitsetAndNotGeneric(dst, a, b)
}

func bitsetXor(dst, a, b *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetXorNEON(dst, a, b)
	}
	return bitsetXorGeneric(dst, a, b)
}

func bitsetToArray(dst []byte, a *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetToArrayNEON(dst, a)
	}
	return bitsetToArrayGeneric(dst, a)
}

func bitsetLows(dst []uint16, a *Words) int {
	if cpu.Active == cpu.NEON {
		return bitsetLowsNEON(dst, a)
	}
	return bitsetLowsGeneric(dst, a)
}
