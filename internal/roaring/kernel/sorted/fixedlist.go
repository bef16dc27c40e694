// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// A fixed list is values in ascending order, as they are: little-endian, one after the other, in
// FixedLeast to FixedMost bytes each. Few values are compared in the time that decoding them would
// take.

// FixedLeast and FixedMost bound the bytes of a value of a fixed list. FixedUpTo is the largest
// number of values of a list that kernels compare all with all.
const (
	FixedLeast = 4
	FixedMost  = 7
	FixedUpTo  = 128
)

// FixedAndLen returns how many values two fixed lists of FixedLeast bytes a value have in common.
// Of lists of more than FixedUpTo values it takes no notice of the others. Bytes that are not
// valid, which may have a value again and again, have no more in common than either has room for.
func FixedAndLen(a, b []byte) int {
	const most = FixedUpTo * FixedLeast
	a, b = a[:min(len(a), most)&^3], b[:min(len(b), most)&^3]
	return min(fixedAndLen(a, b), len(a)/FixedLeast, len(b)/FixedLeast)
}

// FixedDisjoint reports whether all values of one fixed list are less than all of the other. Both
// have FixedLeast bytes a value.
func FixedDisjoint(a, b []byte) bool {
	if len(a) < FixedLeast || len(b) < FixedLeast {
		return true
	}
	return binary.LittleEndian.Uint32(a[len(a)-FixedLeast:]) < binary.LittleEndian.Uint32(b) ||
		binary.LittleEndian.Uint32(b[len(b)-FixedLeast:]) < binary.LittleEndian.Uint32(a)
}

func fixedAndLenGeneric(a, b []byte) (n int) { return FixedCommonLen(a, b, FixedLeast) }

// FixedCommonLen is FixedAndLen of lists of any one width, value by value: the lists are whole
// values. It goes from both ends at once: a step waits for the one before it at its end only, and
// for no guess.
func FixedCommonLen(a, b []byte, width int) (n int) {
	if uint(width-FixedLeast) > FixedMost-FixedLeast || len(a) < width || len(b) < width {
		return 0
	}
	last, most := fixedLast(a, width), fixedLast(b, width)
	if last > most {
		a, b, last, most = b, a, most, last
	}
	// The last values are apart: of all others eight bytes may be loaded.
	mask := uint64(1)<<(8*width&63) - 1
	i, j, p, q := 0, 0, len(a)-2*width, len(b)-2*width
	for q >= 0 && swar.Uint64(b, q)&mask > last {
		q -= width
	}
	if last == most || q >= 0 && swar.Uint64(b, q)&mask == last {
		n++
	}
	for i < p && j < q {
		d := int64(swar.Uint64(a, i)&mask) - int64(swar.Uint64(b, j)&mask)
		e := int64(swar.Uint64(a, p)&mask) - int64(swar.Uint64(b, q)&mask)
		if d == 0 {
			n++
		}
		if e == 0 {
			n++
		}
		i, j = i+width&int((d-1)>>63), j+width&int((-d-1)>>63)
		p, q = p-width&int((-e-1)>>63), q-width&int((e-1)>>63)
	}
	for i <= p && j <= q {
		d := int64(swar.Uint64(a, i)&mask) - int64(swar.Uint64(b, j)&mask)
		if d == 0 {
			n++
		}
		i, j = i+width&int((d-1)>>63), j+width&int((-d-1)>>63)
	}
	return n
}

// fixedLast returns the last value of a fixed list, which has one.
func fixedLast(list []byte, width int) uint64 {
	if len(list) >= 8 {
		return swar.Uint64(list, len(list)-8) >> (64 - 8*width&63)
	}
	return swar.TailWord(list) & (1<<(8*width&63) - 1)
}

// FixedHas reports whether a fixed list has x. The list has width bytes a value, and at least one
// whole value.
func FixedHas(list []byte, width int, x uint64) bool {
	if width == FixedLeast {
		// Half of what is asked for of small sets that stand for rare things lies beside them.
		first, last := uint64(binary.LittleEndian.Uint32(list)),
			uint64(binary.LittleEndian.Uint32(list[len(list)-FixedLeast:]))
		return x-first <= last-first && fixedHas(list, FixedLeast, x)
	}
	if x == 0 { // which vectors also see where there is no value
		return FixedAt(list, width, 0) == 0
	}
	return fixedHas(list, width, x)
}

// fixedLooked is the number of values up to which each is compared, with no jump that depends on
// them: a search takes longer, as each step waits for the one before.
const fixedLooked = 24

func fixedHasGeneric(list []byte, width int, x uint64) bool {
	n := len(list) / width
	switch {
	case x>>(8*width&63) != 0:
		return false
	case n > fixedLooked:
		i := fixedRankGeneric(list, n, width, x)
		return i > 0 && FixedAt(list, width, i-1) == x
	}
	found, at, shift := uint64(0), 0, uint(64-8*width)&63
	for ; at+8 <= len(list); at += width {
		y := (binary.LittleEndian.Uint64(list[at:]) ^ x) << shift
		found |= ^(y | -y) // whose upper bit is set of zero alone
	}
	for ; at < len(list); at += width {
		y := FixedAt(list, width, at/width) ^ x
		found |= ^(y | -y)
	}
	return found>>63 != 0
}

// FixedRank returns how many values of a fixed list are at most x. The list is whole values of
// width bytes.
func FixedRank(list []byte, width int, x uint64) int {
	if uint(width-FixedLeast) > FixedMost-FixedLeast {
		return 0
	}
	return fixedRank(list, len(list)/width, width, min(x, 1<<(8*width&63)-1))
}

// fixedRankGeneric halves in steps that do not depend on the values. The list has n values.
func fixedRankGeneric(list []byte, n, width int, x uint64) (i int) {
	if n == 0 {
		return 0
	}
	for n > 1 {
		half := n >> 1
		i += half & -swar.AtMost(FixedAt(list, width, i+half), x)
		n -= half
	}
	return i + swar.AtMost(FixedAt(list, width, i), x)
}

// FixedAt returns value i of a fixed list, which must have it.
func FixedAt(list []byte, width, i int) (x uint64) {
	mask := uint64(1)<<(8*width&63) - 1
	switch at := i * width; {
	case at+8 <= len(list):
		return binary.LittleEndian.Uint64(list[at:]) & mask
	case len(list) >= 8:
		return binary.LittleEndian.Uint64(list[len(list)-8:]) >> (8 * (at + 8 - len(list)) & 63) & mask
	}
	return swar.TailWord(list) & mask // the only one
}

// FixedValues writes the values of a fixed list to dst, and returns their number. The list has
// width bytes a value. It stops when dst is full.
func FixedValues(dst []uint64, list []byte, width int) (n int) {
	if width < FixedLeast || width > FixedMost {
		return 0
	}
	n = min(len(dst), len(list)/width)
	fixedValues(dst[:n], list[:n*width], width)
	return n
}

func fixedValuesGeneric(dst []uint64, list []byte, width int) {
	for i := range min(len(dst), len(list)/width) {
		dst[i] = FixedAt(list, width, i)
	}
}
