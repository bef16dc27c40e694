// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "slices"

// plain asks the kernels of plain lists: of the values of a and b, further apart, and of any bytes,
// of which they need not say the same but must do no harm.
func (all *answers) plain(a, b []byte, low uint) {
	width := PlainLeast + int(low)%(PlainMost-PlainLeast+1)
	var unspecified answers
	unspecified.plainLists(a[:min(len(a), PlainUpTo*width)], b, width, uint64(low)<<20)
	x, y := spread(a, low%17), spread(b, low%17)
	x, y = x[:min(len(x), PlainUpTo)], y[:min(len(y), PlainUpTo)]
	if len(x) == 0 || x[len(x)-1]>>(8*width) != 0 || len(y) > 0 && y[len(y)-1]>>32 != 0 {
		return
	}
	list := plainOf(x, width)
	for _, x := range x {
		all.plainLists(list, plainOf(y, PlainLeast), width, x+uint64(low&1))
	}
	if x[len(x)-1]>>32 == 0 {
		all.of("PlainAndLen", PlainAndLen(plainOf(x, PlainLeast), plainOf(y, PlainLeast)))
	}
}

// plainLists looks x up in a list, and reads it and another one of PlainLeast bytes a value.
func (all *answers) plainLists(list, other []byte, width int, x uint64) {
	list = list[:len(list)/width*width]
	if len(list) > 0 {
		all.of("PlainHas", PlainHas(list, width, x))
	}
	all.of("PlainRank", PlainRank(list, width, x))
	dst := make([]uint64, PlainUpTo)
	all.of("PlainValues", slices.Clone(dst[:PlainValues(dst, list, width)]))
	all.of("PlainAndLen", PlainAndLen(other, other))
}
