// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// plainShape returns the shape of a plain list of n values; ok is false if there is none of so
// many, or such values, or if it takes over five eighths more bytes than the other form whose size
// is given.
func plainShape(n int, highest uint64, other int) (s Shape, ok bool) {
	width := max(int(view.ByteWidth(highest)), kernel.PlainLeast)
	size := view.HeadPlain + view.PlainBlock(n, width)
	return Shape{form: view.FormSolo, Size: size, low: uint(8 * width), head: view.HeadPlain, plain: true},
		n <= view.MaxPlain &&
			width <= kernel.PlainMost && 8*size <= 13*other
}

// soloShape returns the shape of a list of n values, at most maxSolo.
func soloShape(n int, highest uint64) Shape {
	low := kernel.PackedLow(n, highest)
	return Shape{form: view.FormSolo, Size: view.HeadSolo + kernel.PackedBytes(n, highest, low), low: low}
}

// longShape returns the shape of a list of n values, more than maxSolo and at most maxLong.
func longShape(n int, highest uint64) Shape {
	low := kernel.PackedLow(n, highest)
	bytes := kernel.PackedBytes(n, highest, low)
	s := Shape{form: view.FormSolo, Size: view.HeadNear + bytes, low: low, head: view.HeadNear}
	if _, ok := view.NearHead(n, bytes, low); !ok {
		s.Size, s.head = view.HeadLong+bytes, view.HeadLong
	}
	return s
}
