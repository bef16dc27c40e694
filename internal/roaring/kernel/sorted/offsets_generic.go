// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package sorted

// OffsetsFrom is of use only where offsets are fast.
const OffsetsFrom = 64

func offsetsAndLen(a, b []uint32) (n, i, j int) { return offsetsAndLenGeneric(a, b) }

func offsetsAnd(dst, a, b []uint32) (n, i, j int) { return offsetsAndGeneric(dst, a, b) }

func arrayOffsets(dst []uint32, lows []byte, base uint32) { arrayOffsetsGeneric(dst, lows, base) }

func keepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	return keepOffsetsGeneric(offsets, bits, base)
}
