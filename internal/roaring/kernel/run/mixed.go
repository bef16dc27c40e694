// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Set makes the bits of runs ones and returns how many were not.
func Set(a *bitset.Words, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += bitset.SetRange(a, lo, hi)
	}
	return n
}

// Clear makes the bits of runs zeros and returns how many were not.
func Clear(a *bitset.Words, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += bitset.ClearRange(a, lo, hi)
	}
	return n
}

// Flip inverts the bits of runs and returns by how many the number of ones grew.
func Flip(a *bitset.Words, runs []byte) (grown int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		grown += bitset.FlipRange(a, lo, hi)
	}
	return grown
}

// Keep makes the bits outside the runs zeros and returns how many were not.
func Keep(a *bitset.Words, runs []byte) (n int) {
	kept := 0
	for i := range len(runs) / 4 {
		lo, hi := At(runs, i)
		if kept < lo {
			n += bitset.ClearRange(a, kept, lo)
		}
		kept = max(kept, hi)
	}
	if kept < 1<<16 {
		n += bitset.ClearRange(a, kept, 1<<16)
	}
	return n
}

// manyRuns is the number of runs from which they are made a bitset to be combined with another one.
// Each run has a cost: its ends, and the test whether there are words between them.
const manyRuns = 48

// fillable reports whether lows should be looked up in a bitset of the runs instead of in the runs.
// Searching for a low or a run costs much more than filling a run; looking a low up costs least.
func fillable(lows, runs []byte) bool {
	values, n := len(lows)/2, len(runs)/4
	return min(values, 2*n) >= 16 && values <= 32*n && n <= 4*values
}

// BitsetAndLen returns the number of ones inside the runs.
func BitsetAndLen(runs []byte, a *bitset.Words) (n int) {
	if len(runs) >= 4*manyRuns {
		var bits bitset.Words
		bitset.FillRuns(&bits, runs)
		return bitset.AndLen(&bits, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += bitset.RangeLen(a, lo, hi)
	}
	return min(n, 1<<16)
}

// BitsetIntersects reports whether there is a one inside the runs.
func BitsetIntersects(runs []byte, a *bitset.Words) bool {
	one := -1 // the first one from the start of some run on
	for i := range len(runs) / 4 {
		lo, hi := At(runs, i)
		if one < lo {
			next, ok := bitset.Next(a, uint16(lo))
			if !ok {
				return false
			}
			one = int(next)
		}
		if one < hi {
			return true
		}
	}
	return false
}

// BitsetToArray writes the places of the ones inside the runs as lows, and returns their number. It
// stops when dst is full.
func BitsetToArray(dst, runs []byte, a *bitset.Words) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += 2 * bitset.RangeToArray(dst[n:], a, lo, hi)
	}
	return n / 2
}

// BitsetAnd writes the ones inside the runs as words and returns their number. dst must not be
// a.
func BitsetAnd(dst *bitset.Words, runs []byte, a *bitset.Words) (n int) {
	clear(dst[:])
	if len(runs) >= 4*manyRuns {
		bitset.FillRuns(dst, runs)
		return bitset.And(dst, dst, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += bitset.CopyRange(dst, a, lo, hi, 0)
	}
	return min(n, 1<<16)
}

// BitsetAndNot writes the places inside the runs that are not ones of a as words and returns
// their number. dst must not be a.
func BitsetAndNot(dst *bitset.Words, runs []byte, a *bitset.Words) (n int) {
	clear(dst[:])
	if len(runs) >= 4*manyRuns {
		bitset.FillRuns(dst, runs)
		return bitset.AndNot(dst, dst, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := From(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += bitset.CopyRange(dst, a, lo, hi, ^uint64(0))
	}
	return min(n, 1<<16)
}

// ArrayAndLen returns the number of values of lows inside the runs.
func ArrayAndLen(lows, runs []byte) (n int) {
	if fillable(lows, runs) {
		var bits bitset.Words
		bitset.FillRuns(&bits, runs)
		return array.BitsetAndLen(lows, &bits)
	}
	if len(lows)/2 < len(runs)/4 {
		at := 0
		for i := 0; i+1 < len(lows); i += 2 {
			x := swar.Uint16(lows, i)
			at = searchRuns(runs, at, x)
			if at > 0 && x-swar.Uint16(runs, 4*at-4) <= swar.Uint16(runs, 4*at-2) {
				n++
			}
		}
		return n
	}
	at := 0
	for i := range len(runs) / 4 {
		lo, hi := At(runs, i)
		from := array.Gallop(lows, at, uint16(lo))
		at = array.Gallop(lows, from, uint16(hi-1))
		if 2*at+1 < len(lows) && int(swar.Uint16(lows, 2*at)) == hi-1 {
			at++
		}
		n += at - from
	}
	return n
}

// ArrayAnd writes the values of lows inside the runs and returns their number. dst must have the
// room of lows and not overlap it.
func ArrayAnd(dst, lows, runs []byte) (n int) {
	return filterRuns(dst, lows, runs, true)
}

// ArrayAndNot writes the values of lows outside the runs and returns their number. dst must have
// the room of lows and not overlap it.
func ArrayAndNot(dst, lows, runs []byte) (n int) {
	return filterRuns(dst, lows, runs, false)
}

// filterRuns writes the values of lows that are inside the runs, or the values outside of them.
func filterRuns(dst, lows, runs []byte, inside bool) (n int) {
	dst = dst[:len(lows)]
	if fillable(lows, runs) {
		var bits bitset.Words
		bitset.FillRuns(&bits, runs)
		return array.FilterBits(dst, lows, &bits, 1-swar.One(inside))
	}
	at := 0
	if len(lows)/2 < len(runs)/4 {
		for i := 0; i+1 < len(lows); i += 2 {
			x := swar.Uint16(lows, i)
			at = searchRuns(runs, at, x)
			if (at > 0 && x-swar.Uint16(runs, 4*at-4) <= swar.Uint16(runs, 4*at-2)) == inside {
				swar.PutUint16(dst, n, x)
				n += 2
			}
		}
		return n / 2
	}
	for i := range len(runs) / 4 {
		lo, hi := At(runs, i)
		from := array.Gallop(lows, at, uint16(lo))
		if !inside {
			n += copy(dst[n:], lows[2*at:2*from])
		}
		at = array.Gallop(lows, from, uint16(hi-1))
		if 2*at+1 < len(lows) && int(swar.Uint16(lows, 2*at)) == hi-1 {
			at++
		}
		if inside {
			n += copy(dst[n:], lows[2*from:2*at])
		}
	}
	if !inside {
		n += copy(dst[n:], lows[2*at:])
	}
	return n / 2
}

// ArrayIntersects reports whether a value of lows lies in a run.
func ArrayIntersects(lows, runs []byte) bool {
	at := 0
	for i := range len(runs) / 4 {
		lo, hi := At(runs, i)
		at = array.Gallop(lows, at, uint16(lo))
		if 2*at+1 >= len(lows) {
			return false
		}
		if x := int(swar.Uint16(lows, 2*at)); x >= lo && x < hi {
			return true
		}
	}
	return false
}
