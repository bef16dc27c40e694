// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// SetArray makes the bits of lows ones and returns how many were not.
func SetArray(a *Words, lows []byte) (n int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := load16(lows, i)
		old := a[x>>3]
		a[x>>3] = old | 1<<(x&7)
		n += int(^old >> (x & 7) & 1)
	}
	return n
}

// ClearArray makes the bits of lows zeros and returns how many were not.
func ClearArray(a *Words, lows []byte) (n int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := load16(lows, i)
		old := a[x>>3]
		a[x>>3] = old &^ (1 << (x & 7))
		n += int(old >> (x & 7) & 1)
	}
	return n
}

// FlipArray inverts the bits of lows and returns by how many the number of ones grew.
func FlipArray(a *Words, lows []byte) (grown int) {
	for i := 0; i+1 < len(lows); i += 2 {
		x := load16(lows, i)
		old := a[x>>3]
		a[x>>3] = old ^ 1<<(x&7)
		grown += 1 - 2*int(old>>(x&7)&1)
	}
	return grown
}

// SetRuns makes the bits of runs ones and returns how many were not.
func SetRuns(a *Words, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += SetRange(a, lo, hi)
	}
	return n
}

// ClearRuns makes the bits of runs zeros and returns how many were not.
func ClearRuns(a *Words, runs []byte) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += ClearRange(a, lo, hi)
	}
	return n
}

// FlipRuns inverts the bits of runs and returns by how many the number of ones grew.
func FlipRuns(a *Words, runs []byte) (grown int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		grown += FlipRange(a, lo, hi)
	}
	return grown
}

// KeepRuns makes the bits outside the runs zeros and returns how many were not.
func KeepRuns(a *Words, runs []byte) (n int) {
	kept := 0
	for i := range len(runs) / 4 {
		lo, hi := Run(runs, i)
		if kept < lo {
			n += ClearRange(a, kept, lo)
		}
		kept = max(kept, hi)
	}
	if kept < 1<<16 {
		n += ClearRange(a, kept, 1<<16)
	}
	return n
}

// ArrayBitsetAndLen returns the number of values of lows whose bit is one.
func ArrayBitsetAndLen(lows []byte, a *Words) int { return arrayBitsetAndLen(lows, a) }

func arrayBitsetAndLenGeneric(lows []byte, a *Words) (n int) {
	for len(lows) >= 8 {
		four := leUint64(lows, 0)
		lows = lows[8:]
		n += bit(a, uint16(four)) + bit(a, uint16(four>>16)) + bit(a, uint16(four>>32)) + bit(a, uint16(four>>48))
	}
	for i := 0; i+1 < len(lows); i += 2 {
		n += bit(a, load16(lows, i))
	}
	return n
}

// ArrayBitsetIntersects reports whether the bit of a value of lows is one.
func ArrayBitsetIntersects(lows []byte, a *Words) bool {
	for i := 0; i+1 < len(lows); i += 2 {
		if x := load16(lows, i); a[x>>3]>>(x&7)&1 != 0 {
			return true
		}
	}
	return false
}

// ArrayBitsetAnd writes the values of lows whose bit is one and returns their number. dst must have
// the room of lows; it may be lows.
func ArrayBitsetAnd(dst, lows []byte, a *Words) int { return filterBits(dst, lows, a, 0) }

// ArrayBitsetAndNot writes the values of lows whose bit is zero and returns their number. dst must
// have the room of lows; it may be lows.
func ArrayBitsetAndNot(dst, lows []byte, a *Words) int { return filterBits(dst, lows, a, 1) }

// manyRuns is the number of runs from which they are made a bitset, to be combined with another:
// the ends of a run, and whether there are words between them, cost some 6 ns.
const manyRuns = 48

// fillable reports whether runs are so many that values, or rather their lows, are looked up in a
// bitset of them, and not in them: a run costs 2 ns to fill, a value 0.15 to look up, and either
// some 10 to search for.
func fillable(lows, runs []byte) bool {
	values, n := len(lows)/2, len(runs)/4
	return min(values, 2*n) >= 16 && values <= 32*n && n <= 4*values
}

// RunBitsetAndLen returns the number of ones inside the runs.
func RunBitsetAndLen(runs []byte, a *Words) (n int) {
	if len(runs) >= 4*manyRuns {
		var bits Words
		FillRuns(&bits, runs)
		return BitsetAndLen(&bits, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += RangeLen(a, lo, hi)
	}
	return min(n, 1<<16)
}

// RunBitsetIntersects reports whether there is a one inside the runs.
func RunBitsetIntersects(runs []byte, a *Words) bool {
	one := -1 // the first one from the start of some run on
	for i := range len(runs) / 4 {
		lo, hi := Run(runs, i)
		if one < lo {
			next, ok := BitsetNext(a, uint16(lo))
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

// RunBitsetToArray writes the places of the ones inside the runs as lows, as many as dst has room
// for, and returns their number.
func RunBitsetToArray(dst, runs []byte, a *Words) (n int) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += 2 * rangeToArray(dst[n:], a, lo, hi)
	}
	return n / 2
}

// RunBitsetAnd writes the ones inside the runs as words and returns their number. dst must not be
// a.
func RunBitsetAnd(dst *Words, runs []byte, a *Words) (n int) {
	clear(dst[:])
	if len(runs) >= 4*manyRuns {
		FillRuns(dst, runs)
		return BitsetAnd(dst, dst, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += copyRange(dst, a, lo, hi, 0)
	}
	return min(n, 1<<16)
}

// RunBitsetAndNot writes the places inside the runs that are not ones of a as words and returns
// their number. dst must not be a.
func RunBitsetAndNot(dst *Words, runs []byte, a *Words) (n int) {
	clear(dst[:])
	if len(runs) >= 4*manyRuns {
		FillRuns(dst, runs)
		return BitsetAndNot(dst, dst, a)
	}
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := RunFrom(runs, i, next)
		if lo >= hi {
			continue
		}
		next = hi
		n += copyRange(dst, a, lo, hi, ^uint64(0))
	}
	return min(n, 1<<16)
}

// ArrayRunAndLen returns the number of values of lows inside the runs.
func ArrayRunAndLen(lows, runs []byte) (n int) {
	if fillable(lows, runs) {
		var bits Words
		FillRuns(&bits, runs)
		return ArrayBitsetAndLen(lows, &bits)
	}
	if len(lows)/2 < len(runs)/4 {
		at := 0
		for i := 0; i+1 < len(lows); i += 2 {
			x := load16(lows, i)
			at = searchRuns(runs, at, x)
			if at > 0 && x-load16(runs, 4*at-4) <= load16(runs, 4*at-2) {
				n++
			}
		}
		return n
	}
	at := 0
	for i := range len(runs) / 4 {
		lo, hi := Run(runs, i)
		from := gallopArray(lows, at, uint16(lo))
		at = gallopArray(lows, from, uint16(hi-1))
		if 2*at+1 < len(lows) && int(load16(lows, 2*at)) == hi-1 {
			at++
		}
		n += at - from
	}
	return n
}

// ArrayRunAnd writes the values of lows inside the runs and returns their number. dst must have the
// room of lows and not overlap it.
func ArrayRunAnd(dst, lows, runs []byte) (n int) {
	return filterRuns(dst, lows, runs, true)
}

// ArrayRunAndNot writes the values of lows outside the runs and returns their number. dst must have
// the room of lows and not overlap it.
func ArrayRunAndNot(dst, lows, runs []byte) (n int) {
	return filterRuns(dst, lows, runs, false)
}

// filterRuns writes the values of lows that are inside the runs, or those that are outside.
func filterRuns(dst, lows, runs []byte, inside bool) (n int) {
	dst = dst[:len(lows)]
	if fillable(lows, runs) {
		var bits Words
		FillRuns(&bits, runs)
		return filterBits(dst, lows, &bits, 1-one(inside))
	}
	at := 0
	if len(lows)/2 < len(runs)/4 {
		for i := 0; i+1 < len(lows); i += 2 {
			x := load16(lows, i)
			at = searchRuns(runs, at, x)
			if (at > 0 && x-load16(runs, 4*at-4) <= load16(runs, 4*at-2)) == inside {
				store16(dst, n, x)
				n += 2
			}
		}
		return n / 2
	}
	for i := range len(runs) / 4 {
		lo, hi := Run(runs, i)
		from := gallopArray(lows, at, uint16(lo))
		if !inside {
			n += copy(dst[n:], lows[2*at:2*from])
		}
		at = gallopArray(lows, from, uint16(hi-1))
		if 2*at+1 < len(lows) && int(load16(lows, 2*at)) == hi-1 {
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

// ArrayRunIntersects reports whether a value of lows lies in a run.
func ArrayRunIntersects(lows, runs []byte) bool {
	at := 0
	for i := range len(runs) / 4 {
		lo, hi := Run(runs, i)
		at = gallopArray(lows, at, uint16(lo))
		if 2*at+1 >= len(lows) {
			return false
		}
		if x := int(load16(lows, 2*at)); x >= lo && x < hi {
			return true
		}
	}
	return false
}

// filterBitsGeneric writes the values of lows whose bit, exclusive-ored with flip, is one, and
// returns their number. dst must have the room of lows.
func filterBitsGeneric(dst, lows []byte, bits *Words, flip int) (n int) {
	dst = dst[:len(lows)]
	for i := 0; i+1 < len(lows); i += 2 {
		x := load16(lows, i)
		store16(dst, n, x)
		n += 2 * (bit(bits, x) ^ flip)
	}
	return n / 2
}
