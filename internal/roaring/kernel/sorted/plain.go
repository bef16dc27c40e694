// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// A plain list is values in ascending order, as they are: little-endian, one after the other, in
// PlainLeast to PlainMost bytes each. Spread so far that coding them saves next to nothing, few
// values are compared in the time that decoding them would take.

// Bytes of a value of a plain list, and the number of values up to which all are compared with all.
const (
	PlainLeast = 4
	PlainMost  = 7
	PlainUpTo  = 128
)

// PlainAndLen returns how many values two plain lists of PlainLeast bytes a value have in common.
// Of lists of more than PlainUpTo values it takes no notice of the others. Bytes that are not
// valid, which may have a value again and again, have no more in common than either has room for.
func PlainAndLen(a, b []byte) int {
	const most = PlainUpTo * PlainLeast
	a, b = a[:min(len(a), most)&^3], b[:min(len(b), most)&^3]
	return min(plainAndLen(a, b), len(a)/PlainLeast, len(b)/PlainLeast)
}

// PlainApart reports whether all values of one of two plain lists of PlainLeast bytes a value are
// less than all of the other.
func PlainApart(a, b []byte) bool {
	if len(a) < PlainLeast || len(b) < PlainLeast {
		return true
	}
	return binary.LittleEndian.Uint32(a[len(a)-PlainLeast:]) < binary.LittleEndian.Uint32(b) ||
		binary.LittleEndian.Uint32(b[len(b)-PlainLeast:]) < binary.LittleEndian.Uint32(a)
}

// plainAndLenGeneric advances without branches that depend on the values.
func plainAndLenGeneric(a, b []byte) (n int) {
	for i, j := 0, 0; i+PlainLeast <= len(a) && j+PlainLeast <= len(b); {
		x, y := uint64(binary.LittleEndian.Uint32(a[i:])), uint64(binary.LittleEndian.Uint32(b[j:]))
		inA, inB := swar.AtMost(x, y), swar.AtMost(y, x)
		n += inA & inB
		i += PlainLeast * inA
		j += PlainLeast * inB
	}
	return n
}

// PlainHas reports whether x is one of the values of a plain list of width bytes a value, which is
// one whole value at least.
func PlainHas(list []byte, width int, x uint64) bool {
	if width == PlainLeast {
		// Half of what is asked for of small sets that stand for rare things lies beside them.
		first, last := uint64(binary.LittleEndian.Uint32(list)),
			uint64(binary.LittleEndian.Uint32(list[len(list)-PlainLeast:]))
		return x-first <= last-first && plainHas(list, PlainLeast, x)
	}
	if x == 0 { // which vectors also see where there is no value
		return PlainAt(list, width, 0) == 0
	}
	return plainHas(list, width, x)
}

// plainLooked is the number of values up to which each is compared, with no jump that depends on
// them: a search takes longer, as each step waits for the one before.
const plainLooked = 24

func plainHasGeneric(list []byte, width int, x uint64) bool {
	n := len(list) / width
	switch {
	case x>>(8*width&63) != 0:
		return false
	case n > plainLooked:
		i := plainRankGeneric(list, n, width, x)
		return i > 0 && PlainAt(list, width, i-1) == x
	}
	found, at, shift := uint64(0), 0, uint(64-8*width)&63
	for ; at+8 <= len(list); at += width {
		y := (binary.LittleEndian.Uint64(list[at:]) ^ x) << shift
		found |= ^(y | -y) // whose upper bit is set of zero alone
	}
	for ; at < len(list); at += width {
		y := PlainAt(list, width, at/width) ^ x
		found |= ^(y | -y)
	}
	return found>>63 != 0
}

// PlainRank returns how many values of a plain list of width bytes a value, which is whole values,
// are at most x.
func PlainRank(list []byte, width int, x uint64) int {
	if uint(width-PlainLeast) > PlainMost-PlainLeast {
		return 0
	}
	return plainRank(list, len(list)/width, width, min(x, 1<<(8*width&63)-1))
}

// plainRankGeneric halves in steps that do not depend on the values. The list has n values.
func plainRankGeneric(list []byte, n, width int, x uint64) (i int) {
	if n == 0 {
		return 0
	}
	for n > 1 {
		half := n >> 1
		i += half & -swar.AtMost(PlainAt(list, width, i+half), x)
		n -= half
	}
	return i + swar.AtMost(PlainAt(list, width, i), x)
}

// PlainAt returns value i of a plain list, which must have it.
func PlainAt(list []byte, width, i int) (x uint64) {
	at := i * width
	if at+8 <= len(list) {
		return binary.LittleEndian.Uint64(list[at:]) & (1<<(8*width&63) - 1)
	}
	for j, c := range list[at : at+width] {
		x |= uint64(c) << (8 * j)
	}
	return x
}

// PlainValues writes the values of a plain list of width bytes a value to dst, as many as it has
// room for, and returns their number.
func PlainValues(dst []uint64, list []byte, width int) (n int) {
	if width < PlainLeast || width > PlainMost {
		return 0
	}
	n = min(len(dst), len(list)/width)
	plainValues(dst[:n], list[:n*width], width)
	return n
}

func plainValuesGeneric(dst []uint64, list []byte, width int) {
	for i := range min(len(dst), len(list)/width) {
		dst[i] = PlainAt(list, width, i)
	}
}
