// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"slices"
)

// pairs adds the operations on successive pairs of sets; a unit is a pair.
func (l *library[S, R]) pairs(e entry, d *dataset, sets []S) {
	for _, p := range []struct {
		op   operation
		do   func(a, b S) R
		keep func(inA, inB bool) bool
	}{
		{opAnd, l.and, func(a, b bool) bool { return a && b }},
		{opOr, l.or, func(a, b bool) bool { return a || b }},
		{opAndNot, l.andNot, func(a, b bool) bool { return a && !b }},
		{opXor, l.xor, func(a, b bool) bool { return a != b }},
	} {
		if p.do == nil {
			continue
		}
		pass := func() {
			for i := range len(sets) - 1 {
				p.do(sets[i], sets[i+1])
			}
		}
		if all := l.allPairs[p.op]; all != nil {
			pass = func() { all(sets) }
		}
		e.tasks[p.op] = task{
			units: len(sets) - 1,
			pass:  pass,
			check: func() error {
				var want []uint64
				for i := range len(sets) - 1 {
					want = combine(want[:0], d.sets[i].wide, d.sets[i+1].wide, p.keep)
					if got := l.values(l.read(p.do(sets[i], sets[i+1]))); !slices.Equal(got, want) {
						return fmt.Errorf("sets %d and %d: %w", i, i+1, differ(got, want))
					}
				}
				return nil
			},
		}
	}
	e.tasks[opAndLen] = task{
		units: len(sets) - 1,
		pass:  func() { l.andLen(sets) },
		check: func() error {
			var both []uint64
			for i := range len(sets) - 1 {
				both = combine(both[:0], d.sets[i].wide, d.sets[i+1].wide, func(a, b bool) bool { return a && b })
				if got := l.andLen(sets[i : i+2]); got != uint64(len(both)) {
					return fmt.Errorf("sets %d and %d: got cardinality %d, want %d", i, i+1, got, len(both))
				}
			}
			return nil
		},
	}
}

// combine appends the values to keep of two ascending lists: the plain algorithm that answers are
// compared with.
func combine(dst, a, b []uint64, keep func(inA, inB bool) bool) []uint64 {
	onlyA, onlyB, both := keep(true, false), keep(false, true), keep(true, true)
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x < y:
			if onlyA {
				dst = append(dst, x)
			}
			a = a[1:]
		case y < x:
			if onlyB {
				dst = append(dst, y)
			}
			b = b[1:]
		default:
			if both {
				dst = append(dst, x)
			}
			a, b = a[1:], b[1:]
		}
	}
	if onlyA {
		dst = append(dst, a...)
	}
	if onlyB {
		dst = append(dst, b...)
	}
	return dst
}
