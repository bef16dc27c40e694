// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"encoding/binary"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns the answers of the kernels that have several paths. It asks them about lists of
// 64 bits, of 32 bits, and fixed lists. TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, low uint) kerneltest.Answers {
	var all answers
	all.lists(a, b, low)
	all.offsets(a, b, low)
	all.kept(a, b, low)
	all.fixedLists(a, b, low)
	return all.Answers
}

// lists asks the kernels of lists of 64 bits: of two that ascend, and of one of any values within a
// set.
func (all *answers) lists(a, b []byte, low uint) {
	x, y := kerneltest.Spread(a, low%48), kerneltest.Spread(b, low%48)
	n, i, j := ValuesAndLen(x, y)
	all.Of("ValuesAndLen", n, i == len(x) || j == len(y))
	dst := make([]uint64, min(len(x), len(y)))
	n = ValuesAnd(dst, x, y)
	all.Of("ValuesAnd", n, slices.Clone(dst[:n]))

	var bits bitset.Words
	bitset.Scatter(&bits, b)
	const base = 1 << 40
	values := make([]uint64, 0, len(a)/2+len(a)/8)
	for at := 0; at+1 < len(a); at += 2 {
		values = append(values, base+uint64(swar.Uint16(a, at))-100)
	}
	for at := 0; at+8 <= len(a); at += 8 {
		values = append(values, binary.LittleEndian.Uint64(a[at:]))
	}
	all.Of("ContainedLen", ContainedLen(values, bits[:], base), ContainedLen(values, bits[:len(b)], base),
		ContainedLen(values, a, base-100))
}

// offsets compares the values of a and b, further apart, as lists of 32 bits.
func (all *answers) offsets(a, b []byte, low uint) {
	p, q := kerneltest.OffsetsOf(kerneltest.Spread(a, low%17)), kerneltest.OffsetsOf(kerneltest.Spread(b, low%17))
	if len(p) == 0 || len(q) == 0 {
		return
	}
	dst := make([]uint32, len(a)+len(b))
	n, _, _ := OffsetsAnd(dst, p, q)
	k, _, _ := OffsetsAndLen(p, q)
	all.Of("OffsetsAnd", n, k, slices.Clone(dst[:n]))
}

// kept widens the values of a, and looks them up in b as bits.
func (all *answers) kept(a, b []byte, low uint) {
	dst, base := make([]uint32, len(a)/2), uint32(low)<<16
	n := ArrayOffsets(dst, a, base)
	all.Of("ArrayOffsets", n, slices.Clone(dst))
	n = KeepOffsets(dst[:n], b, base)
	all.Of("KeepOffsets", n, slices.Clone(dst[:n]))
}

// fixedLists asks the kernels of fixed lists about the values of a and b, further apart. It also
// asks about any bytes, where answers may differ but kernels must do no harm.
func (all *answers) fixedLists(a, b []byte, low uint) {
	width := FixedLeast + int(low)%(FixedMost-FixedLeast+1)
	var unspecified answers
	unspecified.askFixed(a[:min(len(a), FixedUpTo*width)], b, width, uint64(low)<<20)
	x, y := kerneltest.Spread(a, low%17), kerneltest.Spread(b, low%17)
	x, y = x[:min(len(x), FixedUpTo)], y[:min(len(y), FixedUpTo)]
	if len(x) == 0 || x[len(x)-1]>>(8*width) != 0 || len(y) > 0 && y[len(y)-1]>>32 != 0 {
		return
	}
	list := fixedOf(x, width)
	for _, x := range x {
		all.askFixed(list, fixedOf(y, FixedLeast), width, x+uint64(low&1))
	}
	if x[len(x)-1]>>32 == 0 {
		all.Of("FixedAndLen", FixedAndLen(fixedOf(x, FixedLeast), fixedOf(y, FixedLeast)))
	}
}

// askFixed looks x up in a list, and reads it and another one of FixedLeast bytes a value.
func (all *answers) askFixed(list, other []byte, width int, x uint64) {
	list = list[:len(list)/width*width]
	if len(list) > 0 {
		all.Of("FixedHas", FixedHas(list, width, x))
	}
	all.Of("FixedRank", FixedRank(list, width, x))
	dst := make([]uint64, FixedUpTo)
	all.Of("FixedValues", slices.Clone(dst[:FixedValues(dst, list, width)]))
	all.Of("FixedAndLen", FixedAndLen(other, other))
}
