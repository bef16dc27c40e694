// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values writes base plus the place of each one, and returns their number. It stops when dst is
// full. It may change the rest of dst.
func Values(dst []uint64, a *Words, base uint64) (n int) {
	n, _ = ValuesFrom(dst, a, 0, base)
	return n
}

// ValuesFrom writes base plus the place of each one at or after from, 0 ≤ from ≤ 65 536. It stops
// when dst is full. It returns their number and the place to go on from. It may change the rest of
// dst.
func ValuesFrom(dst []uint64, a *Words, from int, base uint64) (n, next int) {
	if from >= 1<<16 {
		return 0, 1 << 16
	}
	at := from >> 6 << 3
	w := swar.Load(a, at) >> (from & 63) << (from & 63)
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
		w = swar.Load(a, at)
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
		w = swar.Load(a, at)
	}
}

// WordsValues is ValuesFrom of whole words: from is a multiple of 64, and it stops
// where less than 64 values have room, which makes no word be read in part. dst has room for 64 at
// least.
func WordsValues(dst []uint64, a *Words, from int, base uint64) (n, next int) {
	if from >= 1<<16 {
		return 0, 1 << 16
	}
	n, read := wordsValues(dst, a[from>>3:], base+uint64(from))
	return n, from + read<<3
}

// wordsValuesGeneric writes base plus the place of each one of words. It stops where less than 64
// values have room. It returns the number of values, and the number of bytes of the words it has
// read. It may write anything behind the values.
func wordsValuesGeneric(dst []uint64, words []byte, base uint64) (n, read int) {
	for ; read+8 <= len(words) && len(dst)-n >= 64; read += 8 {
		n += wordValues((*[64]uint64)(dst[n:]), swar.Uint64(words, read), base+uint64(read*8))
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
