// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package sorted

func fixedAndLen(a, b []byte) int { return fixedAndLenGeneric(a, b) }

func fixedHas(list []byte, width int, x uint64) bool { return fixedHasGeneric(list, width, x) }

func fixedValues(dst []uint64, list []byte, width int) { fixedValuesGeneric(dst, list, width) }

func fixedRank(list []byte, n, width int, x uint64) int { return fixedRankGeneric(list, n, width, x) }
