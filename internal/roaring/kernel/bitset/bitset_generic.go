// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package bitset

// Ones returns the number of ones of whole words; up to seven bytes behind them do not count.
func Ones(words []byte) int { return onesGeneric(words) }

func bitsetAndLen(a, b *Words) int { return bitsetAndLenGeneric(a, b) }

func bitsetAnd(dst, a, b *Words) int { return bitsetAndGeneric(dst, a, b) }

func bitsetOr(dst, a, b *Words) int { return bitsetOrGeneric(dst, a, b) }

func bitsetAndNot(dst, a, b *Words) int { return bitsetAndNotGeneric(dst, a, b) }

func bitsetXor(dst, a, b *Words) int { return bitsetXorGeneric(dst, a, b) }

func bitsetToArray(dst []byte, a *Words) int { return bitsetToArrayGeneric(dst, a) }

func bitsetLows(dst []uint16, a *Words) int { return bitsetLowsGeneric(dst, a) }
