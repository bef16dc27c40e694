// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"slices"
)

const batchSize = 1024 // values

// What all contestants in Go read batches into, again and again, as whoever reads many sets does:
// to clear memory for each set would take longer than to read a short one.
var (
	wideBatch [batchSize]uint64
	batch32   [batchSize]uint32
)

// reads adds the questions to single sets; a unit is a question, or a value that is read.
func (l *library[S, R]) reads(e entry, d *dataset, sets []S) {
	for _, p := range []struct {
		op      operation
		ask     func(s S, queries []uint64) uint64
		queries func(set int) []uint64
		answer  func(values []uint64, x uint64) uint64
	}{
		{opContains, l.contains, d.probes, func(values []uint64, x uint64) uint64 {
			if _, ok := slices.BinarySearch(values, x); ok {
				return 1
			}
			return 0
		}},
		{opRank, l.rank, d.members, func(values []uint64, x uint64) uint64 {
			i, _ := slices.BinarySearch(values, x)
			return uint64(i + 1)
		}},
		{opSelect, l.selects, d.indices, func(values []uint64, i uint64) uint64 { return values[i] }},
	} {
		if p.ask == nil {
			continue
		}
		queries, units := make([][]uint64, len(sets)), 0
		for i := range sets {
			queries[i] = p.queries(i)
			units += len(queries[i])
		}
		e.tasks[p.op] = task{
			units: units,
			pass: func() {
				for i, s := range sets {
					p.ask(s, queries[i])
				}
			},
			check: func() error {
				for i, s := range sets {
					for q, x := range queries[i] {
						if got, want := p.ask(s, queries[i][q:q+1]), p.answer(d.sets[i].wide, x); got != want {
							return fmt.Errorf("set %d, query %d: got %d, want %d", i, x, got, want)
						}
					}
				}
				return nil
			},
		}
	}
	l.walks(e, d, sets)
}

const maxWalked = 2_000_000 // values

// walks adds reading all values of a set.
func (l *library[S, R]) walks(e entry, d *dataset, sets []S) {
	some, units := d.sample(maxWalked)
	if l.iterate != nil {
		e.tasks[opIterate] = task{
			units: units,
			pass: func() {
				for _, i := range some {
					l.iterate(sets[i])
				}
			},
			check: func() error {
				for i, s := range sets {
					want := uint64(0)
					for _, x := range d.sets[i].wide {
						want += x
					}
					if got := l.iterate(s); got != want {
						return fmt.Errorf("set %d: got sum %d, want %d", i, got, want)
					}
				}
				return nil
			},
		}
	}
	if l.batches != nil {
		e.tasks[opBatches] = task{
			units: units,
			pass: func() {
				for _, i := range some {
					l.batches(sets[i], batchSize)
				}
			},
			check: func() error {
				for i, s := range sets {
					n, sum := l.batches(s, 1) // one by one: every value is the last of its batch
					want := uint64(0)
					for _, x := range d.sets[i].wide {
						want += x
					}
					if n != uint64(len(d.sets[i].wide)) || sum != want {
						return fmt.Errorf("set %d, batches of 1: got %d values with sum %d, want %d with %d", i, n, sum,
							len(d.sets[i].wide), want)
					}
					if n, _ := l.batches(s, batchSize); n != uint64(len(d.sets[i].wide)) {
						return fmt.Errorf("set %d: got %d values, want %d", i, n, len(d.sets[i].wide))
					}
				}
				return nil
			},
		}
	}
}
