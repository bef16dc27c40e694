// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func orInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		orIntoNEON(dst, a)
	} else {
		orIntoGeneric(dst, a)
	}
}

func xorInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		xorIntoNEON(dst, a)
	} else {
		xorIntoGeneric(dst, a)
	}
}

func andNotInto(dst, a *Words) {
	if cpu.Active == cpu.NEON {
		andNotIntoNEON(dst, a)
	} else {
		andNotIntoGeneric(dst, a)
	}
}

func fillRuns(bits *Words, runs []byte) {
	if cpu.Active == cpu.NEON {
		fillRunsNEON(bits, runs)
	} else {
		fillRunsGeneric(bits, runs)
	}
}
