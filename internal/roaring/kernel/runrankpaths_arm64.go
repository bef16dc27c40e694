// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

func runSelect(runs []byte, i uint32) (x uint16, ok bool) {
	if cpu.Active == cpu.NEON && len(runs) >= 4*selectFrom {
		return runSelectNEON(runs, i)
	}
	return runSelectGeneric(runs, i)
}

// selectCard is SelectCard of at most a stride; ok is false, with nothing done, where that is as
// fast in Go: in lists of few containers.
func selectCard(cards []byte, i uint64) (at int, left uint64, ok bool) {
	if cpu.Active != cpu.NEON || len(cards) < 2*selectFrom {
		return 0, 0, false
	}
	at, some := selectCardNEON(cards, uint32(min(i, 1<<31)))
	return at, uint64(some), true
}

// selectFrom is the number of runs or containers from which it pays to add up eight of them at a
// time: which of the last eight it is costs a wrong guess more than which of four in Go.
const selectFrom = 32
