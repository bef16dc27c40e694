// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// maxRange is the largest number of values of a range that [Bitmap.AddRange] and [Bitmap.Flip]
// take. Such a range may become 2^28 containers, which take 6 GB.
const maxRange = 1 << 44

// smallRange is the number of values of a chunk up to which a bitset is changed in place. Only
// beyond it are runs considered.
const smallRange = 4096

// AddRange puts first, last and all values between them into the set, and returns how many were not
// there. If last is less than first, there are none. Both ends belong to the range, so that it can
// reach the largest value, 2^64 − 1.
//
// Whole chunks of 65 536 values become one run each, in 24 bytes. At most two other chunks are
// changed. So the range 0 to 2^32 − 1 costs 1.5 MB, and 0 to 2^40 − 1 costs 400 MB. AddRange panics
// if the range has more than [maxRange] values.
func (b *Bitmap) AddRange(first, last uint64) uint64 {
	checkRange("AddRange", first, last)
	return uint64(rangeOp(b, container.Or, first, last))
}

// RemoveRange takes first, last and all values between them out of the set, and returns how many
// were there. If last is less than first, there are none. Containers inside the range are dropped
// without a look at their values; the range may have any number of values.
func (b *Bitmap) RemoveRange(first, last uint64) uint64 {
	if b.IsEmpty() {
		return 0
	}
	return uint64(-rangeOp(b, container.AndNot, first, last))
}

// Flip removes the values from first to last that are in the set, and adds the others. Both ends
// belong to the range. If last is less than first, it is empty. Flip costs what [Bitmap.AddRange]
// costs, and reads each container in the range. It panics if the range has more than [maxRange]
// values.
func (b *Bitmap) Flip(first, last uint64) {
	checkRange("Flip", first, last)
	rangeOp(b, container.Xor, first, last)
}

// checkRange panics if a range is too large to be filled.
func checkRange(call string, first, last uint64) {
	if last >= first && last-first >= maxRange {
		panic(fmt.Sprintf("bitmap: %s: got the range %d to %d, want at most %d values", call, first, last,
			uint64(maxRange)))
	}
}

// rangeOp combines the set with a range and returns by how many values it grew.
func rangeOp(b *Bitmap, op container.Op, first, last uint64) int64 {
	if last < first {
		return 0
	}
	if !b.writable {
		makeWritable(b)
	}
	b.edits++
	from, to := b.search(first>>16), b.search(last>>16)+1
	if from < 0 || from < to && b.kindAt(from) != container.Packed && b.keyAt(from) < first>>16 {
		from++
	}
	to = max(from, to)
	a := ranging{rewriting: startRewrite(b, from, to), op: op, first: first, last: last, next: first >> 16}
	for i := from; i < to; i++ {
		a.container(i)
	}
	a.fill(last>>16 + 1)
	return a.close()
}

// ranging is a rewriting that combines containers with a range.
type ranging struct {
	*rewriting
	op          container.Op
	first, last uint64
	next        uint64 // the first chunk of the range that has not been combined
}

// clip returns the part of the range in a chunk that it reaches, as [lo, hi).
func (a *ranging) clip(key uint64) (lo, hi int) {
	hi = container.ChunkValues
	if key == a.first>>16 {
		lo = int(a.first & 0xFFFF)
	}
	if key == a.last>>16 {
		hi = int(a.last&0xFFFF) + 1
	}
	return lo, hi
}

// part returns the part of the range in a chunk that it reaches, as a block.
func (a *ranging) part(key uint64) container.Block {
	lo, hi := a.clip(key)
	setRun(a.span[:], 0, lo, hi)
	return container.RunBlock(key, a.span[:], hi-lo)
}

// fill combines the chunks before key, which no container has, with the range.
func (a *ranging) fill(key uint64) {
	if a.op == container.AndNot {
		return
	}
	for ; a.next < key; a.next++ {
		block := a.part(a.next)
		if block.Len() <= packedToArray {
			a.block(-1, block)
			continue
		}
		a.flush()
		a.put(a.next, container.Run, block.Len(), block.Data)
	}
}

// container combines container i with the range. Its last value lies in or behind the first chunk
// of the range, or it is packed.
func (a *ranging) container(i int) {
	e := a.b.entryAt(i)
	if e.Kind == container.Packed {
		a.packed(i, &e)
		return
	}
	a.fill(e.Key)
	a.next = e.Key + 1
	lo, hi := a.clip(e.Key)
	switch {
	case hi-lo == container.ChunkValues && a.op == container.AndNot:
		a.drop(i)
		return
	case hi-lo == container.ChunkValues && a.op == container.Or:
		a.drop(i)
		a.flush()
		a.put(e.Key, container.Run, container.ChunkValues, a.part(e.Key).Data)
		return
	}
	a.flush()
	e = a.b.entryAt(i)
	if e.Kind == container.Bitset && hi-lo <= smallRange {
		n, words := e.N, (*bitset.Words)(e.Data)
		switch a.op {
		case container.Or:
			n += bitset.SetRange(words, lo, hi)
		case container.AndNot:
			n -= bitset.ClearRange(words, lo, hi)
		default:
			n += bitset.FlipRange(words, lo, hi)
		}
		a.bitset(i, n)
		return
	}
	a.block(i, a.combine(a.b.blockAt(i)))
}

// combine combines a block with the range.
func (a *ranging) combine(block container.Block) container.Block {
	return a.scratch.Combine(a.op, block, a.part(block.Key))
}

// packed combines a packed container with the range.
func (a *ranging) packed(i int, e *view.Entry) {
	last := e.Last()
	last += e.Key << 16
	if a.op != container.Xor && e.Key<<16 >= a.first && last <= a.last {
		a.drop(i)
		return
	}
	if last>>16 < a.first>>16 {
		a.leave(i)
		return
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.decode(e)
	a.drop(i)
	for values := w.values; len(values) > 0; {
		key := values[0] >> 16
		n := before(values, key+1)
		group := values[:n]
		values = values[n:]
		if key < a.first>>16 {
			a.chunk(group)
			continue
		}
		if key > a.last>>16 {
			a.fill(a.last>>16 + 1)
			a.chunk(group)
			continue
		}
		a.fill(key)
		a.next = key + 1
		a.block(-1, a.combine(a.blockOf(group)))
	}
}
