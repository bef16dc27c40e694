// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// These ratios are numbers of values of the longer array for each of the shorter one.
//
// Vectors intersect arrays up to vectorRatio; beyond, the longer array is searched. If the longer
// array has at least wideWindow values, the search already begins beyond searchRatio; beyond
// longSearchRatio if it has more than longSearch values, where a search takes a step more; and
// beyond scatterLimit where a bitset of the shorter array is the alternative. Networks beat
// searches and copies up to fewRatio, or from eight values on.
const (
	vectorRatio     = 36
	searchRatio     = 14
	longSearchRatio = 20
	longSearch      = 1024
	scatterLimit    = 28
	fewRatio        = 64
)

// mergedRatio is the largest ratio of values to changes at which vectors merge changes into an
// array.
const mergedRatio = 24

// similar reports whether two arrays have values, and are worth intersecting by vectors.
func similar(a, b []byte) bool {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return short >= 2 && long <= vectorRatio*short && (short >= 16 || cpu.Active == cpu.AVX512)
}

// Mergeable reports whether two arrays have values, and are worth a network.
func Mergeable(a, b []byte) bool {
	short, long := min(len(a), len(b)), max(len(a), len(b))
	return short >= 16 && cpu.Active != cpu.Generic || cpu.Active == cpu.AVX512 && short >= 2 && long <= fewRatio*short
}

// withoutZero returns an array without the value 0, and 1 if it had that.
func withoutZero(lows []byte) (rest []byte, zero int) {
	zero = int(uint(int(swar.Uint16(lows, 0))-1) >> swar.SignBit)
	return lows[2*zero:], zero
}

// searchable reports whether an array is so much shorter than another that each of its values is
// searched there.
func searchable(few, many []byte) bool {
	ratio := searchRatio
	if len(many) > 2*longSearch {
		ratio = longSearchRatio
	}
	return len(many) > ratio*len(few) && len(many) >= 2*wideWindow && cpu.Active >= cpu.AVX2
}

// scatteredLen and scatteredNot report whether a bitset of one array should answer for another. One
// counts what both have, the other leaves that out. Clearing the bitset has a fixed cost; setting a
// bit and looking one up are cheaper than vectors where the processor sets bits fast. To write what
// both have, vectors are at least as fast. With AVX2, which looks values up one by one, vectors are
// so for everything.
func scatteredLen(asked, set []byte) bool {
	return cpu.Active == cpu.AVX512 && cpu.FastScatter && 2*len(asked) > 3*len(set)+2400 &&
		len(asked) <= scatterLimit*len(set)
}

func scatteredNot(asked, set []byte) bool {
	return cpu.Active == cpu.AVX512 && cpu.FastScatter && len(asked) > len(set)*3/8+900
}

func arrayAndLen(a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	byBits := scatteredLen(b, a)
	if !byBits && searchable(a, b) {
		return arrayTinyLenAVX2(a, b)
	}
	if cpu.Active == cpu.Generic || !similar(a, b) {
		return arrayAndLenGeneric(a, b)
	}
	a, x := withoutZero(a)
	b, y := withoutZero(b)
	if cpu.Active == cpu.AVX512 {
		if byBits {
			var bits bitset.Words
			bitset.Scatter(&bits, a)
			return x&y + arrayBitsetAndLen(b, &bits)
		}
		return x&y + arrayAndLenAVX512(a, b)
	}
	return x&y + andLenByAVX2(a, b)
}

func arrayAnd(dst, a, b []byte) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if searchable(a, b) {
		return arrayTinyAVX2(dst[:len(a)], a, b, 0)
	}
	if cpu.Active == cpu.Generic || !similar(a, b) {
		return arrayAndGeneric(dst, a, b)
	}
	dst = dst[:len(a)]
	a, x := withoutZero(a)
	b, y := withoutZero(b)
	if x&y == 1 {
		swar.PutUint16(dst, 0, 0)
		dst = dst[2:]
	}
	dst = dst[:min(len(dst), len(a))]
	if cpu.Active == cpu.AVX512 {
		return x&y + arrayAndAVX512(dst, a, b)
	}
	return x&y + andByAVX2(dst, a, b)
}

func arrayAndNot(dst, a, b []byte) int {
	if searchable(a, b) {
		return arrayTinyAVX2(dst[:len(a)], a, b, 1)
	}
	if cpu.Active == cpu.Generic || !similar(a, b) {
		return arrayAndNotGeneric(dst, a, b)
	}
	dst = dst[:len(a)]
	if scatteredNot(a, b) {
		var bits bitset.Words
		bitset.Scatter(&bits, b)
		return FilterBits(dst, a, &bits, 1)
	}
	a, x := withoutZero(a)
	b, y := withoutZero(b)
	if x&^y == 1 {
		swar.PutUint16(dst, 0, 0)
		dst = dst[2:]
	}
	dst = dst[:len(a)]
	if cpu.Active == cpu.AVX512 {
		return x&^y + arrayAndNotAVX512(dst, a, b)
	}
	return x&^y + andNotByAVX2(dst, a, b)
}

func andLenByAVX2(a, b []byte) int {
	n, i, j := arrayAndLenAVX2(a, b)
	return n + arrayAndLenGeneric(a[i:], b[j:])
}

func andByAVX2(dst, a, b []byte) int {
	n, i, j := arrayAndAVX2(dst, a, b)
	return n + andRest(dst[2*n:], a, b, i, j)
}

func andNotByAVX2(dst, a, b []byte) int {
	n, i, j := arrayAndNotAVX2(dst, a, b)
	return n + arrayAndNotGeneric(dst[2*n:], a[i:], b[j:])
}

func arrayOr(dst, a, b []byte) int {
	if !Mergeable(a, b) {
		return arrayOrGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	n := 0
	if cpu.Active == cpu.AVX512 {
		n = arrayOrAVX512(dst, a, b)
	} else {
		n = arrayOrAVX2(dst, a, b)
	}
	return putLast(dst, n, endsFull(a)|endsFull(b))
}

func arrayXor(dst, a, b []byte) int {
	if !Mergeable(a, b) {
		return arrayXorGeneric(dst, a, b)
	}
	dst = dst[:len(a)+len(b)]
	n := 0
	if cpu.Active == cpu.AVX512 {
		n = arrayXorAVX512(dst, a, b)
	} else {
		n = arrayXorAVX2(dst, a, b)
	}
	return putLast(dst, n, endsFull(a)^endsFull(b))
}
