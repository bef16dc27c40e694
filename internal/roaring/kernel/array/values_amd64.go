// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func arrayValues(dst []uint64, lows []byte, base uint64) {
	switch cpu.Active {
	case cpu.AVX512:
		arrayValuesAVX512(dst, lows, base)
	case cpu.AVX2:
		arrayValuesAVX2(dst, lows, base)
	default:
		arrayValuesGeneric(dst, lows, base)
	}
}
