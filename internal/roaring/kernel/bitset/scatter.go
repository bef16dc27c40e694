// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Two arrays of this many values together are intersected through a bitset on the stack. Smaller
// ones are merged.
//
// A merge advances by a comparison that cannot be predicted, and each step waits for the one
// before. Setting a bit for each value of the one and probing with each of the other has no such
// chain; clearing the bitset costs a fixed time.
const ScatterFrom = 48

// Scatter makes the bits of lows ones. It is faster than [SetArray], since it does not count. It
// loads four values at once and changes whole words: a one shifted by a number below 64 is one
// instruction, that of a byte is four.
func Scatter(bits *Words, lows []byte) { scatter(bits, lows) }

func scatterGeneric(bits *Words, lows []byte) {
	for ; len(lows) >= 8; lows = lows[8:] {
		x := swar.Uint64(lows, 0)
		scatterOne(bits, x&0xFFFF)
		scatterOne(bits, x>>16&0xFFFF)
		scatterOne(bits, x>>32&0xFFFF)
		scatterOne(bits, x>>48)
	}
	for ; len(lows) >= 2; lows = lows[2:] {
		scatterOne(bits, uint64(swar.Uint16(lows, 0)))
	}
}

// scatterOne makes the bit of x, which is less than 2^16, a one.
func scatterOne(bits *Words, x uint64) {
	p := bits[x>>6*8:][:8]
	binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)|1<<(x&63))
}
