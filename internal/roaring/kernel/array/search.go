// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// window is the number of values that end a search: it compares all of them at once, four in a
// word.
const window = 16

// Lanes of a word: uint16 each, or uint16 with a uint8 inside.
const (
	lanes16 = 0x0001000100010001
	highs16 = 0x8000800080008000
	even8   = 0x00FF00FF00FF00FF
	carry16 = 0x0100010001000100
	perWord = 8 // uint8 in a word
)

// halve returns the place of a window of lows in which a search for x can end. All values before it
// are less than x; values behind it do not matter. The number of values less than x is the place
// plus the number of such values in the window. lows has at least window values.
//
// Each step leaves a quarter. Its comparisons do not depend on each other and none is a branch,
// which a processor would guess wrong half of the time.
func halve(lows []byte, x uint16) int {
	lo, n := 0, len(lows)/2
	key := int(x)
	for n > window {
		quarter := n / 4
		last := 2 * (lo + quarter - 1)
		step := (int(swar.Uint16(lows, last)) - key) >> swar.SignBit & quarter
		step += (int(swar.Uint16(lows, last+2*quarter)) - key) >> swar.SignBit & quarter
		step += (int(swar.Uint16(lows, last+4*quarter)) - key) >> swar.SignBit & quarter
		lo += step
		n -= 3 * quarter
	}
	return min(lo, len(lows)/2-window)
}

// Search returns the number of values of lows that are less than x, in O(log n).
func Search(lows []byte, x uint16) int { return searchArray(lows, x) }

func searchArrayGeneric(lows []byte, x uint16) int {
	if len(lows) < 2*window {
		return searchTiny(lows, x)
	}
	at := halve(lows, x)
	w := lows[2*at:]
	w = w[:2*window]
	// A lane of 32 bits overflows into bit 16 when its value is at least x.
	add := (1<<16 - uint64(x)) * swar.Lanes32
	a, b, c, d := swar.Uint64(w, 0), swar.Uint64(w, 8), swar.Uint64(w, 16), swar.Uint64(w, 24)
	sum := (a&swar.Even16+add)&swar.Carry32 + (a>>16&swar.Even16+add)&swar.Carry32
	sum += (b&swar.Even16+add)&swar.Carry32 + (b>>16&swar.Even16+add)&swar.Carry32
	sum += (c&swar.Even16+add)&swar.Carry32 + (c>>16&swar.Even16+add)&swar.Carry32
	sum += (d&swar.Even16+add)&swar.Carry32 + (d>>16&swar.Even16+add)&swar.Carry32
	return at + window - int(sum>>16&0xFF+sum>>48)
}

// searchTiny is Search for less than a window: a quarter of them is chosen, and four compared
// at once. Only their number decides on jumps.
func searchTiny(lows []byte, x uint16) (n int) {
	if len(lows) < 8 {
		for at := 0; at+1 < len(lows); at += 2 {
			n += int(uint(int(swar.Uint16(lows, at))-int(x)) >> swar.SignBit)
		}
		return n
	}
	key, all := int(x), len(lows)/2
	quarter := (all + 3) / 4
	at := (int(swar.Uint16(lows, 2*quarter-2)) - key) >> swar.SignBit & quarter
	at += (int(swar.Uint16(lows, 2*min(2*quarter, all)-2)) - key) >> swar.SignBit & quarter
	at += (int(swar.Uint16(lows, 2*min(3*quarter, all)-2)) - key) >> swar.SignBit & quarter
	at = min(at, all-4)
	add := (1<<16 - uint64(x)) * swar.Lanes32
	a := swar.Uint64(lows, 2*at)
	sum := (a&swar.Even16+add)&swar.Carry32 + (a>>16&swar.Even16+add)&swar.Carry32
	return at + 4 - int(sum>>16&0xFF+sum>>48)
}

// Contains reports whether x is in lows, in O(log n).
func Contains(lows []byte, x uint16) bool { return arrayContains(lows, x) }

func arrayContainsGeneric(lows []byte, x uint16) bool {
	same := uint64(x) * lanes16
	if len(lows) < 2*window {
		for len(lows) >= 8 {
			a := swar.Uint64(lows, 0) ^ same
			if (a-lanes16)&^a&highs16 != 0 {
				return true
			}
			lows = lows[8:]
		}
		for len(lows) >= 2 {
			if swar.Uint16(lows, 0) == x {
				return true
			}
			lows = lows[2:]
		}
		return false
	}
	w := lows[2*halve(lows, x):]
	w = w[:2*window]
	// The lowest lane that is zero, and no lane below it, borrows into its highest bit.
	a, b, c, d := swar.Uint64(w, 0)^same, swar.Uint64(w, 8)^same, swar.Uint64(w, 16)^same, swar.Uint64(w, 24)^same
	return ((a-lanes16)&^a|(b-lanes16)&^b|(c-lanes16)&^c|(d-lanes16)&^d)&highs16 != 0
}

// SearchKeys returns the number of values of lows that are at most x, in O(log n).
func SearchKeys(lows []byte, x uint16) int {
	if x == 1<<16-1 {
		return len(lows) / 2
	}
	return Search(lows, x+1)
}

// SearchBytes returns the number of bytes of an ascending list that are at most x, in O(log n).
func SearchBytes(list []byte, x uint8) int {
	lo := 0
	for n := len(list); n > perWord; {
		half := n / 2
		lo += ^((int(x) - int(list[lo+half-1])) >> swar.SignBit) & half
		n -= half
	}
	rest := list[lo:]
	if len(list) >= perWord {
		lo = min(lo, len(list)-perWord)
		// A lane of 16 bits overflows into bit 8 when its value is larger than x.
		a, add := swar.Uint64(list, lo), (0xFF-uint64(x))*lanes16
		return lo + perWord - bits.OnesCount64((a&even8+add)&carry16|(a>>8&even8+add)&carry16>>1)
	}
	for _, c := range rest {
		lo += 1 - int(uint(int(x)-int(c))>>swar.SignBit)
	}
	return lo
}

// Gallop returns the first index from on whose value is at least x, in O(log distance)
// (Bentley, Yao 1976).
func Gallop(lows []byte, from int, x uint16) int {
	n := len(lows) / 2
	step := 1
	at := from
	for at < n && swar.Uint16(lows, 2*at) < x {
		from = at + 1
		at += step
		step *= 2
	}
	end := min(at, n)
	return from + Search(lows[2*from:2*end], x)
}
