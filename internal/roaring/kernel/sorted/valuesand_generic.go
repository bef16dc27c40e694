// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package sorted

func valuesAndLen(a, b []uint64) (n, i, j int) { return valuesFiltered(a, b) }

func valuesAnd(dst, a, b []uint64) (n, i, j int) { return 0, 0, 0 }
