// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"runtime"
	"slices"
)

// wide adds the operations on all sets at once; a unit is one of them.
func (l *library[S, R]) wide(e entry, d *dataset, sets []S) {
	workers := runtime.GOMAXPROCS(0)
	parallel := func(f func(int, []S) func() R) func([]S) func() R {
		if f == nil {
			return nil
		}
		return func(sets []S) func() R { return f(workers, sets) }
	}
	for _, p := range []struct {
		op   operation
		do   func([]S) func() R
		want func() []uint64
	}{
		{opWideOr, l.orAll, d.union},
		{opWideOrPar, parallel(l.parallelOr), d.union},
		{opWideAnd, l.andAll, d.intersection},
		{opWideAndPar, parallel(l.parallelAnd), d.intersection},
	} {
		if p.do == nil {
			continue
		}
		do := p.do(sets)
		e.tasks[p.op] = task{
			units:    1,
			pass:     func() { do() },
			parallel: p.op == opWideOrPar || p.op == opWideAndPar,
			check: func() error {
				want := p.want()
				for range 2 { // the second time shows whether the first one has changed an operand
					if got := l.values(l.read(do())); !slices.Equal(got, want) {
						return differ(got, want)
					}
				}
				return nil
			},
		}
	}
}
