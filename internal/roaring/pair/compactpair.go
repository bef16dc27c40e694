// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// compactDirAndLen counts the common values of two tight directories. If first is set it stops at
// the first one that it finds, and returns 1. ok is false if a packed container is in the way.
func compactDirAndLen(a, b *view.CompactDir, first bool) (n uint64, ok bool) {
	i, j := 0, 0
	for i < a.Count && j < b.Count && !a.PackedBefore && !b.PackedBefore {
		x, y := a.Key(i), b.Key(j)
		switch {
		case x < y:
			i = a.Seek(i+1, y)
		case y < x:
			j = b.Seek(j+1, x)
		default:
			xEnd, yEnd := a.End(i), b.End(j)
			if xEnd&3 == container.Packed || yEnd&3 == container.Packed {
				return 0, false
			}
			xKind, xData := a.PayloadOf(a.Start(i), xEnd)
			yKind, yData := b.PayloadOf(b.Start(j), yEnd)
			if !first {
				n += uint64(container.AndLenOf(xKind, xData, yKind, yData))
			} else if container.IntersectsOf(xKind, xData, yKind, yData) {
				return 1, true
			}
			i++
			j++
		}
	}
	// A packed container at the end of one was passed by a seek if the other has keys behind it.
	return n, !a.PackedBefore && !b.PackedBefore
}
