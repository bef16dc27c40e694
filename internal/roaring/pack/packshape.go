// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// PlainShape returns the shape of a plain list of n values; ok is false if there is none of so
// many, or such values, or if it takes over five eighths more bytes than the other form whose size
// is given.
func PlainShape(n int, highest uint64, other int) (s Shape, ok bool) {
	width := max(int(view.ByteWidth(highest)), sorted.PlainLeast)
	size := view.HeadPlain + view.PlainBlock(n, width)
	return Shape{Form: view.FormSolo, Size: size, Low: uint(8 * width), Head: view.HeadPlain, Plain: true},
		n <= view.MaxPlain &&
			width <= sorted.PlainMost && 8*size <= 13*other
}

// SoloShape returns the shape of a list of n values, at most MaxSolo.
func SoloShape(n int, highest uint64) Shape {
	low := eliasfano.LowWidth(n, highest)
	return Shape{Form: view.FormSolo, Size: view.HeadSolo + eliasfano.Bytes(n, highest, low), Low: low}
}

// LongShape returns the shape of a list of n values, more than MaxSolo and at most MaxLong.
func LongShape(n int, highest uint64) Shape {
	low := eliasfano.LowWidth(n, highest)
	bytes := eliasfano.Bytes(n, highest, low)
	s := Shape{Form: view.FormSolo, Size: view.HeadNear + bytes, Low: low, Head: view.HeadNear}
	if _, ok := view.NearHead(n, bytes, low); !ok {
		s.Size, s.Head = view.HeadLong+bytes, view.HeadLong
	}
	return s
}
