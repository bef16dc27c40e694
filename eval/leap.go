// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import "github.com/uproar-db/uproar/bitmap"

const (
	// longBlock is how many records a block has that is worth a look at what may be expected of it.
	longBlock = 256

	// manyExpected is how many records are to be expected in a block for each one that is wanted, to look for these one after the other.
	manyExpected = 8

	// mostLeaps is after how many steps that is given up: the lists are not as independent as was expected.
	mostLeaps = 256

	// mostLeaping is how many lists are leapt through.
	mostLeaping = 16
)

// appendFirst appends the first records that are in a block and, of the same container, in some lists, if there are more than wanted and they are found soon; otherwise none. The cursors of the lists are reset.
//
// It leaps (Veldhuizen, Leapfrog Triejoin, 2014): each list in turn is asked for its first record from the one on that the others have come to.
func appendFirst(dst []uint64, b bitmap.Block, lists []*node, wanted int) (ids []uint64, more bool) {
	if len(lists) >= mostLeaping {
		return dst, false
	}
	key, expected := b.Key(), float64(b.Len())
	for _, k := range lists {
		if at, ok := k.next(key); !ok || at != key {
			return dst, false
		}
		expected *= float64(k.cursor.BlockLen()) / (1 << 16)
	}
	if expected < float64(manyExpected*(wanted+1)) {
		return dst, false
	}
	var room [mostLeaping]bitmap.Block
	blocks := append(room[:0], b)
	for _, k := range lists {
		blocks = append(blocks, k.cursor.Block())
	}
	start, low, agreed := len(dst), uint16(0), 0
	for i := range mostLeaps {
		next, ok := blocks[i%len(blocks)].Next(low)
		if !ok {
			break
		}
		if next != low {
			low, agreed = next, 0
		}
		if agreed++; agreed < len(blocks) {
			continue
		}
		if len(dst)-start == wanted {
			return dst, true
		}
		if dst = append(dst, key<<16|uint64(low)); low == 1<<16-1 {
			break
		}
		low, agreed = low+1, 0
	}
	return dst[:start], false
}
