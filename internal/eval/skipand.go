// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
)

const (
	// longBlock is how many records a block has that is worth a look at what may be expected of it.
	longBlock = 256

	// manyExpected is how many records are to be expected in a block for each one that is wanted,
	// to look for these one after the other.
	manyExpected = 8

	// someExpected is manyExpected where all blocks are bitsets or runs, whose words are
	// intersected up to the last record that is wanted.
	someExpected = 2

	// mostLeaps is after how many steps that is given up: the lists are not as independent as was
	// expected.
	mostLeaps = 256

	// mostLeaping is how many lists are leapt through.
	mostLeaping = 16
)

// appendFirst appends the first records that b and the other lists of root share in its container.
// It appends wanted records if there are more and it finds them soon, else none. It guesses their
// number as if the lists were independent.
//
// Of bitsets and runs it intersects the words up to the last wanted record. Otherwise it leaps
// (Veldhuizen, Leapfrog Triejoin, 2014): it asks each list in turn for its first record from where
// the others have come to.
func appendFirst(dst []uint64, root *node, b container.Block, wanted int) (ids []uint64, more bool) {
	if len(root.plus) > mostLeaping {
		return dst, false
	}
	var room [mostLeaping]container.Block
	blocks, expected := append(room[:0], b), float64(b.Len())
	for _, k := range root.plus[1:] {
		block := k.meet(b.Key)
		blocks, expected = append(blocks, block), expected*float64(block.Len())/(1<<16)
	}
	if expected < float64(someExpected*(wanted+1)) {
		return dst, false
	}
	var few [fewWanted + 1]uint16
	lows, ok := container.AppendCommonLow(few[:0], wanted+1, blocks...)
	if !ok && expected >= float64(manyExpected*(wanted+1)) {
		lows = skipAnd(lows, wanted+1, blocks)
	}
	if len(lows) <= wanted {
		return dst, false
	}
	for _, low := range lows[:wanted] {
		dst = append(dst, b.Key<<16|uint64(low))
	}
	return dst, true
}

// skipAnd appends the first low 16 bits that all blocks have. It appends up to most, and fewer if
// they are not found soon.
func skipAnd(dst []uint16, most int, blocks []container.Block) []uint16 {
	low, agreed := uint16(0), 0
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
		if dst = append(dst, low); len(dst) == most || low == 1<<16-1 {
			break
		}
		low, agreed = low+1, 0
	}
	return dst
}
