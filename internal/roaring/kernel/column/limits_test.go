// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestSmallWordsLimits reads words far before and behind a column. Cut to 32 bits, their places lie
// in the column. No path may answer.
func TestSmallWordsLimits(t *testing.T) {
	words, lows := kerneltest.NewArena(t, 4096).Put(64, kerneltest.AtEnd, nil), make([]uint16, 16)
	for _, offset := range []int{1 << 15, 1<<23 - 1, 1 << 23, 1 << 29, 1 << 30, 1 << 31, 1 << 32, 1 << 40} {
		for bits := 1; bits < 8; bits++ {
			for _, offset := range []int{offset, -offset, -offset - 1} {
				if dst := make([]uint16, len(lows)); !refuses(func() { SmallWords(dst, lows, words, offset, bits) }) {
					t.Errorf("words of %d bits from %d on in 64 bytes: got %d", bits, offset, dst)
				}
			}
		}
	}
}
