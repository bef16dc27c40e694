// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func orInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		orIntoAVX512(dst, a)
	case cpu.AVX2:
		orIntoAVX2(dst, a)
	default:
		orIntoGeneric(dst, a)
	}
}

func xorInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		xorIntoAVX512(dst, a)
	case cpu.AVX2:
		xorIntoAVX2(dst, a)
	default:
		xorIntoGeneric(dst, a)
	}
}

func andNotInto(dst, a *Words) {
	switch cpu.Active {
	case cpu.AVX512:
		andNotIntoAVX512(dst, a)
	case cpu.AVX2:
		andNotIntoAVX2(dst, a)
	default:
		andNotIntoGeneric(dst, a)
	}
}

func fillRuns(bits *Words, runs []byte) {
	if cpu.Active >= cpu.AVX2 {
		fillRunsAVX2(bits, runs)
	} else {
		fillRunsGeneric(bits, runs)
	}
}
