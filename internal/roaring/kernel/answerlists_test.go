// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"slices"
)

// lists asks the kernels of lists of 64 bits: of two that ascend, and of one of any values within a
// set.
func (all *answers) lists(a, b []byte, low uint) {
	x, y := spread(a, low%48), spread(b, low%48)
	n, i, j := ValuesAndLen(x, y)
	all.of("ValuesAndLen", n, i == len(x) || j == len(y))
	dst := make([]uint64, min(len(x), len(y)))
	n = ValuesAnd(dst, x, y)
	all.of("ValuesAnd", n, slices.Clone(dst[:n]))

	var bits Words
	Scatter(&bits, b)
	const base = 1 << 40
	values := make([]uint64, 0, len(a)/2+len(a)/8)
	for at := 0; at+1 < len(a); at += 2 {
		values = append(values, base+uint64(load16(a, at))-100)
	}
	for at := 0; at+8 <= len(a); at += 8 {
		values = append(values, binary.LittleEndian.Uint64(a[at:]))
	}
	all.of("ValuesWithin", ValuesWithin(values, bits[:], base), ValuesWithin(values, bits[:len(b)], base),
		ValuesWithin(values, a, base-100))
}
