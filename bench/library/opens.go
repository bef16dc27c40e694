// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"slices"
)

// opens adds what begins with serialized bytes. A unit is a set that is opened, or a pair of them.
func (l *library[S, R]) opens(e entry, d *dataset, encoded [][]byte) {
	if l.open == nil {
		return
	}
	e.tasks[opOpen] = task{
		units: len(encoded),
		pass:  func() { l.open(encoded) },
		check: func() error {
			if got := l.open(encoded); got != uint64(len(encoded)) {
				return fmt.Errorf("opened %d sets, want %d", got, len(encoded))
			}
			return nil
		},
	}
	// Each pass asks something else: a processor learns the branches of a few questions that are
	// asked again and again, which no program does.
	rounds := make([][]uint64, queriesPerSet)
	for i := range encoded {
		for k, x := range d.probes(i) {
			rounds[k] = append(rounds[k], x)
		}
	}
	round := 0
	e.tasks[opOpenContains] = task{
		units: len(encoded),
		pass: func() {
			l.openContains(encoded, rounds[round])
			round = (round + 1) % len(rounds)
		},
		check: func() error {
			for _, queries := range rounds {
				for i, x := range queries {
					want := uint64(0)
					if _, ok := slices.BinarySearch(d.sets[i].wide, x); ok {
						want = 1
					}
					if got := l.openContains(encoded[i:i+1], queries[i:i+1]); got != want {
						return fmt.Errorf("set %d: contains %d: got %d, want %d", i, x, got, want)
					}
				}
			}
			return nil
		},
	}
	e.tasks[opOpenAndLen] = task{
		units: len(encoded) - 1,
		pass:  func() { l.openAndLen(encoded) },
		check: func() error {
			var both []uint64
			for i := range len(encoded) - 1 {
				both = combine(both[:0], d.sets[i].wide, d.sets[i+1].wide, func(a, b bool) bool { return a && b })
				if got := l.openAndLen(encoded[i : i+2]); got != uint64(len(both)) {
					return fmt.Errorf("sets %d and %d: got cardinality %d, want %d", i, i+1, got, len(both))
				}
			}
			return nil
		},
	}
}
