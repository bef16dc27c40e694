// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// FixedShape returns the shape of a fixed list of n values. ok is false if n or the values are too
// large for one.
func FixedShape(n int, highest uint64) (s Shape, ok bool) {
	width := max(int(view.ByteWidth(highest)), sorted.FixedLeast)
	size := view.HeaderFixed + view.FixedBlock(n, width)
	return Shape{Form: view.FormList, Size: size, Low: uint(8 * width), Header: view.HeaderFixed, Fixed: true},
		n <= view.MaxFixed && width <= sorted.FixedMost
}

// ListShape returns the shape of a list of n values, at most MaxList.
func ListShape(n int, highest uint64) Shape {
	low := eliasfano.LowWidth(n, highest)
	return Shape{Form: view.FormList, Size: view.HeaderList + eliasfano.Bytes(n, highest, low), Low: low}
}

// longShape returns the shape of a list of n values, more than MaxList and at most MaxLong.
func longShape(n int, highest uint64) Shape {
	low := eliasfano.LowWidth(n, highest)
	bytes := eliasfano.Bytes(n, highest, low)
	s := Shape{Form: view.FormList, Size: view.HeaderNear + bytes, Low: low, Header: view.HeaderNear}
	if _, ok := view.NearHeader(n, bytes, low); !ok {
		s.Size, s.Header = view.HeaderLong+bytes, view.HeaderLong
	}
	return s
}
