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
	x, y := a.Key(0), b.Key(0)
	xStart, yStart := uint64(0), uint64(0)
	for {
		switch {
		case x < y:
			if i = a.Seek(i+1, y); a.PackedBefore {
				return 0, false
			} else if i == a.Count {
				return n, true
			}
			x, xStart = a.Key(i), a.Start(i)
		case y < x:
			if j = b.Seek(j+1, x); b.PackedBefore {
				return 0, false
			} else if j == b.Count {
				return n, true
			}
			y, yStart = b.Key(j), b.Start(j)
		default:
			xEnd, yEnd := a.End(i), b.End(j)
			xKind, xData := a.PayloadOf(xStart, xEnd)
			yKind, yData := b.PayloadOf(yStart, yEnd)
			switch {
			case xKind == container.Packed || yKind == container.Packed:
				return 0, false
			case !first:
				n += uint64(container.AndLenOf(xKind, xData, yKind, yData))
			case container.IntersectsOf(xKind, xData, yKind, yData):
				return 1, true
			}
			if i, j = i+1, j+1; i == a.Count || j == b.Count {
				return n, true
			}
			x, y, xStart, yStart = a.Key(i), b.Key(j), xEnd>>2, yEnd>>2
		}
	}
}
