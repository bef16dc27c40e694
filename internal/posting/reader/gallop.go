// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import "sort"

// gallopTo returns how many of some lows are at most a bound. The first must be. It doubles its
// steps, as there are often few.
func gallopTo(lows []uint16, most uint64) int {
	n := 1
	for 2*n < len(lows) && uint64(lows[2*n]) <= most {
		n *= 2
	}
	rest := lows[n:min(2*n, len(lows))]
	return n + sort.Search(len(rest), func(i int) bool { return uint64(rest[i]) > most })
}
