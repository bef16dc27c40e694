// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"io"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Runs says which containers of a portable file hold runs. The others are arrays up to 4 096
// values, bitsets beyond.
type Runs uint8

const (
	// RunsIfSmaller writes runs where they are smaller than an array or a bitset: what the
	// libraries write after their runOptimize.
	RunsIfSmaller = Runs(roaring.RunsIfSmaller)

	// NoRuns writes arrays and bitsets only: what the libraries write for sets that were made value
	// by value, and what the oldest of them read.
	NoRuns = Runs(roaring.NoRuns)

	// RunsAsStored writes runs where the set has a run container. A set that was read from a
	// portable file, and not changed, becomes that file again byte for byte, whatever its writer
	// chose: see [FromPortable32].
	RunsAsStored = Runs(roaring.RunsAsStored)
)

// FromPortable32 returns the set in b, which must hold exactly one set in the 32-bit portable
// format of RoaringFormatSpec, with or without run containers. b is not kept.
//
// Everything is checked in the one pass that copies: order, cardinalities, offsets, the end. An
// error is a [*bitmap.FormatError] that wraps bitmap.ErrNotBitmap, ErrTruncated or ErrCorrupt.
// Containers stay what they are in b, so that [RunsAsStored] writes b again; only runs that touch
// each other are joined, and runs of more than 8 192 bytes become another kind.
// [bitmap.Bitmap.Pack] chooses anew. Memory is bounded by a small multiple of the length of b.
func FromPortable32(b []byte) (*bitmap.Bitmap, error) {
	r, err := roaring.FromPortable32(b)
	return (*bitmap.Bitmap)(r), failure(err)
}

// FromPortable64 returns the set in b, which must hold exactly one set in the 64-bit portable
// format of RoaringFormatSpec: the number of 32-bit sets as u64, then each with its high 32 bits as
// u32 before it. CRoaring, Go's roaring64 and Java's Roaring64NavigableMap (portable mode, unsigned
// order) write it. Everything else is as with [FromPortable32].
func FromPortable64(b []byte) (*bitmap.Bitmap, error) {
	r, err := roaring.FromPortable64(b)
	return (*bitmap.Bitmap)(r), failure(err)
}

// ReadPortable32 is [FromPortable32] on a stream. It reads the bytes of the set and none beyond, so
// that sets may follow each other; pieces are as small as 2 bytes: r should be buffered. The errors
// of r are returned as they are: io.EOF at the end of the stream, before the first byte of a set.
// One that ends within the set is both ErrTruncated and io.ErrUnexpectedEOF.
func ReadPortable32(from io.Reader) (*bitmap.Bitmap, error) {
	r, err := roaring.ReadPortable32(from)
	return (*bitmap.Bitmap)(r), failure(err)
}

// ReadPortable64 is [FromPortable64] on a stream: see [ReadPortable32].
func ReadPortable64(from io.Reader) (*bitmap.Bitmap, error) {
	r, err := roaring.ReadPortable64(from)
	return (*bitmap.Bitmap)(r), failure(err)
}

// AppendPortable32 appends the set in the 32-bit portable format of RoaringFormatSpec to dst and
// returns the longer slice. The bytes are those that CRoaring and RoaringBitmap's libraries for Go
// and Java write for the set with the given runs.
//
// If a value is above 2^32 - 1, dst is returned as it was, with a [*RangeError]. The cost is one
// pass over the set and a copy of it in the package's memory; nothing else is allocated but dst,
// which must not overlap the bytes of the set beyond its length.
func AppendPortable32(dst []byte, v bitmap.View, runs Runs) ([]byte, error) {
	r, err := roaring.View(v).AppendPortable32(dst, roaring.Runs(runs))
	return r, failure(err)
}

// AppendPortable64 appends the set in the 64-bit portable format of RoaringFormatSpec to dst and
// returns the longer slice: see [FromPortable64] for who reads it, and [AppendPortable32] for
// cost and containers.
func AppendPortable64(dst []byte, v bitmap.View, runs Runs) []byte {
	return roaring.View(v).AppendPortable64(dst, roaring.Runs(runs))
}

// WritePortable32 writes what [AppendPortable32] appends to w, at once, and returns the number
// of bytes written.
func WritePortable32(w io.Writer, v bitmap.View, runs Runs) (int64, error) {
	r, err := roaring.View(v).WritePortable32(w, roaring.Runs(runs))
	return r, failure(err)
}

// WritePortable64 writes what [AppendPortable64] appends to w, and returns the number of bytes
// written. It holds one of the 32-bit sets in memory, not all.
func WritePortable64(w io.Writer, v bitmap.View, runs Runs) (written int64, err error) {
	r, err := roaring.View(v).WritePortable64(w, roaring.Runs(runs))
	return r, failure(err)
}
