// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// A set of few values in one chunk is asked without a directory, a cursor or memory for blocks:
// what is decided for larger ones takes longer than the answer.

// OneArray returns the key and the values of a compact directory of one array. Of anything else,
// lows is nil.
func OneArray(v *View) (key uint64, lows []byte) {
	if v.code>>NumberShift != 1 || v.Form() != FormCompact {
		return 0, nil
	}
	kw, ow := int(v.Kw()), int(v.Ow())
	card := 2 + 2*kw
	ends := card + 2
	lows = v.bytes[ends+ow:]
	n := int(binary.LittleEndian.Uint16(v.bytes[card:])) + 1
	if v.bytes[ends]&3 != container.Array || len(lows) != 2*n || len(lows) > container.MaxPayload {
		return 0, nil
	}
	return LoadUint(v.bytes, 2+kw, uint8(kw)), lows
}
