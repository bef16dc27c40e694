// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

func arrayBitsetAndLen(lows []byte, a *bitset.Words) int { return arrayBitsetAndLenGeneric(lows, a) }

func FilterBits(dst, lows []byte, a *bitset.Words, flip int) int {
	return filterBitsGeneric(dst, lows, a, flip)
}
