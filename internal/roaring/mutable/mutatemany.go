// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	manyValues = 8 // fewer values are added or removed one by one
	// and so are fewer than this for each container that a rewriting would pass: it writes most of
	// those anew that it changes
	manyTogether = 8
	// how many times the bytes that a rewriting would pass may be moved in the directory instead,
	// which takes far less time for each
	manyShifts    = 32
	sortedAtATime = 1 << 20 // values that are copied and sorted at a time
)

// AddMany puts values into the set, and returns how many were not there. The values may come in any
// order and repeat.
//
// Each container is changed once for all of its values. Values that do not ascend are sorted, in
// copies of at most 2^20 values; sorting is most of the cost. Values that are few for the
// containers in their range are added one by one, unless many of them make containers: they cost
// what [Bitmap.Add] costs. See there for the cost of the first change.
func (b *Bitmap) AddMany(values ...uint64) int { return many(b, values, true) }

// RemoveMany takes values out of the set, and returns how many were there. The values may come in
// any order and repeat. It costs what [Bitmap.AddMany] costs.
func (b *Bitmap) RemoveMany(values ...uint64) int { return many(b, values, false) }

func many(b *Bitmap, values []uint64, add bool) (n int) {
	if len(values) < manyValues {
		return oneByOne(b, values, add)
	}
	if !add && b.IsEmpty() {
		return 0
	}
	if !b.writable {
		makeWritable(b)
	}
	b.edits++
	if Ascends(values) {
		return manySorted(b, values, add)
	}
	for part := range slices.Chunk(values, sortedAtATime) {
		n += manySorted(b, part, add)
	}
	return n
}

// oneByOne adds or removes values one by one and returns how many it changed.
func oneByOne(b *Bitmap, values []uint64, add bool) (n int) {
	for _, x := range values {
		if add && b.Add(x) || !add && b.Remove(x) {
			n++
		}
	}
	return n
}

// manySorted adds or removes values, which it sorts if they do not ascend.
func manySorted(b *Bitmap, values []uint64, add bool) int {
	from, to := reach(b, values)
	n := 0
	if len(values) < manyTogether*(to-from) {
		if n, values = sparsely(b, values, add, manyShifts*len(b.body())/b.count*(to-from)); len(values) == 0 {
			return n
		}
		from, to = reach(b, values)
	}
	r := startRewrite(b, from, to)
	r.many(r.ascend(values), from, add)
	grown := r.close()
	if !add {
		grown = -grown
	}
	return n + int(grown)
}

// reach returns the containers [from, to) that a rewriting for values would pass.
func reach(b *Bitmap, values []uint64) (from, to int) {
	least, most := values[0], values[0]
	for _, x := range values {
		least, most = min(least, x), max(most, x)
	}
	from = max(b.search(least>>16), 0)
	return from, max(from, b.search(most>>16)+1)
}

// sparsely adds or removes values one by one, until that has moved about most bytes of the
// directory. It returns how many values it changed, and the values left.
func sparsely(b *Bitmap, values []uint64, add bool, most int) (n int, left []uint64) {
	for i := range values {
		count := b.count
		n += oneByOne(b, values[i:i+1], add)
		if b.count == count {
			continue
		}
		if most -= count * view.EntryBytes / 2; most < 0 {
			return n, values[i+1:]
		}
	}
	return n, nil
}

// many adds or removes strictly ascending values. i is the first of the containers that are
// replaced. All values lie before the container after these.
func (r *rewriting) many(values []uint64, i int, add bool) {
	b := r.b
	for to := r.to; i < to; i++ {
		n := before(values, b.keyAt(i))
		if n > 0 && add {
			r.values(values[:n])
		}
		values = values[n:]
		n = len(values)
		if i+1 < to {
			n = before(values, b.keyAt(i+1))
		}
		group := values[:n]
		values = values[n:]
		if n == 0 {
			r.leave(i)
			continue
		}
		if b.kindAt(i) == container.Packed {
			r.manyPacked(i, group, add)
			continue
		}
		in := before(group, b.keyAt(i)+1)
		r.manyChunk(i, group[:in], add)
		if add {
			r.values(group[in:])
		}
	}
	if add {
		r.values(values)
	}
}

// before returns the number of values, which ascend, that lie before a chunk. It gallops: it is
// called for one chunk after another.
func before(values []uint64, key uint64) int {
	if key > container.MaxKey {
		return len(values)
	}
	limit, lo, step := key<<16, 0, 1
	i := 0
	for i < len(values) && values[i] < limit {
		lo = i + 1
		i += step
		step *= 2
	}
	n, _ := slices.BinarySearch(values[lo:min(i, len(values))], limit)
	return lo + n
}

// manyPacked adds or removes values of the packed container i, or, if added, of the chunks behind
// it.
func (r *rewriting) manyPacked(i int, group []uint64, add bool) {
	e := r.b.entryAt(i)
	last := e.Last()
	last += e.Key << 16
	switch {
	case add && group[0]>>16 > last>>16 && e.N >= maxLoosePacked:
		r.leave(i)
		r.values(group)
		return
	case add && len(group) == 1 && e.N < maxLoosePacked && group[0]>>16 <= last>>16:
		if _, found := e.Packed().Find(group[0] - e.Key<<16); !found {
			insertPacked(r.b, i, &e, group[0])
			r.grown++
		}
		r.leave(i)
		return
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	w.decode(&e)
	if add {
		r.merged = union(r.merged[:0], w.values, group)
	} else {
		r.merged = difference(r.merged[:0], w.values, group)
	}
	if len(r.merged) == e.N {
		r.leave(i)
		return
	}
	if n := len(r.merged); n >= joinPackedBelow && n <= 2*maxLoosePacked && r.merged[n-1]>>16 <= last>>16 {
		// The container stays, or becomes two halves: cheaper than to choose anew, chunk by chunk.
		r.flush()
		cut := n
		if n > maxLoosePacked {
			cut = middle(r.merged)
		}
		r.grown += int64(cut - e.N)
		replaceBy(r.b, i, w.encode(r.merged[:cut]))
		r.entries = append(r.entries, entryBytesAt(r.b, i)...)
		if cut < n {
			m := w.encode(r.merged[cut:])
			r.put(m.key, m.kind, m.n, m.payload)
		}
		return
	}
	r.drop(i)
	r.values(r.merged)
}

// manyChunk adds or removes values of the chunk that container i has.
func (r *rewriting) manyChunk(i int, group []uint64, add bool) {
	if len(group) == 0 {
		r.leave(i)
		return
	}
	r.flush()
	e := r.b.entryAt(i)
	if e.Kind == container.Bitset {
		n, words := e.N, (*bitset.Words)(e.Data)
		for _, x := range group {
			at, old := x&0xFFFF>>3, words[x&0xFFFF>>3]
			bit := old >> (x & 7) & 1
			if add {
				words[at] = old | 1<<(x&7)
				n += int(1 - bit)
			} else {
				words[at] = old &^ (1 << (x & 7))
				n -= int(bit)
			}
		}
		r.bitset(i, n)
		return
	}
	old := r.b.blockAt(i)
	var block container.Block
	if add {
		block = r.scratch.Or(old, r.blockOf(group))
	} else {
		block = r.scratch.AndNot(old, r.blockOf(group))
	}
	if block.Len() == old.Len() {
		r.leave(i)
		return
	}
	r.block(i, block)
}

// union appends the values of a and b, which ascend strictly.
func union(dst, a, b []uint64) []uint64 {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		dst = append(dst, min(x, y))
		if x <= y {
			a = a[1:]
		}
		if y <= x {
			b = b[1:]
		}
	}
	return append(append(dst, a...), b...)
}

// difference appends the values of a that b has not.
func difference(dst, a, b []uint64) []uint64 {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		if x < y {
			dst = append(dst, x)
		}
		if x <= y {
			a = a[1:]
		}
		if y <= x {
			b = b[1:]
		}
	}
	return append(dst, a...)
}
