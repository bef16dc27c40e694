// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"encoding/binary"
)

// SmallWords writes the words at some places, each the offset plus a low, and returns the
// greatest. Words of 1 to 7 bits stand one behind the other, the first from the lowest bit on; two
// bytes can be read where each begins. dst has room for as many as there are lows.
func SmallWords(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	dst = dst[:len(lows)]
	for len(lows) > maxWords {
		most = max(most, smallWords(dst[:maxWords], lows[:maxWords], words, offset, bits))
		dst, lows = dst[maxWords:], lows[maxWords:]
	}
	return max(most, smallWords(dst, lows, words, offset, bits))
}

func smallWordsGeneric(dst, lows []uint16, words []byte, offset, bits int) (most uint16) {
	dst = dst[:len(lows)]
	mask := uint16(1)<<bits - 1
	for i, low := range lows {
		at := (offset + int(low)) * bits
		w := binary.LittleEndian.Uint16(words[at>>3:]) >> (at & 7) & mask
		dst[i] = w
		most = max(most, w)
	}
	return most
}

// maxWords is the number of words that are read in one call, which cannot be interrupted.
const maxWords = 1 << 16
