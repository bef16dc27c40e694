// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package column

func smallWords(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	return smallWordsGeneric(dst, lows, words, offset, bits)
}
