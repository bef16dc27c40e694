// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	if cpu.Active == cpu.NEON {
		return wordsValuesNEON(dst, words, base)
	}
	return wordsValuesGeneric(dst, words, base)
}

func valuesOfWord(dst *[64]uint64, w, base uint64) int { return wordValues(dst, w, base) }
