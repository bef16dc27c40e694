// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"math"
	"math/rand/v2"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// Asked returns values to ask a set for: members, their neighbours, corners, others.
func Asked(r *rand.Rand, values []uint64) []uint64 {
	out := []uint64{0, 1, 65535, 65536, math.MaxUint64, math.MaxUint64 - 1, 1 << 48, container.MaxKey << 16}
	for range 60 {
		out = append(out, r.Uint64()>>r.IntN(64))
		if len(values) > 0 {
			x := values[r.IntN(len(values))]
			out = append(out, x, x+1, x-1, x+65536, x|65535, x&^65535)
		}
	}
	if n := len(values); n > 0 {
		out = append(out, values[0], values[0]-1, values[n-1], values[n-1]+1)
	}
	return out
}
