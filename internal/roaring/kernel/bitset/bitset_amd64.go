// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Ones returns the number of ones of whole words; up to seven bytes behind them do not count.
func Ones(words []byte) int {
	switch cpu.Active {
	case cpu.AVX512:
		return onesAVX512(words)
	case cpu.AVX2:
		return onesAVX2(words)
	}
	return onesGeneric(words)
}

func bitsetAndLen(a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndLenAVX512(a, b)
	case cpu.AVX2:
		return bitsetAndLenAVX2(a, b)
	}
	return bitsetAndLenGeneric(a, b)
}

func bitsetAnd(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetAndAVX2(dst, a, b)
	}
	return bitsetAndGeneric(dst, a, b)
}

func bitsetOr(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetOrAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetOrAVX2(dst, a, b)
	}
	return bitsetOrGeneric(dst, a, b)
}

func bitsetAndNot(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetAndNotAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetAndNotAVX2(dst, a, b)
	}
	return bitsetAndNotGeneric(dst, a, b)
}

func bitsetXor(dst, a, b *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetXorAVX512(dst, a, b)
	case cpu.AVX2:
		return bitsetXorAVX2(dst, a, b)
	}
	return bitsetXorGeneric(dst, a, b)
}

func bitsetToArray(dst []byte, a *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetToArrayAVX512(dst, a)
	case cpu.AVX2:
		return bitsetToArrayAVX2(dst, a)
	}
	return bitsetToArrayGeneric(dst, a)
}

func bitsetLows(dst []uint16, a *Words) int {
	switch cpu.Active {
	case cpu.AVX512:
		return bitsetLowsAVX512(dst, a)
	case cpu.AVX2:
		return bitsetLowsAVX2(dst, a)
	}
	return bitsetLowsGeneric(dst, a)
}
