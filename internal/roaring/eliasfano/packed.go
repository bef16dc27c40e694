// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// upper returns the number of bits of the upper part with its padding. It returns 0 if the block
// cannot hold N values.
func (p *Packed) upper() int {
	size := 8 * len(p.Block)
	if p.Low > 63 || p.N <= 0 || p.N > size || p.N*(int(p.Low)+1) > size {
		return 0
	}
	return size - p.N*int(p.Low)
}

// Iter returns an iterator that stands before the first value.
func (p Packed) Iter() (it Iter) {
	it.Reset(&p)
	return it
}

// Reset makes it an iterator of p before the first value: what is read at once is written where it
// stays, word by word, and not copied, which would wait for its words.
func (it *Iter) Reset(p *Packed) {
	it.block, it.word, it.w, it.i, it.n, it.upper, it.low = p.Block, 0, 0, 0, 0, 0, 0
	if upper := p.upper(); upper > 0 {
		it.n, it.upper, it.low = p.N, upper, p.Low
		it.word = it.load(0)
	}
}

// Next returns the first value that is at least d, and its index. ok is false if there is none; of
// a block that is not valid, too, if what stands there is less.
func (p Packed) Next(d uint64) (i int, value uint64, ok bool) {
	var it Iter
	it.Reset(&p)
	it.Seek(d)
	value, ok = it.Peek()
	return it.i, value, ok && value >= d
}

// Last returns the last value. ok is false if there is none. It costs the same for any N: the last
// one of the upper part stands in its last byte or, beside the padding, in the last but one.
func (p *Packed) Last() (d uint64, ok bool) {
	upper := p.upper()
	for w := (upper - 1) >> 6; upper > 0 && w >= 0; w-- {
		x := upperWord(p.Block, w, upper)
		if x == 0 {
			continue
		}
		at := w<<6 + bits.Len64(x) - 1
		if at < p.N-1 {
			return 0, false // too few ones for N values: the block is not valid
		}
		return uint64(at-p.N+1)<<p.Low | swar.LowBits(p.Block, upper+(p.N-1)*int(p.Low), p.Low), true
	}
	return 0, false
}
