// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// selectEachCard finds a place in a list of cardinalities one by one.
func selectEachCard(cards []byte, i uint32) (at int, left uint32) {
	for ; 2*at+1 < len(cards); at++ {
		n := uint32(swar.Uint16(cards, 2*at)) + 1
		if i < n {
			break
		}
		i -= n
	}
	return at, i
}
