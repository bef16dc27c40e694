// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"encoding/binary"
	"math/bits"
)

// AppendCommonLow appends the low 16 bits of the first values that all of some bitsets of one chunk have, ascending, at most so many. ok is false, and nothing is appended, if there are none, or if one of them is no bitset.
//
// Cost: a word of each up to the last value that is appended: for a few of many that they have in common less than computing the intersection.
func AppendCommonLow(dst []uint16, most int, blocks ...Block) (lows []uint16, ok bool) {
	for i := range blocks {
		if blocks[i].kind != kindBitset {
			return dst, false
		}
	}
	if len(blocks) == 0 {
		return dst, false
	}
	for at := 0; at < maxPayload; at += 8 {
		word := binary.LittleEndian.Uint64(blocks[0].words()[at : at+8])
		for i := 1; i < len(blocks) && word != 0; i++ {
			word &= binary.LittleEndian.Uint64(blocks[i].words()[at : at+8])
		}
		for ; word != 0; word &= word - 1 {
			if most == 0 {
				return dst, true
			}
			dst = append(dst, uint16(at<<3|bits.TrailingZeros64(word)))
			most--
		}
	}
	return dst, true
}
