// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import "testing"

// TestUpTo compares with counting one by one, for every bound from the first low on.
func TestUpTo(t *testing.T) {
	for n := 1; n <= 40; n++ {
		lows := make([]uint16, n)
		for i := range lows {
			lows[i] = uint16(3*i + 7)
		}
		for most := uint64(lows[0]); most < 3*uint64(n)+20; most++ {
			want := 0
			for _, low := range lows {
				if uint64(low) <= most {
					want++
				}
			}
			if got := gallopTo(lows, most); got != want {
				t.Fatalf("%d lows up to %d: got %d, want %d", n, most, got, want)
			}
		}
	}
	if got := gallopTo([]uint16{0, 1<<16 - 1}, 1<<20); got != 2 {
		t.Errorf("a bound above all lows: got %d, want 2", got)
	}
}
