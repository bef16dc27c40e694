// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func smallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	switch {
	case offset != int(int16(offset>>8))<<8|offset&0xFF:
	case cpu.Active == cpu.AVX512:
		return smallWordsByAVX512(dst, lows, words, offset, bits)
	case cpu.Active == cpu.AVX2:
		return smallWordsByAVX2(dst, lows, words, offset, bits)
	}
	return smallWordsGeneric(dst, lows, words, offset, bits)
}

func smallWordsByAVX512(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsAVX512(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}

func smallWordsByAVX2(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsAVX2(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}
