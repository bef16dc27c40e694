// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	switch cpu.Active {
	case cpu.AVX512:
		return wordsValuesAVX512(dst, words, base)
	case cpu.AVX2:
		return wordsValuesAVX2(dst, words, base)
	}
	return wordsValuesGeneric(dst, words, base)
}

func valuesOfWord(dst *[64]uint64, w, base uint64) int {
	if cpu.Active == cpu.AVX512 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], w)
		n, _ := wordsValuesAVX512(dst[:], word[:], base)
		return n
	}
	return wordValues(dst, w, base)
}
