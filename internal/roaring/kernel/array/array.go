// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// An array this many times as long as the other is searched for each value of the other. Each
// search covers all of it. Such searches do not wait for each other, so they overlap and beat
// galloping from one value to the next.
const (
	generalRatio = 12
	gallopRatio  = 24 // where values are copied between those of the other
)

// Low returns value i of lows. The cost is constant.
func Low(lows []byte, i int) uint16 {
	return binary.LittleEndian.Uint16(lows[2*i : 2*i+2])
}

// AndLen returns the number of values that two arrays have in common.
func AndLen(a, b []byte) int {
	if swar.FitCommonLen(a, b) {
		return swar.CommonLen(a, b)
	}
	return arrayAndLen(a, b)
}

func arrayAndLenGeneric(a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > generalRatio*len(a) {
		for i := 0; i+1 < len(a); i += 2 {
			if arrayContainsGeneric(b, swar.Uint16(a, i)) {
				n++
			}
		}
		return n
	}
	if len(a)+len(b) >= 2*bitset.ScatterFrom {
		var bits bitset.Words
		bitset.Scatter(&bits, a)
		return BitsetAndLen(b, &bits)
	}
	// From both ends at once: a step waits for the one before it at its end only.
	i, j, p, q := 0, 0, len(a)&^1-2, len(b)&^1-2
	for i < p && j < q {
		d, e := int(swar.Uint16(a, i))-int(swar.Uint16(b, j)), int(swar.Uint16(a, p))-int(swar.Uint16(b, q))
		if d == 0 {
			n++
		}
		if e == 0 {
			n++
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2
		p -= int(uint(-e-1)>>swar.SignBit) * 2
		q -= int(uint(e-1)>>swar.SignBit) * 2
	}
	for i <= p && j <= q {
		d := int(swar.Uint16(a, i)) - int(swar.Uint16(b, j))
		if d == 0 {
			n++
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2
	}
	return n
}

// Intersects reports whether two arrays have a value in common.
func Intersects(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) <= generalRatio*len(a) {
		// A merge stops at the first hit, a scatter could not.
		i, j := 0, 0
		for i+1 < len(a) && j+1 < len(b) {
			d := int(swar.Uint16(a, i)) - int(swar.Uint16(b, j))
			if d == 0 {
				return true
			}
			i += int(uint(d-1)>>swar.SignBit) * 2
			j += int(uint(-d-1)>>swar.SignBit) * 2
		}
		return false
	}
	for i := 0; i+1 < len(a); i += 2 {
		if Contains(b, swar.Uint16(a, i)) {
			return true
		}
	}
	return false
}

// And writes the values that a and b have in common and returns their number. dst must have
// room for the shorter of both; it must not overlap them.
func And(dst, a, b []byte) int { return arrayAnd(dst, a, b) }

func arrayAndGeneric(dst, a, b []byte) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	dst = dst[:len(a)]
	if len(b) > generalRatio*len(a) {
		return keepTiny(dst, a, b, true)
	}
	if len(a)+len(b) >= 2*bitset.ScatterFrom {
		var bits bitset.Words
		bitset.Scatter(&bits, b)
		return FilterBits(dst, a, &bits, 0)
	}
	// From both ends at once: a step waits for the one before it at its end only. What is found
	// from the end on waits at the end of dst.
	i, j, p, q, end := 0, 0, len(a)&^1-2, len(b)&^1-2, len(dst)&^1
	for i < p && j < q {
		x, y := swar.Uint16(a, i), swar.Uint16(a, p)
		d, e := int(x)-int(swar.Uint16(b, j)), int(y)-int(swar.Uint16(b, q))
		if d == 0 {
			swar.PutUint16(dst, 2*n, x)
			n++
		}
		if e == 0 {
			end -= 2
			swar.PutUint16(dst, end, y)
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2
		p -= int(uint(-e-1)>>swar.SignBit) * 2
		q -= int(uint(e-1)>>swar.SignBit) * 2
	}
	for i <= p && j <= q {
		x := swar.Uint16(a, i)
		d := int(x) - int(swar.Uint16(b, j))
		if d == 0 {
			swar.PutUint16(dst, 2*n, x)
			n++
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2
	}
	return n + copy(dst[2*n:], dst[end:len(dst)&^1])/2
}

// AndNot writes the values of a that b has not and returns their number. dst must have room
// for a and not overlap the operands.
func AndNot(dst, a, b []byte) int { return arrayAndNot(dst, a, b) }

func arrayAndNotGeneric(dst, a, b []byte) (n int) {
	dst = dst[:len(a)]
	switch {
	case len(a) > gallopRatio*len(b):
		return mergeTiny(dst, a, b, false, false)
	case len(b) > generalRatio*len(a):
		return keepTiny(dst, a, b, false)
	case len(a)+len(b) >= 2*bitset.ScatterFrom:
		var bits bitset.Words
		bitset.Scatter(&bits, b)
		return FilterBits(dst, a, &bits, 1)
	}
	j := 0
	for i := 0; i+1 < len(a); i += 2 {
		x := swar.Uint16(a, i)
		j = Gallop(b, j, x)
		if 2*j+1 < len(b) && swar.Uint16(b, 2*j) == x {
			continue
		}
		swar.PutUint16(dst, 2*n, x)
		n++
	}
	return n
}

// Or writes the values of both arrays and returns their number. dst must have room for both
// together and not overlap them.
func Or(dst, a, b []byte) int { return arrayOr(dst, a, b) }

func arrayOrGeneric(dst, a, b []byte) int { return mergeArrays(dst, a, b, 1) }

// Xor writes the values that only one of both arrays has and returns their number. dst must
// have room for both together and not overlap them.
func Xor(dst, a, b []byte) int { return arrayXor(dst, a, b) }

func arrayXorGeneric(dst, a, b []byte) int { return mergeArrays(dst, a, b, 0) }

// mergeArrays writes the values of both, and those in common only if both is 1.
//
// Two merges run side by side, of the lower and the upper halves: each waits for its own
// comparisons, so that the processor works on the other meanwhile.
func mergeArrays(dst, a, b []byte, both int) int {
	dst = dst[:len(a)+len(b)]
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < 16 {
		return mergeTiny(dst, a, b, true, both == 1)
	}
	mid := len(a) / 4 * 2
	cut := 2 * Search(b, swar.Uint16(a, mid))
	a1, a2, b1, b2 := a[:mid], a[mid:], b[:cut], b[cut:]
	upper := dst[mid+cut:]
	i, j, k, l, n, m := 0, 0, 0, 0, 0, 0
	for i+1 < len(a1) && j+1 < len(b1) && k+1 < len(a2) && l+1 < len(b2) {
		x, y := swar.Uint16(a1, i), swar.Uint16(b1, j)
		d := int(x) - int(y)
		swar.PutUint16(dst, n, min(x, y))
		n += 2
		if d == 0 {
			n -= 2 - 2*both
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2

		x, y = swar.Uint16(a2, k), swar.Uint16(b2, l)
		d = int(x) - int(y)
		swar.PutUint16(upper, m, min(x, y))
		m += 2
		if d == 0 {
			m -= 2 - 2*both
		}
		k += int(uint(d-1)>>swar.SignBit) * 2
		l += int(uint(-d-1)>>swar.SignBit) * 2
	}
	n += 2 * mergeRest(dst[n:mid+cut], a1[i:], b1[j:], both)
	m += 2 * mergeRest(upper[m:], a2[k:], b2[l:], both)
	return (n + copy(dst[n:], upper[:m])) / 2
}

// mergeRest merges one value at a time.
func mergeRest(dst, a, b []byte, both int) int {
	i, j, n := 0, 0, 0
	for i+1 < len(a) && j+1 < len(b) {
		x, y := swar.Uint16(a, i), swar.Uint16(b, j)
		d := int(x) - int(y)
		swar.PutUint16(dst, n, min(x, y))
		n += 2
		if d == 0 {
			n -= 2 - 2*both
		}
		i += int(uint(d-1)>>swar.SignBit) * 2
		j += int(uint(-d-1)>>swar.SignBit) * 2
	}
	n += copy(dst[n:], a[i:])
	n += copy(dst[n:], b[j:])
	return n / 2
}

// mergeTiny merges a short b into a by copying what lies between its values. alone says whether a
// value that only b has is written, both whether one that a has as well is.
func mergeTiny(dst, a, b []byte, alone, both bool) int {
	n, at := 0, 0
	for j := 0; j+1 < len(b); j += 2 {
		y := swar.Uint16(b, j)
		next := Gallop(a, at, y)
		n += copy(dst[n:], a[2*at:2*next])
		at = next
		written := alone
		if 2*at+1 < len(a) && swar.Uint16(a, 2*at) == y {
			at++
			written = both
		}
		if written {
			swar.PutUint16(dst, n, y)
			n += 2
		}
	}
	return (n + copy(dst[n:], a[2*at:])) / 2
}

// keepTiny writes the values of a short a that b has or, if want is false, has not.
func keepTiny(dst, a, b []byte, want bool) (n int) {
	for i := 0; i+1 < len(a); i += 2 {
		x := swar.Uint16(a, i)
		swar.PutUint16(dst, n, x)
		if arrayContainsGeneric(b, x) == want {
			n += 2
		}
	}
	return n / 2
}
