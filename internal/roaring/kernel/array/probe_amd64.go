// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// probesFrom is the number of values from which assembly looks them up faster. From nearFrom values
// on, 32 in turn lie near each other as a rule.
const (
	probesFrom = 4
	nearFrom   = 1280
)

func arrayBitsetAndLen(lows []byte, a *bitset.Words) int {
	switch {
	case cpu.Active == cpu.Generic || len(lows) < 2*probesFrom:
		return arrayBitsetAndLenGeneric(lows, a)
	case cpu.Active == cpu.AVX512 && len(lows) >= 2*nearFrom:
		return arrayBitsetAndLenAVX512(lows, a)
	}
	return arrayBitsetAndLenAVX2(lows, a)
}

// FilterBits writes the values of lows whose bit, exclusive-ored with flip, is one, and returns
// their number. dst must have the room of lows; it may be lows.
func FilterBits(dst, lows []byte, a *bitset.Words, flip int) int {
	switch {
	case cpu.Active == cpu.Generic || len(lows) < 2*probesFrom:
		return filterBitsGeneric(dst, lows, a, flip)
	case cpu.Active == cpu.AVX512 && len(lows) >= 2*nearFrom:
		return filterBitsAVX512(dst[:len(lows)], lows, a, flip)
	}
	return filterBitsAVX2(dst[:len(lows)], lows, a, flip)
}
