// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// RandomValues returns n values below limit.
func RandomValues(r *rand.Rand, n int, limit uint64) []uint64 {
	in := make(map[uint64]bool, n)
	for len(in) < n {
		in[r.Uint64N(limit)] = true
	}
	out := make([]uint64, 0, n)
	for x := range in {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// DirectoryOf writes each chunk as array or bitset.
func DirectoryOf(values []uint64) []byte {
	var cs []Container
	for i := 0; i < len(values); {
		c := Container{Key: values[i] >> 16}
		for ; i < len(values) && values[i]>>16 == c.Key; i++ {
			c.Values = append(c.Values, values[i])
		}
		if len(c.Values) > container.MaxArray {
			c.Kind = container.Bitset
		}
		cs = append(cs, c)
	}
	return CompactBody(cs, 0)
}

// LongListBody writes one packed block of more than 10 000 values, as the format document says it.
func LongListBody(values []uint64, low uint) []byte {
	n, block := len(values), packBlock(values, low)
	bits := 8 * len(block)
	most := (bits + 1) / int(low+2)
	least := (bits - 6) / int(low+3)
	if (bits-6)%int(low+3) != 0 {
		least++
	}
	switch {
	case low < 38 && 0 <= most-n && most-n < 128:
		return append([]byte{0xD2 + byte(low), byte(most - n)}, block...)
	case low < 38 && 0 <= n-least && n-least < 128:
		return append([]byte{0xD2 + byte(low), 0x80 + byte(n-least)}, block...)
	}
	return append(PutUint([]byte{0xFA}, uint64(n)|uint64(low)<<18, 3), block...)
}

// RankOf is the reference: the number of values ≤ x.
func RankOf(values []uint64, x uint64) uint64 {
	i, found := slices.BinarySearch(values, x)
	if found {
		i++
	}
	return uint64(i)
}
