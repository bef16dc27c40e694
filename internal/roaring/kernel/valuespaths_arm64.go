// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

func arrayValues(dst []uint64, lows []byte, base uint64) {
	if cpu.Active == cpu.NEON {
		arrayValuesNEON(dst, lows, base)
	} else {
		arrayValuesGeneric(dst, lows, base)
	}
}

func wordsValues(dst []uint64, words []byte, base uint64) (n, read int) {
	if cpu.Active == cpu.NEON {
		return wordsValuesNEON(dst, words, base)
	}
	return wordsValuesGeneric(dst, words, base)
}

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	if cpu.Active == cpu.NEON {
		return runValuesNEON(dst, runs, at, next, base)
	}
	return runValuesGeneric(dst, runs, at, next, base)
}

func valuesOfWord(dst *[64]uint64, w, base uint64) int { return wordValues(dst, w, base) }
