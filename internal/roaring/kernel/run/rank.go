// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// runWindow is the number of runs whose starts are compared all at once, two in a word.
const runWindow = 8

// Search returns the number of runs that start at or before x, in O(log runs): as [array.Search]
// searches.
func Search(runs []byte, x uint16) int {
	n := len(runs) / 4
	key, lo := int(x), 0
	if n < runWindow {
		for at := 0; at+3 < len(runs); at += 4 {
			lo += 1 - int(uint(key-int(swar.Uint16(runs, at)))>>swar.SignBit)
		}
		return lo
	}
	for rest := n; rest > runWindow; {
		quarter := rest / 4
		last := 4 * (lo + quarter - 1)
		step := ^((key - int(swar.Uint16(runs, last))) >> swar.SignBit) & quarter
		step += ^((key - int(swar.Uint16(runs, last+4*quarter))) >> swar.SignBit) & quarter
		step += ^((key - int(swar.Uint16(runs, last+8*quarter))) >> swar.SignBit) & quarter
		lo += step
		rest -= 3 * quarter
	}
	lo = min(lo, n-runWindow)
	w := runs[4*lo:]
	w = w[:4*runWindow]
	// A lane of 32 bits overflows into bit 16 when the start is larger than x.
	add := (1<<16 - 1 - uint64(x)) * swar.Lanes32
	sum := (swar.Uint64(w, 0)&swar.Even16+add)&swar.Carry32 + (swar.Uint64(w, 8)&swar.Even16+add)&swar.Carry32
	sum += (swar.Uint64(w, 16)&swar.Even16+add)&swar.Carry32 + (swar.Uint64(w, 24)&swar.Even16+add)&swar.Carry32
	return lo + runWindow - int(sum>>16&0xFF+sum>>48)
}

// Contains reports whether x lies in a run, in O(log runs).
func Contains(runs []byte, x uint16) bool {
	i := Search(runs, x)
	return i > 0 && x-swar.Uint16(runs, 4*i-4) <= swar.Uint16(runs, 4*i-2)
}

// Len returns the number of values of runs, at most 65 536.
func Len(runs []byte) int {
	n := len(runs) / 4
	lanes, at := uint64(0), 0
	for ; at+8 <= len(runs); at += 8 {
		lanes += swar.Uint64(runs, at) >> 16 & swar.Even16
	}
	if at+4 <= len(runs) {
		lanes += uint64(swar.Uint16(runs, at+2))
	}
	return min(n+int(lanes&(1<<32-1)+lanes>>32), 1<<16)
}

// Rank returns the number of values ≤ x.
func Rank(runs []byte, x uint16) (n int) {
	i := Search(runs, x)
	if i == 0 {
		return 0
	}
	n = Len(runs[:4*i-4])
	lo, hi := At(runs, i-1)
	return n + min(hi, int(x)+1) - lo
}

// Select returns the i-th value, from 0. i is below 2^32. ok is false if there are too few values.
func Select(runs []byte, i int) (x uint16, ok bool) { return runSelect(runs, uint32(i)) }

func runSelectGeneric(runs []byte, i uint32) (x uint16, ok bool) {
	at := 0
	for ; at+16 <= len(runs); at += 16 {
		// Four runs at a time.
		lanes := swar.Uint64(runs, at)>>16&swar.Even16 + swar.Uint64(runs, at+8)>>16&swar.Even16
		n := uint32(lanes) + uint32(lanes>>32) + 4
		if i < n {
			break
		}
		i -= n
	}
	for ; at+3 < len(runs); at += 4 {
		n := uint32(swar.Uint16(runs, at+2)) + 1
		if i < n {
			return swar.Uint16(runs, at) + uint16(i), true
		}
		i -= n
	}
	return 0, false
}
