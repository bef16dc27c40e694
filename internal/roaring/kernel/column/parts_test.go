// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"testing"
)

// TestSpansAtOnce: the first spans that a call counts have as many bytes as it may take, and no
// more spans could be added.
func TestSpansAtOnce(t *testing.T) {
	span := make([]byte, maxRowBytes+1)
	for _, n := range []int{0, 1, 100, maxRowBytes/2 - spanBytes, maxRowBytes / 2, maxRowBytes - 1, maxRowBytes,
		maxRowBytes + 1} {
		var spans [][]byte
		for range 2 * maxRowBytes / spanBytes {
			spans = append(spans, span[:n])
		}
		for _, spans := range [][][]byte{nil, spans[:1], spans} {
			want := 0
			for size := n; want < len(spans) && size <= maxRowBytes; size += spanBytes + n {
				want++
			}
			if got := spansAtOnce(spans); got != want {
				t.Errorf("%d spans of %d bytes: got %d at once, want %d", len(spans), n, got, want)
			}
		}
	}
}
