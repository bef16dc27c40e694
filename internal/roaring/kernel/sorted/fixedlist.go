// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// A fixed list is values in ascending order, as they are: little-endian, one after the other, in
// FixedLeast to FixedMost bytes each. Spread so far that coding them saves next to nothing, few
// values are compared in the time that decoding them would take.

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

// fixedAndLenGeneric advances without branches that depend on the values.
func fixedAndLenGeneric(a, b []byte) (n int) {
	for i, j := 0, 0; i+FixedLeast <= len(a) && j+FixedLeast <= len(b); {
		x, y := uint64(binary.LittleEndian.Uint32(a[i:])), uint64(binary.LittleEndian.Uint32(b[j:]))
		inA, inB := swar.AtMost(x, y), swar.AtMost(y, x)
		n += inA & inB
		i += FixedLeast * inA
		j += FixedLeast * inB
	}
	return n
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
	at := i * width
	if at+8 <= len(list) {
		return binary.LittleEndian.Uint64(list[at:]) & (1<<(8*width&63) - 1)
	}
	for j, c := range list[at : at+width] {
		x |= uint64(c) << (8 * j)
	}
	return x
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
