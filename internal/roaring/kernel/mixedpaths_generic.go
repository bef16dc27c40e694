// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package kernel

func arrayBitsetAndLen(lows []byte, a *Words) int { return arrayBitsetAndLenGeneric(lows, a) }

func filterBits(dst, lows []byte, a *Words, flip int) int {
	return filterBitsGeneric(dst, lows, a, flip)
}
