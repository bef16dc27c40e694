// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

func arrayBitsetAndLen(lows []byte, a *Words) int {
	if cpu.Active == cpu.NEON {
		return arrayBitsetAndLenNEON(lows, a)
	}
	return arrayBitsetAndLenGeneric(lows, a)
}

func filterBits(dst, lows []byte, a *Words, flip int) int {
	if cpu.Active == cpu.NEON {
		return filterBitsNEON(dst[:len(lows)], lows, a, flip)
	}
	return filterBitsGeneric(dst, lows, a, flip)
}
