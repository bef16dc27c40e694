// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"slices"
	"testing"
)

// TestCountRows counts rows of each width, some of them without a counter, and refuses other widths.
func TestCountRows(t *testing.T) {
	for width := 1; width <= 4; width++ {
		row := func(x byte) []byte { return append([]byte{x}, 0, 0, 0)[:width] }
		spans := [][]byte{slices.Concat(row(3), row(0), row(3)), nil, slices.Concat(row(7), row(1))}
		counts := make([]uint32, 4)
		if beyond := CountRows(counts, spans, width); beyond != 1 || !slices.Equal(counts, []uint32{1, 1, 0, 2}) {
			t.Errorf("rows of %d bytes: got %v and %d beyond, want [1 1 0 2] and 1", width, counts, beyond)
		}
	}
	for _, width := range []int{0, 5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("rows of %d bytes: got no panic", width)
				}
			}()
			CountRows(nil, nil, width)
		}()
	}
}
