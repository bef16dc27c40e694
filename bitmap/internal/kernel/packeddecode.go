// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math/bits"
)

// Values decodes the next values into dst, adds base to each, and moves behind them. It returns how many there were: less than len(dst) at the end.
func (it *PackedIter) Values(dst []uint64, base uint64) (n int) {
	want := min(len(dst), it.n-it.i)
	mask := uint64(1)<<it.low - 1
	for n < want && it.settle() {
		// One word of the upper part at a time.
		word, high, off := it.word, it.w<<6-it.i, it.lowAt(it.i)
		for ; word != 0 && n < want; n++ {
			d := uint64(high+bits.TrailingZeros64(word)) << it.low
			if at := off >> 3; at+8 <= len(it.block) && it.low <= 57 {
				d |= binary.LittleEndian.Uint64(it.block[at:]) >> uint(off&7) & mask
			} else {
				d |= lowBits(it.block, off, it.low)
			}
			dst[n] = base + d
			word &= word - 1
			high--
			off += int(it.low)
		}
		it.i = it.w<<6 - high
		it.word = word
	}
	return n
}

// Lows decodes the values of one chunk, those whose high 48 bits are chunk, as lows into dst, beginning with the next value, and moves behind
// them. It stops at the first value of another chunk, or after len(dst)/2 values. It returns how many there were: at least one if Peek
// returned a value of that chunk and dst has room.
func (it *PackedIter) Lows(dst []byte, chunk uint64) (n int) {
	limit := min(len(dst)/2, it.n-it.i)
	mask := uint64(1)<<it.low - 1
	for n < limit && it.settle() {
		word, high, off := it.word, it.w<<6-it.i, it.lowAt(it.i)
		for word != 0 && n < limit {
			d := uint64(high+bits.TrailingZeros64(word)) << it.low
			if at := off >> 3; at+8 <= len(it.block) && it.low <= 57 {
				d |= binary.LittleEndian.Uint64(it.block[at:]) >> uint(off&7) & mask
			} else {
				d |= lowBits(it.block, off, it.low)
			}
			if d>>16 != chunk {
				limit = n
				break
			}
			binary.LittleEndian.PutUint16(dst[2*n:], uint16(d))
			word &= word - 1
			high--
			off += int(it.low)
			n++
		}
		it.i = it.w<<6 - high
		it.word = word
	}
	return n
}

// Words is as Lows, but sets a bit in dst, which are words and which it clears before, for each value. dst must have 8 192 bytes.
func (it *PackedIter) Words(dst []byte, chunk uint64) (n int) {
	var lows [512]byte
	dst = dst[:8192]
	clear(dst)
	for {
		k := it.Lows(lows[:], chunk)
		for i := range k {
			low := binary.LittleEndian.Uint16(lows[2*i:])
			dst[low>>3] |= 1 << (low & 7)
		}
		n += k
		if k < len(lows)/2 {
			return n
		}
	}
}
