// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package column

func firstCount(counts []uint32, least uint32) int { return firstCountGeneric(counts, least) }

func lastShare(counts, sizes []uint32, least uint32, part float64) int {
	return lastShareGeneric(counts, sizes, least, part)
}
