// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// wideWindow is the number of values that end a search: it compares all of them at once.
const wideWindow = 32

func searchArray(lows []byte, x uint16) int {
	if cpu.Active == cpu.NEON && len(lows) >= 2*wideWindow {
		return searchArrayNEON(lows, x)
	}
	return searchArrayGeneric(lows, x)
}

func arrayContains(lows []byte, x uint16) bool {
	if cpu.Active == cpu.NEON && len(lows) >= 2*wideWindow {
		return arrayContainsNEON(lows, x)
	}
	return arrayContainsGeneric(lows, x)
}
