// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"iter"
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// RangesBackward returns the runs of consecutive values in descending order: those of
// [View.Ranges], the last one first.
func RangesBackward(v View) iter.Seq2[uint64, uint64] { return RangesBackwardFrom(v, math.MaxUint64) }

// RangesBackwardFrom returns the runs of consecutive values that are at most x in descending order:
// the first one ends at x if the set has x. The cost is that of the runs, and of the values of
// arrays, bitsets and packed containers; nothing is allocated.
func RangesBackwardFrom(v View, x uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(first, last uint64) bool) { rangesBackward(&v, x, yield) }
}

// rangesBackward yields the runs from x down.
func rangesBackward(v *View, x uint64, yield func(first, last uint64) bool) {
	var p pending
	var values [64]uint64
	var it ReverseIterator
	it.v = *v
	for it.start(x); ; {
		for first, last, ok := it.readRun(); ok; first, last, ok = it.readRun() {
			if done, ok := p.extendDown(first, last); ok && !yield(done.first, done.last) {
				return
			}
		}
		for n := it.read(values[:]); n > 0; n = it.read(values[:]) {
			for _, y := range values[:n] {
				if done, ok := p.extendDown(y, y); ok && !yield(done.first, done.last) {
					return
				}
			}
		}
		if it.i <= 0 {
			break
		}
		it.i--
		it.enter(math.MaxUint64)
	}
	if p.any {
		yield(p.first, p.last)
	}
}

// readRun returns the next smaller run of the current container. ok is false if there is none, or
// if the container is not of runs.
func (it *ReverseIterator) readRun() (first, last uint64, ok bool) {
	if it.kind != container.Run || it.data == nil {
		return 0, 0, false
	}
	for it.run > 0 {
		lo, hi := run.At(it.data, it.run-1)
		it.run--
		hi = min(hi, it.at) // cuts nothing off runs that are valid, but where the iterator began
		if it.at = min(it.at, lo); lo < hi {
			return it.base + uint64(lo), it.base + uint64(hi-1), true
		}
	}
	return 0, 0, false
}

// extendDown is extend for runs that descend.
func (p *pending) extendDown(first, last uint64) (done pending, ok bool) {
	if !p.any {
		*p = pending{first, last, true}
		return pending{}, false
	}
	if first >= p.first {
		return pending{}, false
	}
	if last >= p.first-1 {
		p.first = first
		return pending{}, false
	}
	done = *p
	p.first, p.last = first, last
	return done, true
}
