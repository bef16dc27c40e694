// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// compactDirAndLen counts the common values of two tight directories. If first is set it stops at
// the first one that it finds, and returns 1. ok is false if a packed container is in the way.
func compactDirAndLen(a, b *compactDir, first bool) (n uint64, ok bool) {
	i, j := 0, 0
	for i < a.count && j < b.count && !a.packedBefore && !b.packedBefore {
		x, y := a.key(i), b.key(j)
		switch {
		case x < y:
			i = a.seek(i+1, y)
		case y < x:
			j = b.seek(j+1, x)
		default:
			xEnd, yEnd := a.end(i), b.end(j)
			if xEnd&3 == container.Packed || yEnd&3 == container.Packed {
				return 0, false
			}
			xKind, xData := a.payloadOf(a.start(i), xEnd)
			yKind, yData := b.payloadOf(b.start(j), yEnd)
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
	return n, !a.packedBefore && !b.packedBefore
}
