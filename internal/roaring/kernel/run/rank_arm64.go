// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func runSelect(runs []byte, i uint32) (x uint16, ok bool) {
	if cpu.Active == cpu.NEON && len(runs) >= 4*selectFrom {
		return runSelectNEON(runs, i)
	}
	return runSelectGeneric(runs, i)
}

// selectFrom is the number of runs from which it pays to add up eight of them at a time: which of
// the last eight it is costs a wrong guess more than which of four in Go.
const selectFrom = 32
