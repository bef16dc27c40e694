// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

func arrayValues(dst []uint64, lows []byte, base uint64) { arrayValuesGeneric(dst, lows, base) }
