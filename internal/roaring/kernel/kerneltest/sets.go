// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// Merge is the naive reference of every operation.
func Merge(a, b []int, f func(a, b bool) bool) (out []int) {
	var inA, inB [1 << 16]bool
	for _, x := range a {
		inA[x] = true
	}
	for _, x := range b {
		inB[x] = true
	}
	for x := range inA {
		if f(inA[x], inB[x]) {
			out = append(out, x)
		}
	}
	return out
}

// Both is the intersection, for Merge.
func Both(a, b bool) bool { return a && b }

// Either is the union, for Merge.
func Either(a, b bool) bool { return a || b }

// OnlyFirst is the difference, for Merge.
func OnlyFirst(a, b bool) bool { return a && !b }

// OnlyOne is the exclusive or, for Merge.
func OnlyOne(a, b bool) bool { return a != b }

// Ascending returns up to n values that next draws, ascending and each once.
func Ascending(n int, next func() uint64) (values []uint64) {
	for range n {
		values = append(values, next())
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// SortedSet sorts values and leaves out repeated ones.
func SortedSet(values []uint64) []uint64 {
	slices.Sort(values)
	return slices.Compact(values)
}

// InBoth returns the values of a that b has.
func InBoth(a, b []uint64) (both []uint64) {
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			both = append(both, x)
		}
	}
	return both
}

// InOrder returns the values of lows in ascending order.
func InOrder(lows []byte) []byte {
	var xs []uint16
	for ; len(lows) >= 2; lows = lows[2:] {
		xs = append(xs, binary.LittleEndian.Uint16(lows))
	}
	slices.Sort(xs)
	var b []byte
	for _, x := range slices.Compact(xs) {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

// Spread returns the values of lows in ascending order, 2^shift times as far apart.
func Spread(lows []byte, shift uint) (values []uint64) {
	for lows = InOrder(lows); len(lows) > 0; lows = lows[2:] {
		values = append(values, uint64(binary.LittleEndian.Uint16(lows))<<shift)
	}
	return values
}

// OffsetsOf returns values as offsets.
func OffsetsOf(values []uint64) (offsets []uint32) {
	for _, x := range values {
		offsets = append(offsets, uint32(x))
	}
	return offsets
}

// BenchLists is the number of operands of each size that benchmarks take in turn. The processor
// cannot learn the jumps then.
const BenchLists = 16

// DrawList draws n values below a limit.
func DrawList(r *rand.Rand, n int, limit uint64) (list []uint64) {
	for len(list) < n {
		list = SortedSet(append(list, Ascending(n-len(list), func() uint64 { return r.Uint64N(limit) })...))
	}
	return list
}
