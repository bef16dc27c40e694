// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Iter decodes a packed block from a position on. It remembers the position in the upper bits, so
// each value costs the same. It is a value: a copy of it continues on its own. The zero value is at
// the end of an empty block.
type Iter struct {
	block []byte
	word  uint64 // the ones of word w that belong to values from i on
	w     int    // word of the upper part
	i     int    // index of the next value
	n     int
	upper int // bits of the upper part
	low   uint
}

// load returns word w of the upper part, which must begin inside it. Bits beyond the upper part are
// zero.
func (it *Iter) load(w int) (x uint64) {
	if at := 8 * w; at+8 <= len(it.block) {
		x = binary.LittleEndian.Uint64(it.block[at:])
	} else {
		x = swar.TailWord(it.block[at:])
	}
	if left := it.upper - 64*w; left < 64 {
		x &= 1<<left - 1
	}
	return x
}

// toValue moves to the word that has the upper bit of value i. It returns false at the end.
func (it *Iter) toValue() bool {
	for it.word == 0 {
		if it.i >= it.n || 64*(it.w+1) >= it.upper {
			it.end()
			return false
		}
		it.w++
		it.word = it.load(it.w)
	}
	return it.i < it.n
}

// end moves behind the last value. The index becomes N, which is their number unless the block is
// not valid.
func (it *Iter) end() {
	it.i, it.word, it.upper = it.n, 0, 0
}

// Index returns the index of the value that Next will return. It is also the number of values
// before the position.
func (it *Iter) Index() int { return it.i }

// LowWidth returns the low width of the block.
func (it *Iter) LowWidth() uint { return it.low }

// Left returns the number of values from the position on.
func (it *Iter) Left() int { return it.n - it.i }

// Peek returns the value that Next will return, and does not move. ok is false at the end.
func (it *Iter) Peek() (d uint64, ok bool) {
	if !it.toValue() {
		return 0, false
	}
	high := uint64(it.w<<6 + bits.TrailingZeros64(it.word) - it.i)
	return high<<it.low | swar.LowBits(it.block, it.lowAt(it.i), it.low), true
}

// high returns the upper part of the next value, at whose word it stands: see settle.
func (it *Iter) high() int { return it.w<<6 + bits.TrailingZeros64(it.word) - it.i }

// Next returns the next value and moves behind it. ok is false at the end.
func (it *Iter) Next() (d uint64, ok bool) {
	if d, ok = it.Peek(); ok {
		it.word &= it.word - 1
		it.i++
	}
	return d, ok
}

// lowAt returns the bit at which the lower part of value i stands.
func (it *Iter) lowAt(i int) int { return it.upper + i*int(it.low) }

// Skip moves k values on and reports whether there is a value at the new position. It counts the
// ones of the words between.
func (it *Iter) Skip(k int) bool {
	if k < 0 || k >= it.n-it.i {
		it.end()
		return false
	}
	target := it.i + k
	for {
		ones := bits.OnesCount64(it.word)
		if it.i+ones > target {
			break
		}
		it.i += ones
		it.word = 0
		if !it.toValue() {
			return false
		}
	}
	if k = target - it.i; k > 0 {
		at := swar.SelectBit(it.word, k)
		it.word &= ^uint64(0) << at
		it.i = target
	}
	return true
}

// Seek moves to the first value that is at least d and reports whether there is one. It never moves
// back. It counts the zeros of the words between; values that share their upper bits are searched
// by halving.
func (it *Iter) Seek(d uint64) bool {
	if got, ok := it.Peek(); !ok || got >= d {
		return ok
	}
	high := d >> it.low
	at := it.w<<6 + bits.TrailingZeros64(it.word)
	if high > uint64(it.upper) {
		it.end() // more zeros than there are bits
		return false
	}
	h := int(high)
	if at-it.i < h {
		// The bucket of h begins behind the zero number h, counted from 1. Skip whole words while
		// they have too few.
		x := it.load(it.w)
		ones := it.i - bits.OnesCount64(x) + bits.OnesCount64(it.word) // before word w
		if h-(at-it.i) > skipFrom {
			w, zeros := skipAhead(it.block, it.upper, it.w, it.w<<6-ones, h-1, it.upper-it.n, ^uint64(0))
			it.w, ones, x = w, w<<6-zeros, it.load(w)
		}
		need := h - (it.w<<6 - ones) // zeros, from word w on
		for whole := it.upper >> 6; ; {
			zeros := 64 - bits.OnesCount64(x)
			if need <= zeros {
				break
			}
			if 64*(it.w+1) >= it.upper {
				it.end()
				return false
			}
			need -= zeros
			if it.w++; it.w < whole {
				x = swar.Uint64(it.block, 8*it.w)
			} else {
				x = it.load(it.w)
			}
		}
		at = it.w<<6 + swar.SelectBit(^x, need-1) + 1
		if !it.moveTo(at, at-h) {
			return false
		}
		if got, ok := it.Peek(); !ok || got >= d {
			return ok
		}
		at = it.w<<6 + bits.TrailingZeros64(it.word)
		if at-it.i > h {
			return true // the bucket is empty
		}
	}
	// Value i is in the bucket of h and too small. Its neighbours in the bucket are the ones that
	// follow without a zero.
	lo, hi := it.i+1, min(it.i+it.onesFrom(at), it.n)
	low := d & (1<<it.low - 1)
	first := it.i
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if swar.LowBits(it.block, it.lowAt(mid), it.low) < low {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return it.moveTo(at+lo-first, lo) && it.toValue()
}

// moveTo moves to upper bit at, which index ones precede.
func (it *Iter) moveTo(at, index int) bool {
	if at >= it.upper || index >= it.n {
		it.end()
		return false
	}
	it.w, it.i = at>>6, index
	it.word = it.load(it.w) & (^uint64(0) << (at & 63))
	return true
}

// onesFrom returns how many ones follow each other from upper bit at on.
func (it *Iter) onesFrom(at int) int {
	n := bits.TrailingZeros64(^(it.load(at>>6) >> (at & 63)))
	if n < 64-at&63 {
		return n
	}
	n = 64 - at&63
	for w := at>>6 + 1; 64*w < it.upper; w++ {
		ones := bits.TrailingZeros64(^it.load(w))
		n += ones
		if ones < 64 {
			break
		}
	}
	return n
}
