// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRecent compares what is kept in mind of commits with all of them.
func TestRecent(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var c Recent
		all := make(map[uint64]changed)
		last := r.Uint64N(5)
		for range 300 {
			switch r.IntN(20) {
			case 0:
				last += 1 + r.Uint64N(3) // commits that it was not told of
			case 1:
				cut := last - min(last, r.Uint64N(4))
				c.Cut(cut)
				for n := cut + 1; n <= last; n++ {
					delete(all, n)
				}
				last = cut
			default:
				last++
				of := changed{all: r.IntN(30) == 0}
				for id := range uint64(20) {
					if r.IntN(8) == 0 {
						of.records = append(of.records, id)
					}
				}
				if r.IntN(100) == 0 {
					of.records = make([]uint64, mostRecent+1)
				}
				c.Add(last, of.records, of.all)
				all[last] = of
			}
			if len(c.list) > 0 && c.records > mostRecent {
				t.Fatalf("seed %d: keeps %d records, want at most %d", seed, c.records, mostRecent)
			}
			reads := []uint64{r.Uint64N(10), 10 + r.Uint64N(10)}
			after := last - min(last, 1+r.Uint64N(6))
			free := true
			for n := after + 1; n <= last; n++ {
				of, known := all[n]
				free = free && known && !of.all && !slices.ContainsFunc(reads, func(id uint64) bool {
					return slices.Contains(of.records, id)
				})
			}
			if got := c.Spares(reads, after, last); got && !free {
				t.Fatalf("seed %d: records %d after %d up to %d: got that no commit has changed them", seed, reads, after,
					last)
			} else if !got && free && len(c.list) > int(last-after) {
				t.Fatalf("seed %d: records %d after %d up to %d: got that a commit may have changed them", seed, reads,
					after, last)
			}
		}
	}
}
