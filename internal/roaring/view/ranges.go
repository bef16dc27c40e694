// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Ranges returns the runs of consecutive values in ascending order, as first and last value, both
// included: so that a run may end at the largest uint64. Runs are as long as possible, across
// chunks and containers. The cost is that of the runs, and of the values of arrays and packed
// containers; nothing is allocated.
func (v View) Ranges() iter.Seq2[uint64, uint64] {
	return func(yield func(first, last uint64) bool) { ranges(&v, 0, yield) }
}

// RangesFrom returns the runs of consecutive values that are at least x in ascending order: the
// first one begins at x if the set has x. The cost is that of [View.Ranges] from there on.
func RangesFrom(v View, x uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(first, last uint64) bool) {
		ranges(&v, max(v.Search(x>>16), 0), func(first, last uint64) bool {
			return last < x || yield(max(first, x), last)
		})
	}
}

// pending is a run that the next values may prolong.
type pending struct {
	first, last uint64
	any         bool
}

// extend takes the run [first, last] on. If it does not touch the pending run it takes its place,
// and that is returned as done, with ok true. What is not behind the pending run, as bytes that are
// not valid may have it, is cut off.
func (p *pending) extend(first, last uint64) (done pending, ok bool) {
	if !p.any {
		*p = pending{first, last, true}
		return pending{}, false
	}
	if last <= p.last {
		return pending{}, false
	}
	if first <= p.last || first-1 == p.last {
		p.last = last
		return pending{}, false
	}
	done = *p
	p.first, p.last = first, last
	return done, true
}

// ranges yields the runs of all containers from one on.
func ranges(v *View, from int, yield func(first, last uint64) bool) {
	var p pending
	for i := from; i < v.Count(); i++ {
		e := v.EntryAt(i)
		if e.Data == nil {
			continue
		}
		base, more := e.Key<<16, true
		switch e.Kind {
		case container.Packed:
			more = rangesOfPacked(v, i, &e, &p, yield)
		case container.Bitset:
			words := (*bitset.Words)(e.Data)
			for lo, hi := bitset.Run(words, 0); more && lo < hi; lo, hi = bitset.Run(words, hi) {
				if done, ok := p.extend(base+uint64(lo), base+uint64(hi-1)); ok {
					more = yield(done.first, done.last)
				}
			}
		case container.Run:
			for j := 0; more && j < len(e.Data)/4; j++ {
				lo, hi := run.At(e.Data, j)
				if done, ok := p.extend(base+uint64(lo), base+uint64(hi-1)); ok {
					more = yield(done.first, done.last)
				}
			}
		default:
			for j := 0; more && j < len(e.Data)/2; j++ {
				x := base + uint64(array.Low(e.Data, j))
				if done, ok := p.extend(x, x); ok {
					more = yield(done.first, done.last)
				}
			}
		}
		if !more {
			return
		}
	}
	if p.any {
		yield(p.first, p.last)
	}
}

// rangesOfPacked yields the runs of packed container i.
func rangesOfPacked(v *View, i int, e *Entry, p *pending, yield func(first, last uint64) bool) bool {
	bound, ok := v.bound(i, e.Key)
	if !ok {
		return true
	}
	var values [64]uint64
	base := e.Key << 16
	var it eliasfano.Iter
	e.Iter(&it)
	for n := it.Values(values[:], 0); n > 0; n = it.Values(values[:], 0) {
		for _, d := range values[:n] {
			if d > bound {
				return true
			}
			if done, ok := p.extend(base+d, base+d); ok && !yield(done.first, done.last) {
				return false
			}
		}
	}
	return true
}
