// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Masked returns the set of x & mask for each value x: values that differ only in bits outside the
// mask become one. IDs that carry a shard, a tenant or a position in some of their bits are brought
// together so.
//
// Blocks are copied if the mask keeps the low 16 bits, and combined as by [OrAll] where several
// fall into one chunk. Otherwise each value is moved. Beside the result, it needs memory for a
// small multiple of the set. The result is laid out as that of [OrAll].
func Masked(v view.View, mask uint64) *mutable.Bitmap {
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	s := view.Scratches.Get().(*container.Scratch)
	defer view.Scratches.Put(s)
	// What ascends after masking is one part. A mask that keeps the low bits of keys makes few.
	var parts ladder
	var last uint64
	var lows []uint16
	c := v.Cursor(nil)
	defer c.Release()
	for c.Next() {
		block := c.Block()
		if uint16(mask) != 1<<16-1 {
			lows = block.AppendLow(lows[:0])
			block = maskedBlock(s, block.Key, lows, uint16(mask))
		}
		key := c.Key() & (mask >> 16)
		if key <= last && m.Len() > 0 {
			parts.add(0, mutable.NewBitmap(m, pack.AsTheyAre).View())
			m.Reset()
		}
		m.AppendBlock(container.WithKey(block, key))
		last = key
	}
	if len(parts) == 0 {
		return mutable.NewBitmap(m, pack.AsTheyAre)
	}
	parts.add(0, mutable.NewBitmap(m, pack.AsTheyAre).View())
	return OrAll(slices.Concat(parts...)...)
}

// ladder holds the parts of a union that come one by one. Each step has fewer than stepParts of
// them, so that many parts take no more memory than their union and a few hundred parts.
type ladder [][]view.View

const stepParts = 64

// add puts a part on a step. A full step becomes one part of the next.
func (l *ladder) add(step int, part view.View) {
	if step == len(*l) {
		*l = append(*l, nil)
	}
	parts := append((*l)[step], part)
	if len(parts) == stepParts {
		l.add(step+1, OrAll(parts...).View())
		clear(parts)
		parts = parts[:0]
	}
	(*l)[step] = parts
}

// maskedBlock returns the block of low & mask for each of the given lows.
func maskedBlock(s *container.Scratch, key uint64, lows []uint16, mask uint16) container.Block {
	words, n := &s.Buf[0], 0
	clear(words[:])
	for _, low := range lows {
		low &= mask
		n += int(^words[low>>3] >> (low & 7) & 1)
		words[low>>3] |= 1 << (low & 7)
	}
	return container.OfWords(key, words, n, &s.Buf[1])
}
