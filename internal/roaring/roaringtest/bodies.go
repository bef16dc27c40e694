// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// Recode returns a body of the set in the hand of the naive writer: any form that the format
// allows, and for each container any kind that can hold it, however ill it suits. Our own writer
// never makes a bitset of one value or a packed block with a low width far from the best; others
// may.
func Recode(r *rand.Rand, values []uint64) []byte {
	switch n := len(values); {
	case n == 0 && r.IntN(2) == 0:
		return nil
	case n == 1 && r.IntN(4) == 0:
		w := widthOf(values[0])
		return SingleBody(values[0], w+r.IntN(9-w))
	case 0 < n && n <= 10_000 && r.IntN(6) == 0:
		if n <= 256 && values[n-1]>>56 == 0 && r.IntN(2) == 0 {
			return FixedBody(values)
		}
		return ListBody(values, BestLow(values)) // whose header has room for the best low width alone
	}
	cs := anyContainers(r, values)
	if len(cs) == 0 || r.IntN(2) == 0 {
		return LooseBody(cs, r)
	}
	return CompactBody(cs, r.IntN(3))
}

// anyLow returns a low width for a packed block of distances: near the best, at the best, or
// anywhere.
func anyLow(r *rand.Rand, d []uint64) uint {
	low := BestLow(d)
	switch r.IntN(3) {
	case 0:
		low += uint(r.IntN(4))
	case 1:
		low = uint(r.IntN(64))
	}
	return min(low, 63)
}

// anyContainers cuts a set into containers of any kinds.
func anyContainers(r *rand.Rand, values []uint64) (cs []Container) {
	chunkEnd := func(from int) int {
		key := values[from] >> 16
		n, _ := slices.BinarySearchFunc(values[from:], key, func(x, key uint64) int {
			if x>>16 <= key {
				return -1
			}
			return 1
		})
		return from + n
	}
	for from := 0; from < len(values); {
		to := chunkEnd(from)
		c := Container{Key: values[from] >> 16, Values: values[from:to]}
		if r.IntN(4) == 0 { // packed, over this chunk and perhaps others
			c.Kind = container.Packed
			for end := to; end < len(values) && r.IntN(8) > 0; to = end {
				if end = chunkEnd(end); end-from > container.MaxPacked {
					break
				}
			}
			c.Values = values[from:to]
			c.Low = anyLow(r, Relative(c.Values, c.Key<<16))
			if !c.Fits() {
				c.Low = BestLow(Relative(c.Values, c.Key<<16))
			}
			if !c.Fits() {
				to = chunkEnd(from)
				c.Values = values[from:to]
			}
		}
		for c.Kind == container.Packed && !c.Fits() || c.Kind != container.Packed {
			c.Kind = kinds[r.IntN(len(kinds)-1)]
			if c.Fits() {
				break
			}
		}
		cs = append(cs, c)
		from = to
	}
	return cs
}

// Thresholds are cardinalities at which a kind becomes the smallest, becomes impossible, or is
// full.
var Thresholds = []int{1, 2, 3, 4, 5, 2047, 2048, 2049, 4095, 4096, 4097, 65535, 65536}

// thresholdChunk returns values of one chunk, as many as one of the thresholds.
func thresholdChunk(r *rand.Rand) []uint64 { return ChunkOf(r, Thresholds[r.IntN(len(Thresholds))]) }

// ChunkOf returns n values of one chunk: in one run, in as many runs as can be, or anywhere.
func ChunkOf(r *rand.Rand, n int) (values []uint64) {
	step := uint64(1)
	switch r.IntN(3) {
	case 0:
		if n <= 32768 {
			step = 2
		}
	case 1:
		for _, x := range r.Perm(65536)[:n] {
			values = append(values, uint64(x))
		}
		slices.Sort(values)
		return values
	}
	first := r.Uint64N(65536 - step*uint64(n-1))
	return Span(first, first+step*uint64(n-1)+1, step)
}

// ThresholdSet returns a set of chunks with such cardinalities, near each other and far apart.
func ThresholdSet(r *rand.Rand) (values []uint64) {
	key := uint64(r.IntN(3))
	for range 1 + r.IntN(5) {
		for _, x := range thresholdChunk(r) {
			values = append(values, key<<16|x)
		}
		key += 1 + uint64(r.IntN(2))*r.Uint64N(1<<r.IntN(30))
	}
	return values
}
