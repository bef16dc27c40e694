// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func runValues(dst []uint64, runs []byte, at, next int, base uint64) (n, run, value int) {
	switch cpu.Active {
	case cpu.AVX512:
		return runValuesAVX512(dst, runs, at, next, base)
	case cpu.AVX2:
		return runValuesAVX2(dst, runs, at, next, base)
	}
	return runValuesGeneric(dst, runs, at, next, base)
}
