// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Two packed blocks that have few values in common are intersected by their lower parts. These
// stand at fixed strides, so reading them takes neither the upper parts nor branches. The lower
// parts of one block set bits in a filter; those of the other are looked up there. What passes is
// compared as a whole. This is cheaper than decoding and merging.

// MaxAnd is the largest number of common values that And finds.
const MaxAnd = 63

// Pairs of values up to which a filter is large enough. Each value that it lets pass, one for as
// many pairs as it has bits, costs as much as a hundred steps of clearing it.
const (
	andSmall  = 1 << 8  // 2 048 bits
	andMiddle = 1 << 15 // 8 192 bits
	andLarge  = 1 << 21 // 65 536 bits; beyond, a merge costs as much
)

// And writes the values that two blocks have in common to dst, and returns their number. It stops
// when dst is full. ok is false if it could not decide:
//
//   - the lower parts are too narrow to tell values apart,
//   - there are too many values or too many common ones,
//   - a block is not valid.
func And(dst []uint64, a, b *Packed) (n int, ok bool) {
	pairs, low := uint64(a.N)*uint64(b.N), min(a.Low, b.Low, 57)
	if pairs > andLarge || pairs>>low > 8 || max(a.N, b.N) > 1<<16 || len(a.Block) < 8 || len(b.Block) < 8 {
		return 0, false
	}
	if a.N > b.N {
		a, b = b, a
	}
	var found [andSmall/32 + 8]uint16
	// of its products, only the bits below low of the other factor count
	switch factor := uint64(swar.HashFactor) << (64 - low); {
	case pairs <= andSmall:
		var f [1 << 5]uint64
		return packedAnd(&f, found[:], dst, a, b, factor)
	case pairs <= andMiddle:
		return andMiddling(dst, a, b, factor)
	default:
		return andLargest(dst, a, b, factor)
	}
}

// These have a larger filter on their stack.

//go:noinline
func andMiddling(dst []uint64, a, b *Packed, factor uint64) (n int, ok bool) {
	var f [1 << 7]uint64
	var found [MaxAnd]uint16
	return packedAnd(&f, found[:], dst, a, b, factor)
}

//go:noinline
func andLargest(dst []uint64, a, b *Packed, factor uint64) (n int, ok bool) {
	var f [1 << 10]uint64
	var found [MaxAnd]uint16
	return packedAnd(&f, found[:], dst, a, b, factor)
}

// lowFilter is a set of lower parts that may claim to have more than it was given: a bit for each,
// at a place that follows from it.
type lowFilter interface {
	[1 << 5]uint64 | [1 << 7]uint64 | [1 << 10]uint64
}

// packedAnd is And with an empty filter f and scratch memory found. found holds the indexes of the
// values of b that pass the filter. The hash of a lower part is its product with the factor.
func packedAnd[F lowFilter](f *F, found []uint16, dst []uint64, a, b *Packed, factor uint64) (n int, ok bool) {
	aUpper, bUpper := a.upper(), b.upper()
	if aUpper == 0 || bUpper == 0 {
		return 0, false
	}
	addLows(f, a.Block, uint(aUpper), a.N, a.Low, factor)
	found = found[:min(len(found), a.N/8+6)] // to look for more than that costs as much as a merge
	k := findLows(f, found, b.Block, uint(bUpper), b.N, b.Low, factor)
	if k == 0 || k > len(found) {
		return 0, k == 0
	}
	return packedCommon(dst, a, b, found[:k]), true
}

// packedCommon is And for some values of b, whose indexes ascend.
func packedCommon(dst []uint64, a, b *Packed, indexes []uint16) (n int) {
	x, y := a.Iter(), b.Iter()
	for _, i := range indexes {
		if !y.Skip(int(i) - y.i) {
			break
		}
		d, _ := y.Peek()
		if !x.Seek(d) {
			break
		}
		if got, _ := x.Peek(); got == d {
			if n < len(dst) {
				dst[n] = d
			}
			n++
		}
	}
	return n
}

// addLows adds n lower parts of low bits to a filter. The first begins at bit off.
func addLows[F lowFilter](f *F, block []byte, off uint, n int, low uint, factor uint64) {
	for ; n > 0; n-- {
		at := off >> 3
		if at+8 > uint(len(block)) {
			break
		}
		h := binary.LittleEndian.Uint64(block[at:at+8]) >> (off & 7) * factor
		(*f)[h<<6/(1<<63/uint64(len(*f)/2))] |= 1 << (h >> 58)
		off += low
	}
	last := swar.Uint64(block, len(block)-8)
	for ; n > 0; n-- {
		h := last >> ((off - 8*uint(len(block))) & 63) * factor
		(*f)[h<<6/(1<<63/uint64(len(*f)/2))] |= 1 << (h >> 58)
		off += low
	}
}

// findLows returns how many of n lower parts a filter has, and writes down which. It ends when
// there is no room for more, and returns one more.
func findLows[F lowFilter](f *F, found []uint16, block []byte, off uint, n int, low uint, factor uint64) (k int) {
	i := 0
	for ; i < n; i++ {
		at := off >> 3
		if at+8 > uint(len(block)) {
			break
		}
		h := binary.LittleEndian.Uint64(block[at:at+8]) >> (off & 7) * factor
		if (*f)[h<<6/(1<<63/uint64(len(*f)/2))]>>(h>>58)&1 != 0 {
			if k >= len(found) {
				return k + 1
			}
			found[k] = uint16(i)
			k++
		}
		off += low
	}
	last := swar.Uint64(block, len(block)-8)
	for ; i < n; i++ {
		h := last >> ((off - 8*uint(len(block))) & 63) * factor
		if (*f)[h<<6/(1<<63/uint64(len(*f)/2))]>>(h>>58)&1 != 0 {
			if k >= len(found) {
				return k + 1
			}
			found[k] = uint16(i)
			k++
		}
		off += low
	}
	return k
}
