// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values of one chunk are decoded eight at a time, in lanes of 16 bits. No branch depends on the
// values: for each byte of the upper part, a table knows how many zeros stand before each of its
// ones.
const (
	everyLane  = 0x0001_0001_0001_0001
	maxLaneLow = 14  // low width up to which four lower parts are loaded at once
	lanesFrom  = 12  // values from which the lanes pay
	maxLanes   = 128 // values decoded in one go
)

// lanes holds values, and what is written behind the last one together with it.
type lanes [2*maxLanes + 16]byte

// ChunkLen returns the number of values from the next on whose high 48 bits are at most chunk:
// those of that chunk, if the next value lies in it. If the block ends in that chunk the cost is
// constant, else it counts the words of the upper part between.
func (it *Iter) ChunkLen(chunk uint64) int {
	if !it.toValue() {
		return 0
	}
	p := Packed{Block: it.block, N: it.n, Low: it.low}
	// not less: of a block with fewer ones than values it says too little, and would do so for each
	// chunk behind
	if last, ok := p.Last(); ok && last>>16 == chunk {
		return it.n - it.i
	}
	end := *it
	end.Seek((chunk + 1) << 16)
	return end.i - it.i
}

// Lows decodes the next values as lows into dst, as long as their high 48 bits are chunk. It moves
// behind them and returns their number. It stops at the first value of another chunk, or after
// len(dst)/2 values. The number is at least one if Peek returned a value of that chunk and dst has
// room. What follows the values in dst is unspecified.
func (it *Iter) Lows(dst []byte, chunk uint64) (n int) {
	if cpu.Active != cpu.Generic && it.low <= fewVectorLow {
		return it.vectorLows(dst, chunk)
	}
	limit := min(len(dst)/2, it.n-it.i)
	if limit >= lanesFrom && it.low <= maxLaneLow {
		if limit = min(limit, it.ChunkLen(chunk)); limit >= lanesFrom {
			n = it.laneLows(dst, limit, chunk)
		}
	}
	return n + it.eachLow(dst[2*n:2*limit], chunk)
}

// eachLow is Lows, one value at a time.
func (it *Iter) eachLow(dst []byte, chunk uint64) (n int) {
	limit := len(dst) / 2
	mask := uint64(1)<<it.low - 1
	for n < limit && it.toValue() {
		word, high, off := it.word, it.w<<6-it.i, it.lowAt(it.i)
		for word != 0 && n < limit {
			d := uint64(high+bits.TrailingZeros64(word)) << it.low
			if at := off >> 3; at+8 <= len(it.block) && it.low <= 57 {
				d |= binary.LittleEndian.Uint64(it.block[at:]) >> uint(off&7) & mask
			} else {
				d |= swar.LowBits(it.block, off, it.low)
			}
			if d>>16 != chunk {
				limit = n
				break
			}
			swar.PutUint16(dst, 2*n, uint16(d))
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

// laneLows is Lows of limit values that should lie in the chunk, by lanes. It leaves the values
// whose upper bit shares a byte with the lower parts. It leaves all if ChunkLen was wrong, because
// a block has fewer values than it claims.
func (it *Iter) laneLows(dst []byte, limit int, chunk uint64) (n int) {
	if !it.toValue() {
		return 0
	}
	begin := *it
	var lower, tail lanes
	first, l := it.i, it.low&15
	at := it.w<<6 + bits.TrailingZeros64(it.word)
	upper := it.block[:it.upper>>3]
	keep := uint8(0xFF) << (at & 7)              // the ones of the byte at hand that are left
	before := int(uint64(first) + chunk<<(16-l)) // what precedes the upper parts of this chunk, beside the values of it
	b := at >> 3
	for n < limit && b < len(upper) {
		m, out := min(maxLanes, limit-n), &tail
		if rest := dst[2*n:]; len(rest) >= len(out) {
			out = (*lanes)(rest)
		}
		unpackLows(&lower, it.block, it.lowAt(first+n), m, l)
		ones, end := joinUppers(out, &lower, upper[b:], keep, 8*b-before-n, m, l)
		b += end
		keep = 0xFF
		if ones > m {
			// The last byte has more ones than are wanted: it is the next one again.
			b--
			for keep = upper[b]; ones > m; ones-- {
				keep &^= 0x80 >> bits.LeadingZeros8(keep)
			}
			keep ^= upper[b]
		}
		ones = min(ones, m)
		if out == &tail {
			copy(dst[2*n:], tail[:2*ones])
		}
		n += ones
	}
	// The upper parts ascend: when the last one is of the chunk, all are.
	if n > 0 && uint64(lastOne(upper, b, keep)-(first+n-1))>>(16-l) != chunk {
		*it = begin
		return 0
	}
	if it.i = first + n; 8*b >= it.upper {
		it.end()
		return n
	}
	it.w = b >> 3
	it.word = it.load(it.w) & ((^uint64(0xFF) | uint64(keep)) << (8 * (b & 7)))
	return n
}

// lastOne returns the place of the last one before the ones of byte b that are in keep.
func lastOne(upper []byte, b int, keep uint8) int {
	x := uint8(0)
	if b < len(upper) {
		x = upper[b] &^ keep
	}
	for x == 0 && b > 0 {
		b--
		x = upper[b]
	}
	return 8*b + bits.Len8(x) - 1
}

// unpackLows writes m lower parts of l ≤ 14 bits as lanes. The first stands at bit off. What
// follows the lanes is unspecified.
//
// It shifts by multiplying with powers of two, because amd64 has only one register to shift by.
func unpackLows(dst *lanes, block []byte, off, m int, l uint) {
	// Four parts are taken apart in two steps: pairs first, then each. Eight of them have l bytes,
	// so that all eights begin at the same bit of a byte.
	pair, one := uint64(1)<<(2*l&31)-1, uint64(1)<<(l&15)-1
	high, odd := pair<<32, (one|one<<32)<<16
	even := odd >> 16
	byPair, byOne := uint64(1)<<((32-2*l)&63), uint64(1)<<((16-l)&63)
	at, shift := off>>3, uint(off&7)
	half := shift + 4*l
	skip, shiftHalf := half>>3&7, half&7
	k := 0
	for ; k < m && at+16 <= len(block); k += 8 {
		b := (*[16]byte)(block[at:])
		x := binary.LittleEndian.Uint64(b[:8]) >> shift
		y := binary.LittleEndian.Uint64(b[skip:skip+8]) >> shiftHalf
		x = x&pair | x*byPair&high
		y = y&pair | y*byPair&high
		x = x&even | x*byOne&odd
		y = y&even | y*byOne&odd
		to := (*[16]byte)(dst[2*k&(2*maxLanes-1):])
		binary.LittleEndian.PutUint64(to[:8], x)
		binary.LittleEndian.PutUint64(to[8:], y)
		at += int(l)
	}
	for off += k * int(l); k < m; k++ {
		x := uint64(0)
		if l > 0 {
			x = swar.LowBits(block, off, l)
		}
		swar.PutUint16(dst[:], 2*k, uint16(x))
		off += int(l)
	}
}

// joinUppers joins the upper parts of the next m values, or a few more, to their lower ones. upper
// begins with the byte of the first one, and keep marks the ones of that byte that count. zeros is
// the number of zeros before it. It returns the number of values and of bytes read.
func joinUppers(dst, lower *lanes, upper []byte, keep uint8, zeros, m int, l uint) (n, end int) {
	high := uint64(zeros) * everyLane
	scale := uint64(1) << (l & 15)
	for i, x := range upper {
		if n >= m {
			return n, i
		}
		x &= keep
		keep = 0xFF
		t := &zerosBefore[x]
		ones := bits.OnesCount8(x)
		at := 2 * n & (2*maxLanes - 1)
		to, from := dst[at:at+16], lower[at:at+16]
		binary.LittleEndian.PutUint64(to, (t[0]+high)*scale|binary.LittleEndian.Uint64(from))
		binary.LittleEndian.PutUint64(to[8:], (t[1]+high)*scale|binary.LittleEndian.Uint64(from[8:]))
		high += uint64(8-ones) * everyLane
		n += ones
	}
	return n, len(upper)
}

// Words is Lows, except that it sets a bit in dst for each value. It clears dst first. dst is words
// and must have 8 192 bytes.
func (it *Iter) Words(dst []byte, chunk uint64) (n int) {
	var lows [512]byte
	words := (*bitset.Words)(dst)
	clear(words[:])
	for {
		k := it.Lows(lows[:], chunk)
		bitset.Scatter(words, lows[:2*k])
		n += k
		if k < len(lows)/2 {
			return n
		}
	}
}
