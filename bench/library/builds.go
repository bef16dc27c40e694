// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"slices"
)

const (
	maxBuilt = 1_000_000 // values
	maxAdded = 200_000   // values, as one by one is slow
)

// builds adds the making of sets; a unit is a value. (That built sets are right, enter has
// checked.)
func (l *library[S, R]) builds(e entry, d *dataset) {
	built, units := d.sample(maxBuilt)
	e.tasks[opBuild] = task{
		units: units,
		pass: func() {
			for _, i := range built {
				l.drop(l.build(d.sets[i]))
			}
		},
		check: func() error { return nil },
	}
	added, units := d.sample(maxAdded)
	shuffled := make([]values, len(added))
	for i, set := range added {
		shuffled[i] = d.shuffled(set)
	}
	e.tasks[opAdd] = task{
		units: units,
		pass: func() {
			for _, v := range shuffled {
				l.drop(l.add(v))
			}
		},
		check: func() error {
			for i, v := range shuffled {
				if got, want := l.values(l.add(v)), d.sets[added[i]].wide; !slices.Equal(got, want) {
					return fmt.Errorf("set %d: %w", added[i], differ(got, want))
				}
			}
			return nil
		},
	}
}

// drop is done with a set.
func (l *library[S, R]) drop(s S) {
	if l.free != nil {
		l.free(s)
	}
}
