// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// From this many changes on, and one for each mergedRatio values, the kernels that merge arrays
// take all values. For fewer changes, what lies between them is copied. If there are both set and
// unset values, they pass through two kernels. With AVX-512 this is faster for a few changes as
// well; the other kernels are slower than copying for few.
const (
	mergedChanges       = 8
	mergedChangesAVX512 = 2
)

// patch is the difference from what is unset and then the union with what is set, each by vectors.
func patch(dst, lows []byte, set, unset []uint16) int {
	changes := len(set) + len(unset)
	if len(set) > 0 && len(unset) > 0 {
		changes /= 2
	}
	least := mergedChanges
	if cpu.Active == cpu.AVX512 {
		least = mergedChangesAVX512
	}
	switch {
	case cpu.Active == cpu.Generic || changes < least || len(lows) > min(2*mergedRatio*changes, maxKept):
		return patchGeneric(dst, lows, set, unset)
	case len(unset) == 0:
		return arrayOr(dst, lows, asArray(set))
	case len(set) == 0:
		return arrayAndNot(dst, lows, asArray(unset))
	}
	var kept [maxKept]byte
	n := arrayAndNot(kept[:len(lows)], lows, asArray(unset))
	return arrayOr(dst, kept[:2*n], asArray(set))
}

// keepLows is FilterBits of lows that are no bytes yet.
func keepLows(dst, lows []uint16, a *bitset.Words) int {
	return FilterBits(asArray(dst[:len(lows)]), asArray(lows), a, 0)
}

// maxKept is up to how many bytes of an array there is room for the difference on the stack.
const maxKept = len(bitset.Words{})

// asArray returns lows as an array without a copy. It is for processors that store the lower byte
// first.
func asArray(lows []uint16) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(lows))), 2*len(lows))
}
