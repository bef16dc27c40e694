// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Of returns the set of the given values, which may be in any order and repeat. It is packed as
// [Fastest].
func Of(values ...uint64) *Bitmap { return FromSorted(values) }

// FromSorted returns the set of values, which should ascend; repeated values count once. Values
// that do not ascend are sorted, in a copy. The set is packed as [Fastest]. Beside the set itself
// nothing is allocated, once the package's builders are warm.
func FromSorted(values []uint64) *Bitmap {
	if isList(values) {
		c := borrowResult()
		defer c.release()
		m := c.list(values, Fastest)
		m.sound = true
		return m
	}
	b := buildSorted(values)
	defer b.Release()
	return b.Bitmap(Fastest)
}

// isList reports whether values ascend strictly and are so few, and so spread out, that they become
// a list: what [Builder.layOut] would find for Fastest, chunk by chunk. It may miss one.
func isList(values []uint64) bool {
	n := len(values)
	if n == 0 || n > view.MaxSolo {
		return false
	}
	last := values[n-1]
	if span := last>>16 - values[0]>>16 + 1; span*soloBelow <= uint64(n) {
		return false // dense, or not ascending
	}
	before, chunks := values[0], 1
	for _, x := range values[1:] {
		if x <= before {
			return false
		}
		if x>>16 != before>>16 {
			chunks++
		}
		before = x
	}
	if n == 1 {
		return true
	}
	// A container takes at least two bytes, besides its entry.
	key := int(view.ByteWidth(last >> 16))
	return n < soloBelow*chunks && soloShape(n, last).Size < 2+key+chunks*(key+2+1+2)
}

// AppendBody appends the smallest body of the set of values, as it stands in a page, to dst and
// returns the longer slice. The values should ascend, see [FromSorted]. Nothing is allocated but
// dst, once the package's builders are warm.
func AppendBody(dst []byte, values []uint64) []byte {
	b := buildSorted(values)
	defer b.Release()
	return b.Body(dst)
}

// builders lends to operations that build one set.
var builders = sync.Pool{New: func() any { return new(Builder) }}

// BorrowBuilder returns an empty builder to be put back.
func BorrowBuilder() *Builder {
	b := builders.Get().(*Builder)
	b.Reset()
	b.Layout = Fastest
	return b
}

// Release gives the builder back to those who borrow.
func (b *Builder) Release() { builders.Put(b) }

// buildSorted returns a builder with the given values, to be put back.
func buildSorted(values []uint64) *Builder {
	b := BorrowBuilder()
	if b.appendSorted(values) < len(values) {
		values = slices.Clone(values)
		slices.Sort(values)
		b.Reset()
		b.appendSorted(values)
	}
	return b
}

// appendEnvelope appends the head of the stand-alone envelope, of the smallest width, for a body of
// n bytes.
func appendEnvelope(dst []byte, n int, flags byte) []byte {
	width := EnvelopeWidth(n)
	dst = append(dst, view.Magic, view.Version|flags|width<<view.WidthShift)
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(n))
	return append(dst, length[:1<<width]...)
}

// EnvelopeWidth returns the width field for a body of n bytes: the length takes 2^width bytes.
func EnvelopeWidth(n int) (width byte) {
	for width < 3 && uint64(n)>>(8<<width) != 0 {
		width++
	}
	return width
}

// AppendChecked appends the stand-alone bytes of the set with a checksum, which [View.Validate]
// verifies, to dst and returns the longer slice.
func AppendChecked(v view.View, dst []byte) []byte {
	start := len(dst)
	dst = appendEnvelope(slices.Grow(dst, 2+8+len(v.Bytes)+view.ChecksumBytes), len(v.Bytes), view.FlagChecksum)
	dst = append(dst, v.Bytes...)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], view.Castagnoli))
}
