// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func smallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	if cpu.Active == cpu.NEON && offset == int(int16(offset>>8))<<8|offset&0xFF {
		return smallWordsByNEON(dst, lows, words, offset, bits)
	}
	return smallWordsGeneric(dst, lows, words, offset, bits)
}

func smallWordsByNEON(dst, lows []uint16, words []byte, offset, bits int) uint16 {
	n, most := smallWordsNEON(dst, lows, words, offset, bits)
	return max(uint16(most), smallWordsGeneric(dst[n:], lows[n:], words, offset, bits))
}
