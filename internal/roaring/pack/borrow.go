// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/view"
)

// AppendBody appends the smallest body of the set of values, as it stands in a page, to dst. It
// returns the longer slice. The values should ascend, see [FromSorted]. Once the package's builders
// are warm it allocates only dst.
func AppendBody(dst []byte, values []uint64) []byte {
	b := BuildSorted(values)
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

// Release gives the builder back to the pool.
func (b *Builder) Release() { builders.Put(b) }

// BuildSorted returns a builder with the given values, to be put back.
func BuildSorted(values []uint64) *Builder {
	b := BorrowBuilder()
	if b.AppendSorted(values) < len(values) {
		values = slices.Clone(values)
		slices.Sort(values)
		b.Reset()
		b.AppendSorted(values)
	}
	return b
}

// AppendEnvelope appends the head of the stand-alone envelope, of the smallest width, for a body of
// n bytes.
func AppendEnvelope(dst []byte, n int, flags byte) []byte {
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

// AppendChecked appends the stand-alone bytes of the set, with a checksum, to dst. It returns the
// longer slice. [View.Validate] verifies the checksum.
func AppendChecked(v view.View, dst []byte) []byte {
	start := len(dst)
	dst = AppendEnvelope(slices.Grow(dst, 2+8+len(v.Raw())+view.ChecksumBytes), len(v.Raw()), view.FlagChecksum)
	dst = append(dst, v.Raw()...)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], view.Castagnoli))
}
