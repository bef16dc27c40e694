// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"errors"
	"sync/atomic"
	"testing"
)

// TestInParts: every piece of work is done once, and an error or panic of any part is the error of
// all.
func TestInParts(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 7} {
		var done [100]atomic.Int32
		err := InParts(len(done), parts, func(_, from, to int) error {
			for i := from; i < to; i++ {
				done[i].Add(1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d parts: piece %d was done %d times, want once", parts, i, n)
			}
		}
		wrong := errors.New("wrong")
		if err := InParts(100, parts, func(part, _, _ int) error {
			if part == parts-1 {
				return wrong
			}
			return nil
		}); err != wrong {
			t.Errorf("%d parts: got %v, want the error of the last", parts, err)
		}
		err = InParts(100, parts, func(part, _, _ int) error {
			if part == parts-1 {
				panic("broken")
			}
			return nil
		})
		if _, ok := errors.AsType[*Panicked](err); !ok {
			t.Errorf("%d parts: got %v, want a panic as an error", parts, err)
		}
	}
}
