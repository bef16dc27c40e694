// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package column

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func firstCount(counts []uint32, least uint32) int {
	switch cpu.Active {
	case cpu.AVX512:
		return firstCountAVX512(counts, least)
	case cpu.AVX2:
		return firstByAVX2(counts, least)
	}
	return firstCountGeneric(counts, least)
}

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	switch cpu.Active {
	case cpu.AVX512:
		return lastShareAVX512(counts, sizes, least, part)
	case cpu.AVX2:
		return lastByAVX2(counts, sizes, least, part)
	}
	return lastShareGeneric(counts, sizes, least, part)
}

func firstByAVX2(counts []uint32, least uint32) int {
	i := firstCountAVX2(counts, least)
	if i == len(counts)&^7 {
		i += firstCountGeneric(counts[i:], least)
	}
	return i
}

func lastByAVX2(counts, sizes []uint32, least uint32, part float64) int {
	rest := len(counts) & 7
	if i := lastShareAVX2(counts[rest:], sizes[rest:], least, part); i >= 0 {
		return rest + i
	}
	return lastShareGeneric(counts[:rest], sizes, least, part)
}
