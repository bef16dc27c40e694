// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// KeepLows writes those of lows whose bit is one, in their order, and returns their number. dst
// must have the room of lows; it may be lows.
func KeepLows(dst, lows []uint16, a *bitset.Words) (n int) {
	n = keepLows(dst, lows[:min(len(lows), maxLows)], a)
	for i := maxLows; i < len(lows); i += maxLows {
		k := keepLows(dst[i:], lows[i:min(len(lows), i+maxLows)], a)
		n += copy(dst[n:], dst[i:i+k])
	}
	return n
}

// maxLows is the number of lows, in any order, that are looked up in one call. A call cannot be
// interrupted. There are as many different lows.
const maxLows = 1 << 16

func keepLowsGeneric(dst, lows []uint16, a *bitset.Words) (n int) {
	dst = dst[:len(lows)]
	for _, x := range lows {
		dst[n] = x
		n += int(a[x>>3] >> (x & 7) & 1)
	}
	return n
}

// Patch writes the values of lows without those of unset and with those of set. It returns their
// number. All three ascend. A value in both set and unset is written. dst must have room for lows
// and set together, and not overlap lows.
//
// It is the merge of a delta into a list: O(changes · log(distance) + bytes) for few changes,
// O(values + changes) for many.
func Patch(dst, lows []byte, set, unset []uint16) int {
	return patch(dst[:len(lows)+2*len(set)], lows, set, unset)
}

// Many changes pass through a bitset, few are merged by copying what lies between them. The bitset
// has a fixed cost and a small one for each value. It pays from scatterChanges on, and one more
// change for each scatteredRatio values.
const (
	scatterChanges = 100
	scatteredRatio = 8
)

func patchGeneric(dst, lows []byte, set, unset []uint16) int {
	if changes := len(set) + len(unset); len(lows) < 2*scatteredRatio*(changes-scatterChanges) {
		var bits bitset.Words
		bitset.Scatter(&bits, lows)
		bitset.ClearLows(&bits, unset)
		bitset.SetLows(&bits, set)
		return bitset.ToArray(dst, &bits)
	}
	n, at := 0, 0
	for len(set) > 0 || len(unset) > 0 {
		// The next value that is named, and whether it stays.
		var x uint16
		keep := len(set) > 0 && (len(unset) == 0 || set[0] <= unset[0])
		if keep {
			x, set = set[0], set[1:]
		} else {
			x, unset = unset[0], unset[1:]
		}
		next := Gallop(lows, at, x)
		n += copy(dst[n:], lows[2*at:2*next])
		at = next
		for 2*at+1 < len(lows) && swar.Uint16(lows, 2*at) == x {
			at++
		}
		for len(set) > 0 && set[0] == x {
			set = set[1:]
		}
		for len(unset) > 0 && unset[0] == x {
			unset = unset[1:]
		}
		if keep {
			swar.PutUint16(dst, n, x)
			n += 2
		}
	}
	return (n + copy(dst[n:], lows[2*at:])) / 2
}
