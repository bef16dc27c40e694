// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// mostCommon is how many blocks AppendCommonLow looks at.
const mostCommon = 16

// AppendCommonLow appends the first values that all blocks have, up to most. The blocks are
// bitsets and runs of one chunk; the values are low 16 bits and ascend. ok is false, and nothing is
// appended, if there are no blocks or more than 16, or if one of them is an array.
//
// Cost: a word of each block up to the last value that is appended. Where many values are common,
// that is less than computing the intersection.
func AppendCommonLow(dst []uint16, most int, blocks ...Block) (lows []uint16, ok bool) {
	if len(blocks) == 0 || len(blocks) > mostCommon {
		return dst, false
	}
	for i := range blocks {
		if blocks[i].Kind != Bitset && blocks[i].Kind != Run {
			return dst, false
		}
	}
	var passed [mostCommon]int // runs of each block that end before the word
	for at := 0; at < MaxPayload; at += 8 {
		word := ^uint64(0)
		for i := 0; i < len(blocks) && word != 0; i++ {
			if b := &blocks[i]; b.Kind == Bitset {
				word &= binary.LittleEndian.Uint64(b.Words()[at : at+8])
			} else {
				word &= runWord(b.Data, at<<3, &passed[i])
			}
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

// runWord returns which of the 64 values from first on are in runs, as bits. The runs that end
// before the last of these are passed for good.
func runWord(runs []byte, first int, passed *int) (word uint64) {
	for ; *passed < len(runs)/4; *passed++ {
		lo, hi := run.At(runs, *passed)
		if hi <= first {
			continue
		}
		if lo >= first+64 {
			break
		}
		word |= ^uint64(0) << max(lo-first, 0) &^ (^uint64(0) << (hi - first)) // a shift by 64 and more leaves nothing
		if hi >= first+64 {
			break
		}
	}
	return word
}
