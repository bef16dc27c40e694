// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// FromWords returns the set of base + 64·i + b for each one bit b of words[i]. Bit 0 is the lowest.
// base may be any number; values beyond the range of uint64 are dropped. The set is packed as
// [Fastest]. The cost is one pass over the words, and the set. Besides the set it allocates nothing
// once the package's memory is warm.
func FromWords(base uint64, words []uint64) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	s := view.Scratches.Get().(*container.Scratch)
	defer view.Scratches.Put(s)
	chunk := &s.Buf[0]
	clear(chunk[:])
	left := base & 63
	p := base >> 6 // word of the set; the last is 2^58 - 1
	carry, ones := uint64(0), uint64(0)
	put := func(x uint64) {
		at := p & 1023
		binary.LittleEndian.PutUint64(chunk[8*at:], x)
		if ones |= x; at == 1023 {
			m.AppendDense(p>>10, chunk, ones)
			ones = 0
			clear(chunk[:])
		}
		p++
	}
	for _, x := range words {
		if p == 1<<58 {
			break
		}
		put(x<<left | carry)
		carry = x >> (64 - left) // a shift by 64 gives 0
	}
	if carry != 0 && p < 1<<58 {
		put(carry)
	}
	m.AppendDense(p>>10, chunk, ones)
	return mutable.NewBitmap(m, pack.Fastest)
}

// Words writes the part of the set from base on as words: bit b of dst[i] is one if base + 64·i + b
// is in the set, else zero. It is the counterpart of [FromWords]; base need not be a multiple of
// anything, and bits beyond the range of uint64 are zeros. It costs clearing dst, and the blocks in
// that range; it allocates nothing.
func Words(v view.View, base uint64, dst []uint64) {
	clear(dst)
	if len(dst) == 0 {
		return
	}
	// The largest value that counts.
	last := base + uint64(len(dst))<<6 - 1
	if last < base || uint64(len(dst)) >= 1<<58 {
		last = ^uint64(0)
	}
	c := v.Cursor(nil)
	defer c.Release()
	for more := c.Seek(base >> 16); more && c.Pos <= last>>16; more = c.Next() {
		orWords(c.Block(), base, last, dst)
	}
}

// orWords sets the bits of the block's values from base to last.
func orWords(b container.Block, base, last uint64, dst []uint64) {
	first := b.Key << 16
	// Places in the chunk that count: [from, to).
	from, to := 0, container.ChunkValues
	if base > first {
		from = int(base - first)
	}
	if last-first < container.ChunkValues {
		to = int(last-first) + 1
	}
	switch {
	case b.N == 0:
	case b.Kind == container.Bitset:
		for w := from >> 6; w < (to+63)>>6; w++ {
			x := binary.LittleEndian.Uint64(b.Data[8*w:])
			// Cut off what lies before from and from to on.
			if at := w << 6; at < from {
				x = x >> (from - at) << (from - at)
			}
			if end := w<<6 + 64; end > to {
				x = x << (end - to) >> (end - to)
			}
			if x == 0 {
				continue
			}
			orWord(dst, int64(first-base)+int64(w)<<6, x)
		}
	case b.Kind == container.Run:
		next := from
		for i := range len(b.Data) / 4 {
			lo, hi := run.From(b.Data, i, next)
			if next = max(next, hi); lo < min(hi, to) {
				setBits(dst, first-base+uint64(lo), first-base+uint64(min(hi, to)))
			}
		}
	default:
		for i := range len(b.Data) / 2 {
			if low := int(array.Low(b.Data, i)); low >= from && low < to {
				d := first - base + uint64(low)
				dst[d>>6] |= 1 << (d & 63)
			}
		}
	}
}

// orWord sets the ones of x, whose bit 0 stands at bit at. They must lie within dst.
func orWord(dst []uint64, at int64, x uint64) {
	if at < 0 {
		dst[0] |= x >> -at
		return
	}
	i, left := at>>6, at&63
	dst[i] |= x << left
	if high := x >> (64 - left); high != 0 {
		dst[i+1] |= high
	}
}

// setBits sets the bits [from, to), from < to.
func setBits(dst []uint64, from, to uint64) {
	i, j := from>>6, (to-1)>>6
	head, tail := ^uint64(0)<<(from&63), ^uint64(0)>>(-to&63)
	if i == j {
		dst[i] |= head & tail
		return
	}
	dst[i] |= head
	for k := i + 1; k < j; k++ {
		dst[k] = ^uint64(0)
	}
	dst[j] |= tail
}
