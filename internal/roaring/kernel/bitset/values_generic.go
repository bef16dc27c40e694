// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package bitset

func valuesOfWord(dst *[64]uint64, w, base uint64) int { return wordValues(dst, w, base) }

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	return wordsValuesGeneric(dst, words, base)
}
