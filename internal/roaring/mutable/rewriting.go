// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// rewriting replaces neighbouring containers of a writable Bitmap in one pass: each is kept,
// dropped or replaced, in ascending order, and new ones are put between them. The directory is
// written once, when it closes; payloads are written at once.
//
// Values of thin chunks are gathered to packed containers on the way, as many as pay for each other
// and at most maxLoosePacked.
type rewriting struct {
	b        *Bitmap
	from, to int    // containers that are replaced
	entries  []byte // of the containers that replace them
	grown    int64  // values more than before

	gathered []uint64 // a packed container that is not yet put
	size     int      // its bytes
	merged   []uint64
	sorted   []uint64
	one      pack.Builder // chooses the kind of one chunk

	operand bitset.Words
	span    [4]byte
	scratch container.Scratch
}

var rewritings = sync.Pool{New: func() any { return new(rewriting) }}

const keepValues = 1 << 16 // values, or entries, whose memory a rewriting keeps for the next

// startRewrite begins to replace containers [from, to). A small packed container before them, which
// new values may join, is taken along.
func startRewrite(b *Bitmap, from, to int) *rewriting {
	r := rewritings.Get().(*rewriting)
	r.b, r.from, r.to, r.grown = b, from, to, 0
	b.rewritten = true
	r.entries, r.gathered = r.entries[:0], r.gathered[:0]
	if from > 0 && b.kindAt(from-1) == container.Packed && b.cardAt(from-1) < joinPackedBelow {
		r.from--
		r.load(r.from)
	}
	return r
}

// close writes the directory and returns how many values there are more than before.
func (r *rewriting) close() int64 {
	b := r.b
	for r.to < b.count && len(r.gathered) > 0 && r.joins(r.to) {
		r.load(r.to)
		r.to++
	}
	r.flush()
	count := b.count - (r.to - r.from) + len(r.entries)/view.EntryBytes
	if uint64(count) > directoryRoom(b) {
		growDirectory(b, uint64(count))
	}
	directory := b.body()[b.at:]
	at := r.from * view.EntryBytes
	tail := directory[r.to*view.EntryBytes : b.count*view.EntryBytes]
	if len(r.entries) != (r.to-r.from)*view.EntryBytes {
		b.moved += uint64(copy(directory[at+len(r.entries):], tail))
	}
	b.moved += uint64(copy(directory[at:], r.entries))
	setCount(b, count)
	b.rewritten = false
	compact(b)
	grown := r.grown
	r.b = nil
	if cap(r.entries) > keepValues*view.EntryBytes {
		r.entries = nil
	}
	if cap(r.sorted) > keepValues {
		r.sorted = nil
	}
	rewritings.Put(r) // from here on it is another's
	return grown
}

// joins reports whether the gathered values and those of container i are few enough to be gathered
// together.
func (r *rewriting) joins(i int) bool {
	if r.b.kindAt(i) != container.Packed {
		return false
	}
	n := r.b.cardAt(i)
	return n < joinPackedBelow || len(r.gathered) < joinPackedBelow && len(r.gathered)+n <= maxLoosePacked/2
}

// leave leaves container i as it is, unless it is packed and joins others.
func (r *rewriting) leave(i int) {
	if kind := r.b.kindAt(i); kind == container.Packed && (r.b.cardAt(i) < joinPackedBelow || len(r.gathered) > 0 &&
		r.joins(i)) {
		r.load(i)
		return
	}
	r.flush()
	r.entries = append(r.entries, entryBytesAt(r.b, i)...)
}

// load gathers the values of the packed container i.
func (r *rewriting) load(i int) {
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	e := r.b.entryAt(i)
	w.decode(&e)
	r.drop(i)
	r.values(w.values)
}

// drop takes container i away. Its payload may be overwritten from now on.
func (r *rewriting) drop(i int) {
	off, size := payloadAt(r.b, i)
	r.grown -= int64(r.b.cardAt(i))
	vacate(r.b, off, view.RoomFor(uint64(size)))
}

// put adds a container whose payload lies outside the body.
func (r *rewriting) put(key uint64, kind uint8, n int, payload []byte) {
	b := r.b
	off := occupy(b, view.RoomFor(uint64(len(payload))))
	b.moved += uint64(copy(b.body()[off:], payload))
	r.entries = binary.LittleEndian.AppendUint64(r.entries, key<<16|uint64(n-1))
	r.entries = binary.LittleEndian.AppendUint64(r.entries, off<<16|uint64(kind)<<14|uint64(len(payload)-1))
	r.grown += int64(n)
}

// flush puts the gathered values as a packed container.
func (r *rewriting) flush() {
	if len(r.gathered) == 0 {
		return
	}
	w := borrowEncodeBuf()
	defer encodeBufs.Put(w)
	m := w.encode(r.gathered)
	r.put(m.key, m.kind, m.n, m.payload)
	r.gathered = r.gathered[:0]
}

// values adds ascending values, whose chunks no other container has, chunk by chunk.
func (r *rewriting) values(values []uint64) {
	for len(values) > 0 {
		key, n := values[0]>>16, 1
		for n < len(values) && values[n]>>16 == key {
			n++
		}
		r.chunk(values[:n])
		values = values[n:]
	}
}

// chunk adds the values of one chunk: to those gathered, if they are few and fit together, else as
// a container.
func (r *rewriting) chunk(values []uint64) {
	n := len(values)
	first, last := values[0], values[n-1]
	if n > packedToArray || n >= valuesOfRun && last-first == uint64(n-1) {
		r.flush()
		r.one.Reset()
		r.one.AppendSorted(values)
		r.one.Finish()
		r.putOne()
		return
	}
	alone, _ := eliasfano.Size(n, last&0xFFFF, view.MaxLowWidth)
	if k := len(r.gathered); k > 0 && k+n <= maxLoosePacked {
		size, _ := eliasfano.Size(k+n, last-r.gathered[0]&^0xFFFF, view.MaxLowWidth)
		if size <= r.size+alone+view.EntryBytes+int(view.RoomFor(1)) {
			r.gathered, r.size = append(r.gathered, values...), size
			return
		}
	}
	r.flush()
	r.gathered, r.size = append(r.gathered, values...), alone
}

// valuesOfRun is the number of values in a run from which runs take less than a packed container.
const valuesOfRun = 16

// putOne puts the chunk that was built last.
func (r *rewriting) putOne() {
	c := &r.one.Chunks[0]
	r.put(c.Key, c.Kind, int(c.N), r.one.Data[c.At:c.At+int(c.Size)])
}

// block puts a block in the place of container i, or where no container is if i is negative. The
// block need not be valid. It does not live in the body, or is what became of container i.
func (r *rewriting) block(i int, block container.Block) {
	r.one.Reset()
	r.one.AppendBlock(block)
	if i >= 0 {
		r.drop(i)
	}
	if len(r.one.Chunks) == 0 {
		return
	}
	c := &r.one.Chunks[0]
	if n := int(c.N); n <= packedToArray && !(c.Kind == container.Run && n*4 >= valuesOfRun*int(c.Size)) {
		w := borrowEncodeBuf()
		defer encodeBufs.Put(w)
		valid := container.Block{Key: c.Key, Data: r.one.Data[c.At : c.At+int(c.Size)], N: c.N, Kind: c.Kind}
		r.chunk(valid.AppendTo(w.values))
		return
	}
	r.flush()
	r.putOne()
}

// shapeEvery is how many values more a bitset has between two looks at whether it has become few
// runs: a look costs a microsecond, 8 ns a value.
const shapeEvery = 128

// bitset records that container i, a bitset that was changed where it lies, has n values now.
func (r *rewriting) bitset(i, n int) {
	e, old := r.b.entryAt(i), r.b.cardAt(i)
	rewrite := n <= bitsetToArray
	if n/shapeEvery > old/shapeEvery {
		_, runs := bitset.Shape((*bitset.Words)(e.Data))
		rewrite = 4*runs <= container.MaxPayload/runsBelow
	}
	if rewrite {
		copy(r.operand[:], e.Data)
		r.block(i, container.BitsetBlock(e.Key, &r.operand, n))
		return
	}
	off, size := payloadAt(r.b, i)
	r.grown += int64(n - old)
	record(r.b, i, e.Key, container.Bitset, n, off, size)
	r.leave(i)
}

// blockOf returns ascending values of one chunk as a block in the operand of r.
func (r *rewriting) blockOf(values []uint64) container.Block {
	key := values[0] >> 16
	if n := len(values); n > container.MaxArray {
		clear(r.operand[:])
		for _, x := range values {
			r.operand[x&0xFFFF>>3] |= 1 << (x & 7)
		}
		return container.BitsetBlock(key, &r.operand, n)
	}
	for i, x := range values {
		binary.LittleEndian.PutUint16(r.operand[2*i:], uint16(x))
	}
	return container.ArrayBlock(key, r.operand[:2*len(values)])
}

// ascend returns values in strictly ascending order: themselves, or a copy.
func (r *rewriting) ascend(values []uint64) []uint64 {
	if Ascends(values) {
		return values
	}
	r.sorted = append(r.sorted[:0], values...)
	if !slices.IsSorted(r.sorted) {
		slices.Sort(r.sorted)
	}
	return slices.Compact(r.sorted)
}

// Ascends reports whether each value is larger than the one before.
func Ascends(values []uint64) bool {
	for i := 1; i < len(values); i++ {
		if values[i] <= values[i-1] {
			return false
		}
	}
	return true
}
