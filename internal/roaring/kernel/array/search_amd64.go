// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// wideWindow is the number of values that end a search with AVX2: it compares all of them at once.
const wideWindow = 64

func searchArray(lows []byte, x uint16) int {
	if cpu.Active >= cpu.AVX2 && len(lows) >= 2*wideWindow {
		return searchArrayAVX2(lows, x)
	}
	return searchArrayGeneric(lows, x)
}

func arrayContains(lows []byte, x uint16) bool {
	if cpu.Active >= cpu.AVX2 && len(lows) >= 2*wideWindow {
		return arrayContainsAVX2(lows, x)
	}
	return arrayContainsGeneric(lows, x)
}
