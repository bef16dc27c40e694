// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
)

// Next returns the smallest value ≥ x: x itself, if the set has it. ok is false if there is none.
// The smallest value > x is Next(x+1), unless x is the largest uint64. It costs a binary search of
// the directory and one container, and allocates nothing; to walk many values, [View.From] is
// faster.
func (v View) Next(x uint64) (next uint64, ok bool) {
	i := v.Search(x >> 16)
	if i >= 0 {
		e := v.EntryAt(i)
		if next, ok = nextIn(&v, i, &e, x); ok {
			return next, true
		}
	}
	for i++; i < v.Count(); i++ {
		e := v.EntryAt(i)
		if next, ok = first(&v, i, &e); ok && next >= x {
			return next, true
		}
	}
	return 0, false
}

// nextIn returns the smallest value ≥ x of container i, whose key is at most that of x.
func nextIn(v *View, i int, e *Entry, x uint64) (next uint64, ok bool) {
	switch {
	case e.Data == nil:
		return 0, false
	case e.Kind == container.Packed:
		last, sound := v.bound(i, e.Key)
		base := e.Key << 16
		_, d, ok := e.Packed().Next(x - base)
		// an upper part beyond 64 bits wraps, if it is not valid
		return base + d, ok && sound && d <= last && d >= x-base
	case e.Key != x>>16:
		return 0, false
	}
	low, ok := container.NextLow(e.Kind, e.Data, uint16(x))
	return e.Key<<16 | uint64(low), ok
}

// Previous returns the largest value ≤ x: x itself, if the set has it. ok is false if there is
// none. The largest value < x is Previous(x-1), unless x is 0. It costs a Next.
func (v View) Previous(x uint64) (previous uint64, ok bool) {
	i := v.Search(x >> 16)
	if i >= 0 {
		e := v.EntryAt(i)
		if previous, ok = previousIn(&v, i, &e, x); ok {
			return previous, true
		}
	}
	for i--; i >= 0; i-- {
		e := v.EntryAt(i)
		if previous, ok = final(&v, i, &e); ok && previous <= x {
			return previous, true
		}
	}
	return 0, false
}

// previousIn returns the largest value ≤ x of container i, whose key is at most that of x.
func previousIn(v *View, i int, e *Entry, x uint64) (previous uint64, ok bool) {
	switch {
	case e.Data == nil:
		return 0, false
	case e.Kind == container.Packed:
		last, sound := v.bound(i, e.Key)
		base := e.Key << 16
		d := min(x-base, last)
		p := e.Packed()
		n, found := p.Find(d)
		if !found {
			if n == 0 || !sound {
				return 0, false
			}
			if d, ok = p.At(n - 1); !ok || d > x-base {
				return 0, false
			}
		}
		return base + d, sound
	case e.Key != x>>16:
		return final(v, i, e)
	}
	low, ok := container.PreviousLow(e.Kind, e.Data, uint16(x))
	return e.Key<<16 | uint64(low), ok
}

// LenRange returns the number of values from first to last, both included. If last is less than
// first, that is 0. It adds up the cardinalities between, 2 bytes a container, and looks into two
// containers. It allocates nothing.
func LenRange(v View, first, last uint64) uint64 {
	if last < first {
		return 0
	}
	j := v.Search(last >> 16)
	if j < 0 {
		return 0
	}
	n := rankIn(&v, j, last)
	if first == 0 {
		return n + lenBefore(&v, j)
	}
	i := v.Search((first - 1) >> 16)
	if i < 0 {
		return n + lenBefore(&v, j)
	}
	if i < j {
		n += lenBetween(&v, i, j)
	}
	return n - min(n, rankIn(&v, i, first-1))
}
