// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func valuesWithin(values []uint64, bits []byte, base uint64) int {
	switch cpu.Active {
	case cpu.AVX512:
		return valuesWithinAVX512(values, bits, base)
	case cpu.AVX2:
		return withinByAVX2(values, bits, base)
	}
	return valuesWithinGeneric(values, bits, base)
}

func withinByAVX2(values []uint64, bits []byte, base uint64) int {
	return valuesWithinAVX2(values, bits, base) + valuesWithinGeneric(values[len(values)&^3:], bits, base)
}
