// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func valuesAndLen(a, b []uint64) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesAndLenAVX512(a, b)
	case cpu.AVX2:
		return valuesAndLenAVX2(a, b)
	}
	return valuesFiltered(a, b)
}

func valuesAnd(dst, a, b []uint64) (n, i, j int) {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesAndAVX512(dst, a, b)
	case cpu.AVX2:
		return valuesAndAVX2(dst, a, b)
	}
	return 0, 0, 0
}
