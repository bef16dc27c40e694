// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "math/bits"

// ArrayValues writes base plus each value of lows, as many as dst has room for.
func ArrayValues(dst []uint64, lows []byte, base uint64) { arrayValues(dst, lows, base) }

func arrayValuesGeneric(dst []uint64, lows []byte, base uint64) {
	for len(dst) >= 4 && len(lows) >= 8 {
		w := leUint64(lows, 0)
		to := dst[:4]
		to[0], to[1], to[2], to[3] = base+(w&0xFFFF), base+(w>>16&0xFFFF), base+(w>>32&0xFFFF), base+(w>>48)
		dst, lows = dst[4:], lows[8:]
	}
	for i := range min(len(dst), len(lows)/2) {
		dst[i] = base + uint64(load16(lows, 2*i))
	}
}

// BitsetValues writes base plus the place of each one, as many as dst has room for, and returns
// their number. The rest of dst may be changed.
func BitsetValues(dst []uint64, a *Words, base uint64) (n int) {
	n, _ = BitsetValuesFrom(dst, a, 0, base)
	return n
}

// BitsetValuesFrom writes base plus the place of each one at or after from, 0 ≤ from ≤ 65 536, as
// many as dst has room for. It returns their number and the place to go on from; the rest of dst
// may be changed.
func BitsetValuesFrom(dst []uint64, a *Words, from int, base uint64) (n, next int) {
	if from >= 1<<16 {
		return 0, 1 << 16
	}
	at := from >> 6 << 3
	w := load64(a, at) >> (from & 63) << (from & 63)
	if len(dst) >= 64 {
		if from&63 != 0 {
			n = valuesOfWord((*[64]uint64)(dst), w, base+uint64(at*8))
			at += 8
		}
		k, read := wordsValues(dst[n:], a[at:], base+uint64(at*8))
		n += k
		if at += read; at >= len(a) {
			return n, 1 << 16
		}
		w = load64(a, at)
	}
	// The last words may have more values than there is room for.
	var last [64]uint64
	for {
		k := valuesOfWord(&last, w, base+uint64(at*8))
		if room := len(dst) - n; k > room {
			copy(dst[n:], last[:room])
			return len(dst), int(last[room] - base)
		}
		n += copy(dst[n:], last[:k])
		if at += 8; at >= len(a) {
			return n, 1 << 16
		}
		w = load64(a, at)
	}
}

// BitsetWordsValues is BitsetValuesFrom of whole words: from is a multiple of 64, and it stops
// where less than 64 values have room, which makes no word be read in part. dst has room for 64 at
// least.
func BitsetWordsValues(dst []uint64, a *Words, from int, base uint64) (n, next int) {
	if from >= 1<<16 {
		return 0, 1 << 16
	}
	n, read := wordsValues(dst, a[from>>3:], base+uint64(from))
	return n, from + read<<3
}

// wordsValuesGeneric writes base plus the place of each one of words, and returns how many, and the
// number of bytes of the words that it has read: it stops where less than 64 values have room. It
// may write anything behind them.
func wordsValuesGeneric(dst []uint64, words []byte, base uint64) (n, read int) {
	for ; read+8 <= len(words) && len(dst)-n >= 64; read += 8 {
		n += wordValues((*[64]uint64)(dst[n:]), leUint64(words, read), base+uint64(read*8))
	}
	return n, read
}

// wordValues writes base plus the place of each one of w and returns their number. It may write
// anything behind them.
//
// Eight places are written at a time, whether there are as many or not: the number of ones, which
// cannot be guessed, then decides on few jumps. Long runs of ones take no search for the next one.
func wordValues(dst *[64]uint64, w, base uint64) int {
	if w == ^uint64(0) {
		for i := range dst {
			dst[i] = base + uint64(i)
		}
		return 64
	}
	n := bits.OnesCount64(w)
	for i := 0; i < n; i += 8 {
		to := (*[8]uint64)(dst[i&56:])
		to[0] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[1] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[2] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[3] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[4] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[5] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[6] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
		to[7] = base + uint64(bits.TrailingZeros64(w))
		w &= w - 1
	}
	return n
}

// RunValues writes base plus each value of runs from run at on that is not less than next, as many
// as dst has room for. It returns their number, and run and value to go on from; the rest of dst
// may be changed.
func RunValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	return runValues(dst, runs, at, next, base)
}

func runValuesGeneric(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	for ; 4*at+4 <= len(runs); at++ {
		lo, hi := runAt(runs, 4*at)
		if lo = max(lo, next); hi <= lo {
			continue
		}
		to := dst[n:]
		if len(to) < hi-lo {
			for i := range to {
				to[i] = base + uint64(lo+i)
			}
			return len(dst), at, lo + len(to)
		}
		first := base + uint64(lo)
		done := 0
		for ; done < hi-lo && len(to) >= done+8; done += 8 {
			// Most runs are short: their length should not decide on a jump.
			some, x := (*[8]uint64)(to[done:]), first+uint64(done)
			some[0], some[1], some[2], some[3] = x, x+1, x+2, x+3
			some[4], some[5], some[6], some[7] = x+4, x+5, x+6, x+7
		}
		for ; done < hi-lo; done++ {
			to[done] = first + uint64(done)
		}
		n += hi - lo
		next = hi
	}
	return n, at, next
}
