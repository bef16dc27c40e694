// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// selectCard is SelectCard of at most a stride. ok is false, and nothing is done, for lists of few
// containers, where Go is as fast.
func selectCard(cards []byte, i uint64) (at int, left uint64, ok bool) {
	if cpu.Active != cpu.NEON || len(cards) < 2*cardsFrom {
		return 0, 0, false
	}
	at, some := selectCardNEON(cards, uint32(min(i, 1<<31)))
	return at, uint64(some), true
}

// cardsFrom is the number of containers from which it pays to add up eight of them at a time:
// which of the last eight it is costs a wrong guess more than which of four in Go.
const cardsFrom = 32
