// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/bits"
)

// Shape returns what a reader of a valid block takes for granted: the number of ones in its upper
// part, and the place of the last of them, -1 if there is none. It reads the whole upper part.
func (p Packed) Shape() (ones, lastOne int) {
	it := Iter{block: p.Block, n: p.N, upper: p.upper(), low: p.Low}
	lastOne = -1
	for w := 0; 64*w < it.upper; w++ {
		if x := it.load(w); x != 0 {
			ones += bits.OnesCount64(x)
			lastOne = 64*w + bits.Len64(x) - 1
		}
	}
	return ones, lastOne
}
