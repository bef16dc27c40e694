// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/binary"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AppendSroar appends the set in the layout of sroar to dst and returns the longer slice: byte for
// byte what FromSortedList(values).ToBuffer() of github.com/dgraph-io/sroar and
// github.com/weaviate/sroar returns for the same values, and so nothing for the empty set. sroar
// can change the set: FromBufferWithCopy, or FromBuffer if dst is not used any more.
//
// sroar reads its bytes as words of 8: what is handed to it should begin at a multiple of 8 bytes.
// The cost is one pass over the keys and one over the values.
func AppendSroar(dst []byte, v bitmap.View) []byte {
	keys, any := uint64(1), false // sroar has a container for key 0 in every set
	c := view.View(v).Cursor(nil)
	for c.Next() {
		any = true
		if c.Key() != 0 {
			keys++
		}
	}
	c.Release()
	if !any {
		return dst
	}
	w := newSroarWriter(dst, keys)
	c = view.View(v).Cursor(nil)
	for c.Next() {
		w.block(c.Block())
	}
	c.Release()
	binary.LittleEndian.PutUint64(w.out[w.start+8:], w.keys)
	return w.out
}

// sroarWriter writes a set: the node first, then container by container.
type sroarWriter struct {
	out   []byte
	start int    // of the set in out
	keys  uint64 // in the node so far
	words bitset.Words
}

// newSroarWriter begins with a node that has room for keys and one to spare. It adds the empty
// container of key 0.
func newSroarWriter(dst []byte, keys uint64) *sroarWriter {
	w := &sroarWriter{start: len(dst), keys: 1}
	size := sroarNodeHead + (keys+1)*sroarEntry
	w.out = slices.Grow(dst, int(size+sroarFirst)*sroarWord)
	at := w.extend(int(size))
	binary.LittleEndian.PutUint64(w.out[at:], size)
	w.entry(0, 0, size)
	w.container(sroarFirst, sroarArray, 0)
	return w
}

// extend appends words that are zero and returns the place of the first.
func (w *sroarWriter) extend(words int) (at int) {
	at = len(w.out)
	w.out = slices.Grow(w.out, words*sroarWord)[:at+words*sroarWord]
	clear(w.out[at:])
	return at
}

// entry writes entry i of the node.
func (w *sroarWriter) entry(i, key, offset uint64) {
	at := w.start + int(sroarNodeHead+i*sroarEntry)*sroarWord
	binary.LittleEndian.PutUint64(w.out[at:], key<<16)
	binary.LittleEndian.PutUint64(w.out[at+8:], offset)
}

// container appends a container without values and returns the bytes of its values.
func (w *sroarWriter) container(size, kind, n int) (values []byte) {
	at := w.extend(size)
	head := w.out[at:]
	binary.LittleEndian.PutUint16(head, uint16(size))
	binary.LittleEndian.PutUint16(head[2:], uint16(kind))
	// A cardinality is the sum of two words. The second is used for a full container alone.
	binary.LittleEndian.PutUint16(head[4:], uint16(min(n, container.ChunkValues-1)))
	binary.LittleEndian.PutUint16(head[6:], uint16(n/container.ChunkValues))
	return head[sroarHead*sroarWord:]
}

// block appends the container of a block. Sizes come from the payload, whatever cardinality the
// block claims.
func (w *sroarWriter) block(b container.Block) {
	if b.IsEmpty() {
		return
	}
	offset := uint64(len(w.out)-w.start) / sroarWord
	if b.Kind == container.Array && len(b.Data) <= sroarMaxArray*sroarWord {
		n := len(b.Data) / sroarWord
		copy(w.container(sroarHead+n+sroarSpare, sroarArray, n), b.Data[:n*sroarWord])
	} else {
		words, n := w.bits(b)
		if n == 0 {
			return
		}
		if n <= sroarMaxArray {
			bitset.ToArray(w.container(sroarHead+n+sroarSpare, sroarArray, n)[:n*sroarWord], words)
		} else {
			bitset.Fold((*bitset.Words)(w.container(sroarBitset, sroarBits, n)), words)
		}
	}
	if b.Key == 0 {
		w.entry(0, 0, offset) // instead of the empty container, which stays
		return
	}
	w.entry(w.keys, b.Key, offset)
	w.keys++
}

// bits returns the block as a bitset, with the number of its ones.
func (w *sroarWriter) bits(b container.Block) (words *bitset.Words, n int) {
	switch b.Kind {
	case container.Bitset:
		return b.Words(), bitset.Len(b.Words())
	case container.Run:
		clear(w.words[:])
		return &w.words, run.Set(&w.words, b.Data)
	}
	clear(w.words[:])
	return &w.words, bitset.SetArray(&w.words, b.Data)
}
