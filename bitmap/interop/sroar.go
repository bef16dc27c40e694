// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// The layout of sroar, in 16-bit words: a node of container keys and offsets, then the containers.
// docs/interchange.md describes it.
const (
	sroarWord     = 2                // bytes
	sroarNodeHead = 8                // words of the node before its first entry: its size and the number of keys
	sroarEntry    = 8                // words of an entry: a key and an offset
	sroarHead     = 4                // words of a container before its values
	sroarBitset   = sroarHead + 4096 // words of a bitset container
	sroarArray    = 0                // container types
	sroarBits     = 1
	sroarMaxArray = 2048      // values of an array, as sroar lays out a list of values
	sroarSpare    = 4         // words of an array after its values, into which sroar can add without moving
	sroarFirst    = 64        // words of the empty container that every set begins with
	sroarUnsized  = sroarHead // the size that dgraph's AndNot gives to arrays with values
)

// FromSroar returns the set whose bytes sroar wrote: b is what ToBuffer of
// github.com/dgraph-io/sroar or github.com/weaviate/sroar returns, in which both agree. No bytes
// are the empty set, as sroar has it. The set is packed as [bitmap.Fastest] and keeps nothing of b.
//
// Everything is checked: bytes that sroar would not have written are a [*bitmap.FormatError] that
// wraps ErrTruncated or ErrCorrupt. The cost is one pass over the containers; memory is a small
// multiple of len(b), whatever the bytes claim.
func FromSroar(b []byte) (*bitmap.Bitmap, error) {
	builder := pack.BorrowBuilder()
	defer builder.Release()
	if len(b) > 0 {
		r := sroarReader{b: b}
		err := r.node()
		if err == nil {
			err = r.containers(builder)
		}
		if err != nil {
			return nil, advise(err, b, "FromSroar")
		}
	}
	return (*bitmap.Bitmap)(mutable.NewBitmap(builder, pack.Fastest)), nil
}

// sroarReader reads the bytes of a set. Offsets and sizes are in words.
type sroarReader struct {
	b     []byte
	size  uint64 // of b
	keys  uint64
	left  uint64 // words that the containers still to come may take
	words bitset.Words
}

// word returns word i, which must be inside.
func (r *sroarReader) word(i uint64) uint16 {
	return binary.LittleEndian.Uint16(r.b[i*sroarWord:])
}

// long returns the 64-bit integer at word i, which must be inside.
func (r *sroarReader) long(i uint64) uint64 {
	return binary.LittleEndian.Uint64(r.b[i*sroarWord:])
}

func sroarCorrupt(what string, got uint64, want string, word uint64) error {
	return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "sroar: " + what, Got: got, Want: want,
		Offset: word * sroarWord}
}

func sroarTruncated(what string, got uint64, word uint64) error {
	return &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "sroar: " + what, Got: got,
		Want:   "no more than the bytes given hold",
		Offset: word * sroarWord}
}

// node reads the head of the node.
func (r *sroarReader) node() error {
	if len(r.b)%sroarWord != 0 {
		return sroarCorrupt("number of bytes", uint64(len(r.b)), "an even number", 0)
	}
	r.size = uint64(len(r.b) / sroarWord)
	if r.size < sroarNodeHead {
		return &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "sroar: bytes", Got: uint64(len(r.b)),
			Want: "at least 16"}
	}
	size := r.long(0)
	if size > r.size {
		return sroarTruncated("words of the node", size, 0)
	}
	if size < sroarNodeHead {
		return sroarCorrupt("words of the node", size, "at least 8", 0)
	}
	if r.keys = r.long(4); r.keys > (size-sroarNodeHead)/sroarEntry {
		return sroarCorrupt("container keys", r.keys, "as many as the node has room for", 4)
	}
	r.left = r.size - sroarNodeHead - r.keys*sroarEntry // dgraph's Reset forgets to write a smaller size of the node
	return nil
}

// containers adds all containers to the builder.
func (r *sroarReader) containers(dst *pack.Builder) error {
	before := uint64(0)
	for i := range r.keys {
		at := sroarNodeHead + i*sroarEntry
		key := r.long(at)
		if key&(container.ChunkValues-1) != 0 {
			return sroarCorrupt("container key", key, "a multiple of 65536", at)
		}
		if i > 0 && key <= before {
			return sroarCorrupt("container key", key, "more than the key before it", at)
		}
		before = key
		if err := r.container(dst, key>>16, r.long(at+4), at+4); err != nil {
			return err
		}
	}
	return nil
}

// container adds the container at an offset, which stands at a word of the node.
func (r *sroarReader) container(dst *pack.Builder, key, at, stands uint64) error {
	if r.size < sroarHead || at > r.size-sroarHead {
		return sroarTruncated("offset of a container", at, stands)
	}
	size, n := uint64(r.word(at)), uint64(r.word(at+2))+uint64(r.word(at+3))
	if size < sroarHead {
		return sroarCorrupt("words of a container", size, "at least 4", at)
	}
	kind := r.word(at + 1)
	if kind == sroarArray && size == sroarUnsized {
		size += n
	}
	if size > r.size-at {
		return sroarTruncated("words of a container", size, at)
	}
	// Containers that shared words could stand for far more values than there are bytes.
	if size > r.left {
		return sroarCorrupt("words of a container", size, "no more than the containers before it leave", at)
	}
	r.left -= size
	values := r.b[(at+sroarHead)*sroarWord : (at+size)*sroarWord]
	switch kind {
	case sroarArray:
		return r.array(dst, key, values, n, at)
	case sroarBits:
		return r.bitset(dst, key, values, n, at)
	}
	return sroarCorrupt("type of a container", uint64(kind), "0 (array) or 1 (bitset)", at+1)
}

// array adds the first n values of an array.
func (r *sroarReader) array(dst *pack.Builder, key uint64, values []byte, n, at uint64) error {
	if n > min(uint64(len(values)/sroarWord), container.MaxArray) {
		return sroarCorrupt("cardinality of an array", n, "at most 4096, and its room", at+2)
	}
	lows := values[:n*sroarWord]
	if _, ascending := array.Shape(lows); !ascending {
		return sroarCorrupt("array with a value after a larger or equal one; cardinality", n, "ascending values",
			at+sroarHead)
	}
	dst.AppendBlock(container.ArrayBlock(key, lows))
	return nil
}

// bitset adds a bitset, whose words have their first value in the highest bit.
func (r *sroarReader) bitset(dst *pack.Builder, key uint64, values []byte, n, at uint64) error {
	if len(values) != container.MaxPayload {
		return sroarCorrupt("words of a bitset container", uint64(len(values)/sroarWord+sroarHead), "4100", at)
	}
	ones := bitset.Fold(&r.words, (*bitset.Words)(values))
	if n != uint64(ones) {
		return sroarCorrupt("cardinality of a bitset", n, "the number of its ones", at+2)
	}
	dst.AppendBlock(container.BitsetBlock(key, &r.words, ones))
	return nil
}
