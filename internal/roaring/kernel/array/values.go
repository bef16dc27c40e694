// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Values writes base plus each value of lows, as many as dst has room for.
func Values(dst []uint64, lows []byte, base uint64) { arrayValues(dst, lows, base) }

func arrayValuesGeneric(dst []uint64, lows []byte, base uint64) {
	for len(dst) >= 4 && len(lows) >= 8 {
		w := swar.Uint64(lows, 0)
		to := dst[:4]
		to[0], to[1], to[2], to[3] = base+(w&0xFFFF), base+(w>>16&0xFFFF), base+(w>>32&0xFFFF), base+(w>>48)
		dst, lows = dst[4:], lows[8:]
	}
	for i := range min(len(dst), len(lows)/2) {
		dst[i] = base + uint64(swar.Uint16(lows, 2*i))
	}
}
