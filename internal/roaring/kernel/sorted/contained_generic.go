// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package sorted

func containedLen(values []uint64, bits []byte, base uint64) int {
	return containedLenGeneric(values, bits, base)
}
