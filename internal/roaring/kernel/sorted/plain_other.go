// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package sorted

func plainAndLen(a, b []byte) int { return plainAndLenGeneric(a, b) }

func plainHas(list []byte, width int, x uint64) bool { return plainHasGeneric(list, width, x) }

func plainValues(dst []uint64, list []byte, width int) { plainValuesGeneric(dst, list, width) }

func plainRank(list []byte, n, width int, x uint64) int { return plainRankGeneric(list, n, width, x) }
