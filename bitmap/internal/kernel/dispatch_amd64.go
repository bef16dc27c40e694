// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

// What follows takes one of the paths. A switch is used and no variable that holds a function: through such a variable the compiler cannot see that operands
// do not escape, and would move those on the stack to the heap.

func ones(words []byte) int {
	switch path {
	case AVX512:
		return onesAVX512(words)
	case AVX2:
		return onesAVX2(words)
	}
	return onesGeneric(words)
}

func bitsetAndLen(a, b *Words) int {
	switch path {
	case AVX512:
		return bitsetAndLenAVX512(a, b)
	case AVX2:
		return bitsetAndLenAVX2(a, b)
	}
	return bitsetAndLenGeneric(a, b)
}

func bitsetAnd(dst, a, b *Words) int {
	switch path {
	case AVX512:
		return bitsetAndAVX512(dst, a, b)
	case AVX2:
		return bitsetAndAVX2(dst, a, b)
	}
	return bitsetAndGeneric(dst, a, b)
}

func bitsetOr(dst, a, b *Words) int {
	switch path {
	case AVX512:
		return bitsetOrAVX512(dst, a, b)
	case AVX2:
		return bitsetOrAVX2(dst, a, b)
	}
	return bitsetOrGeneric(dst, a, b)
}

func bitsetAndNot(dst, a, b *Words) int {
	switch path {
	case AVX512:
		return bitsetAndNotAVX512(dst, a, b)
	case AVX2:
		return bitsetAndNotAVX2(dst, a, b)
	}
	return bitsetAndNotGeneric(dst, a, b)
}

func bitsetXor(dst, a, b *Words) int {
	switch path {
	case AVX512:
		return bitsetXorAVX512(dst, a, b)
	case AVX2:
		return bitsetXorAVX2(dst, a, b)
	}
	return bitsetXorGeneric(dst, a, b)
}

func orInto(dst, a *Words) {
	switch path {
	case AVX512:
		orIntoAVX512(dst, a)
	case AVX2:
		orIntoAVX2(dst, a)
	default:
		orIntoGeneric(dst, a)
	}
}

func xorInto(dst, a *Words) {
	switch path {
	case AVX512:
		xorIntoAVX512(dst, a)
	case AVX2:
		xorIntoAVX2(dst, a)
	default:
		xorIntoGeneric(dst, a)
	}
}

func andNotInto(dst, a *Words) {
	switch path {
	case AVX512:
		andNotIntoAVX512(dst, a)
	case AVX2:
		andNotIntoAVX2(dst, a)
	default:
		andNotIntoGeneric(dst, a)
	}
}
