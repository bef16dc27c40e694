// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

func arrayBitsetAndLen(lows []byte, a *bitset.Words) int { return arrayBitsetAndLenGeneric(lows, a) }

// FilterBits writes the values of lows whose bit, exclusive-ored with flip, is one, and returns
// their number. dst must have the room of lows; it may be lows.
func FilterBits(dst, lows []byte, a *bitset.Words, flip int) int {
	return filterBitsGeneric(dst, lows, a, flip)
}
