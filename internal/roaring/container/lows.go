// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// NextLow returns the smallest value ≥ low of a payload that is not packed.
func NextLow(kind uint8, data []byte, low uint16) (next uint16, ok bool) {
	switch kind {
	case Bitset:
		return bitset.Next((*bitset.Words)(data), low)
	case Run:
		i := run.Search(data, low)
		if i > 0 {
			if _, hi := run.At(data, i-1); int(low) < hi {
				return low, true
			}
		}
		if i == len(data)/4 {
			return 0, false
		}
		lo, _ := run.At(data, i)
		return uint16(lo), lo >= int(low)
	}
	i := array.Search(data, low)
	if i == len(data)/2 {
		return 0, false
	}
	next = array.Low(data, i)
	return next, next >= low
}

// PreviousLow returns the largest value ≤ low of a payload that is not packed.
func PreviousLow(kind uint8, data []byte, low uint16) (previous uint16, ok bool) {
	switch kind {
	case Bitset:
		return bitset.Previous((*bitset.Words)(data), low)
	case Run:
		i := run.Search(data, low)
		if i == 0 {
			return 0, false
		}
		lo, hi := run.At(data, i-1)
		return uint16(min(int(low), hi-1)), lo <= int(low)
	}
	i := array.Search(data, low)
	if i < len(data)/2 && array.Low(data, i) == low {
		return low, true
	}
	if i == 0 {
		return 0, false
	}
	previous = array.Low(data, i-1)
	return previous, previous <= low
}
