// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestListHeaderSaysNumberOfValues reads the number of values back from headers of blocks of all
// lengths that they may have.
func TestListHeaderSaysNumberOfValues(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for low := range uint(64) {
		for range 400 {
			n := 1 + r.IntN(view.MaxList)
			if r.IntN(4) == 0 {
				n = max(1, []int{n % 300, view.MaxList}[r.IntN(2)])
			}
			for _, zeros := range []int{n, n + r.IntN(n), 2*n - 1} {
				last := uint64(zeros) << low
				if last>>low != uint64(zeros) {
					continue
				}
				if eliasfano.LowWidth(n, last) != low {
					t.Fatalf("low width of %d values up to %d: got %d, want %d", n, last, eliasfano.LowWidth(n, last),
						low)
				}
				body := make([]byte, view.HeaderList+eliasfano.Bytes(n, last, low))
				view.PutListHeader(body, n, low)
				v := open(t, body)
				if v.Form() != view.FormList || v.Len() != uint64(n) || v.Kw() != uint8(low) {
					t.Fatalf("header of %d values in low width %d: got %d in %d", n, low, v.Len(), v.Kw())
				}
			}
		}
	}
}
