// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"math/bits"
	"reflect"
	"testing"
)

// TestSmallSetsFitSizesOfTheRuntime fails when a further field takes a set to the next larger size
// of memory. It looks at sets with their first bytes, too.
func TestSmallSetsFitSizesOfTheRuntime(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("the sizes are those of 64-bit systems")
	}
	for _, c := range []struct {
		of   any
		want uintptr
	}{{Bitmap{}, 48}, {brief16{}, 64}, {brief48{}, 96}, {brief96{}, 144}, {brief208{}, 256}, {brief400{}, 448},
		{firstChanges{}, 144}} {
		if got := reflect.TypeOf(c.of).Size(); got != c.want {
			t.Errorf("%T has %d bytes, want %d", c.of, got, c.want)
		}
	}
	most := int(reflect.TypeOf(brief400{}.room).Size())
	// whatever the size, there is room for it, and not for four times as much but in the least
	for n := 1; n <= most; n++ {
		if got := cap(sized(n).buf); got < n || got > 4*n && got > 16 {
			t.Errorf("%d bytes got room for %d", n, got)
		}
	}
	if most != BriefBytes {
		t.Errorf("the largest room has %d bytes, want %d", most, BriefBytes)
	}
}
