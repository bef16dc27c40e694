// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values decodes the next values into dst, adds base to each, and moves behind them. It returns how
// many there were: less than len(dst) at the end. The rest of dst may be changed.
func (it *Iter) Values(dst []uint64, base uint64) (n int) {
	if it.low <= maxLaneLow {
		n = it.laneValues(dst, base)
	}
	if cpu.Active != cpu.Generic && min(len(dst)-n, it.n-it.i) >= vectorValuesFrom && it.low <= maxGatherLow {
		n += it.vectorValues(dst[n:], base)
	}
	return n + it.EachValue(dst[n:], base)
}

// vectorValuesFrom is the number of values from which vectors decode them in less time.
const vectorValuesFrom = 16

// wideLanesFrom is the number of values in a chunk from which decoding as lows and then widening is
// cheaper.
const wideLanesFrom = 32

// fewInChunk is the number of values in a chunk below which chunks are not decoded one by one.
const fewInChunk = 12

// laneValues is Values as long as the chunks have enough of them for lanes.
func (it *Iter) laneValues(dst []uint64, base uint64) (n int) {
	for len(dst)-n >= wideLanesFrom {
		d, ok := it.Peek()
		if !ok {
			return n
		}
		chunk := d >> 16
		if cpu.Active != cpu.Generic {
			var lows [512]byte
			room := min(2*(len(dst)-n), len(lows))
			k := it.vectorLows(lows[:room], chunk)
			array.Values(dst[n:], lows[:2*k], base+chunk<<16)
			if n += k; k < fewInChunk {
				return n
			}
			continue
		}
		left := min(len(dst)-n, it.ChunkLen(chunk))
		if left < wideLanesFrom {
			return n
		}
		var lows lanes
		for left > 0 {
			k := it.laneLows(lows[:], min(left, maxLanes), chunk)
			if k == 0 {
				return n // the rest stands beside the lower parts
			}
			array.Values(dst[n:], lows[:2*k], base+chunk<<16)
			n += k
			left -= k
		}
	}
	return n
}

// EachValue is Values without vectors, one value at a time: for some values now and then. A
// processor that executes a few instructions on 512 bits among many others runs all of them slower.
func (it *Iter) EachValue(dst []uint64, base uint64) (n int) {
	want := min(len(dst), it.n-it.i)
	l := it.low & 63
	mask := uint64(1)<<l - 1
	for n < want && it.toValue() {
		// One word of the upper part at a time.
		word, high, off := it.word, uint64(it.w<<6-it.i), it.lowAt(it.i)
		out := dst[n:min(want, n+bits.OnesCount64(word))]
		k := 0
		if block := it.block; l <= 57 && len(block) >= 8 {
			end := 8*len(block) - 64
			for ; k < len(out) && off <= end; k++ {
				low := swar.Uint64(block, off>>3) >> (off & 7) & mask
				out[k] = base + ((high+uint64(bits.TrailingZeros64(word)))<<l | low)
				word &= word - 1
				high--
				off += int(l)
			}
			// The last eight bytes have all that is left.
			for last := swar.Uint64(block, end>>3); k < len(out); k++ {
				low := last >> ((off - end) & 63) & mask
				out[k] = base + ((high+uint64(bits.TrailingZeros64(word)))<<l | low)
				word &= word - 1
				high--
				off += int(l)
			}
		}
		for ; k < len(out); k++ {
			out[k] = base + ((high+uint64(bits.TrailingZeros64(word)))<<l | swar.LowBits(it.block, off, l))
			word &= word - 1
			high--
			off += int(l)
		}
		n += len(out)
		it.i += len(out)
		it.word = word
	}
	return n
}
