// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func containedLen(values []uint64, bits []byte, base uint64) int {
	switch cpu.Active {
	case cpu.AVX512:
		return containedLenAVX512(values, bits, base)
	case cpu.AVX2:
		return containedLenByAVX2(values, bits, base)
	}
	return containedLenGeneric(values, bits, base)
}

func containedLenByAVX2(values []uint64, bits []byte, base uint64) int {
	return containedLenAVX2(values, bits, base) + containedLenGeneric(values[len(values)&^3:], bits, base)
}
