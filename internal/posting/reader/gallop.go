// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import "sort"

// gallopTo returns how many of some lows, of which the first does, are at most a bound: in steps
// that double, as there often are few.
func gallopTo(lows []uint16, most uint64) int {
	n := 1
	for 2*n < len(lows) && uint64(lows[2*n]) <= most {
		n *= 2
	}
	rest := lows[n:min(2*n, len(lows))]
	return n + sort.Search(len(rest), func(i int) bool { return uint64(rest[i]) > most })
}
