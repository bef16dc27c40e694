// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// SearchArray returns the number of values of lows that are less than x, in O(log n).
func SearchArray(lows []byte, x uint16) int {
	lo, n := 0, len(lows)/2
	for n > 0 {
		half := n / 2
		next := lo
		if load16(lows, 2*(lo+half)) < x {
			next = lo + half + 1
			half = n - half - 1
		}
		lo, n = next, half
	}
	return lo
}

// SearchKeys returns the number of values of lows that are at most x, in O(log n).
func SearchKeys(lows []byte, x uint16) int {
	if x == 1<<16-1 {
		return len(lows) / 2
	}
	return SearchArray(lows, x+1)
}

// SearchBytes returns the number of bytes of an ascending list that are at most x, in O(log n).
func SearchBytes(list []byte, x uint8) int {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if list[mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// gallopArray returns the first index from on whose value is at least x, in O(log distance) (Bentley, Yao 1976).
func gallopArray(lows []byte, from int, x uint16) int {
	n := len(lows) / 2
	step := 1
	at := from
	for at < n && load16(lows, 2*at) < x {
		from = at + 1
		at += step
		step *= 2
	}
	end := min(at, n)
	return from + SearchArray(lows[2*from:2*end], x)
}
