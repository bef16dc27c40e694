// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// upperWord returns word w of an upper part, which must begin inside it. Bits beyond the upper part
// are zero.
func upperWord(block []byte, w, upper int) uint64 {
	at := 8 * w
	if 64*(w+1) <= upper {
		return swar.Uint64(block, at)
	}
	return lastWord(block, at) & (1<<(upper-64*w) - 1)
}

// lastWord loads the bytes from at on, as many of eight as there are.
func lastWord(block []byte, at int) uint64 {
	switch {
	case at+8 <= len(block):
		return swar.Uint64(block, at)
	case len(block) >= 8:
		return swar.Uint64(block, len(block)-8) >> (8 * (at + 8 - len(block)) & 63)
	}
	return swar.TailWord(block[at:])
}
