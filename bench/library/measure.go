// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// state says what became of an operation of a contestant.
type state uint8

const (
	missing state = iota // the library has no such operation, or cannot hold the values
	wrong
	timed
)

// cell is a measured operation of a contestant.
type cell struct {
	state  state
	ns     float64 // a unit
	allocs float64 // a unit
}

// result is what was measured on one data set.
type result struct {
	name  string
	sets  int
	count int // values
	lines []line
	bytes []cell   // ns: bytes a value
	notes []string // on peers that were wrong
}

// line is an operation, with a cell for each contestant.
type line struct {
	op    operation
	cells []cell
}

// plan is what a run is to do.
type plan struct {
	contestants []contestant
	wanted      func(operation) bool
	slot        time.Duration // of one contestant in one round
	rounds      int
	cpu         bool // time by the thread's processor time, where the operation has one thread
}

// measure checks and times every operation on a data set. The error is a wrong answer of ours.
func (p *plan) measure(d *dataset) (*result, error) {
	r := &result{name: d.name, sets: len(d.sets), count: d.count, bytes: make([]cell, len(p.contestants))}
	entries := make([]entry, len(p.contestants))
	for i, c := range p.contestants {
		var err error
		entries[i], err = c.enter(d)
		switch {
		case err == nil:
			r.bytes[i] = cell{state: timed, ns: float64(entries[i].bytes) / float64(d.count)}
		case errors.Is(err, errUnfit):
		case c.ours():
			return nil, fmt.Errorf("%s: %s: %w", d.name, c.name(), err)
		default:
			r.bytes[i].state = wrong
			r.notes = append(r.notes, fmt.Sprintf("%s cannot hold the sets: %v", c.name(), err))
		}
	}
	for _, op := range operations {
		if !p.wanted(op) || d.only != nil && !slices.Contains(d.only, op) {
			continue
		}
		tasks := make([]*task, len(entries))
		cells := make([]cell, len(entries))
		for i, e := range entries {
			t, ok := e.tasks[op]
			if !ok {
				continue
			}
			if t.units == 0 {
				return nil, fmt.Errorf("%s: %s: nothing to do", d.name, op)
			}
			if err := checked(t); err != nil {
				if p.contestants[i].ours() {
					return nil, fmt.Errorf("%s: %s: %s: %w", d.name, op, p.contestants[i].name(), err)
				}
				cells[i].state = wrong
				r.notes = append(r.notes, fmt.Sprintf("%s, %s: %v", p.contestants[i].name(), op, err))
				continue
			}
			tasks[i] = &t
		}
		p.race(tasks, cells)
		r.lines = append(r.lines, line{op, cells})
	}
	return r, nil
}

func checked(t task) (err error) {
	defer recovered(&err)
	return t.check()
}

// race times the tasks by turns, and writes what it measured to cells. A task whose pass takes many
// slots is timed once, warm.
func (p *plan) race(tasks []*task, cells []cell) {
	passes := make([]int, len(tasks))
	times := make([][]float64, len(tasks))
	runtime.GC()
	for i, t := range tasks {
		if t == nil {
			continue
		}
		if passes[i] = p.passes(t); passes[i] > 0 {
			cells[i].allocs = allocations(t.pass) / float64(t.units)
			continue
		}
		cells[i].allocs = allocations(func() {
			times[i] = []float64{p.lasts(t, 1) / float64(t.units)}
		}) / float64(t.units)
	}
	for round := range p.rounds {
		for k := range tasks {
			i := (k + round) % len(tasks) // so that nobody always follows the same contestant
			if passes[i] > 0 {
				times[i] = append(times[i], p.lasts(tasks[i], passes[i])/float64(passes[i]*tasks[i].units))
			}
		}
	}
	for i := range tasks {
		if tasks[i] != nil {
			slices.Sort(times[i])
			cells[i].state, cells[i].ns = timed, times[i][len(times[i])/2]
		}
	}
}

// patience is the number of slots that one pass may take: what is slower is timed once.
const patience = 20

// passes returns how many passes fill a slot; 0 if one takes too long for rounds. They warm caches
// and pools up, too.
func (p *plan) passes(t *task) int {
	slot := float64(p.slot)
	for n := 1; ; n *= 2 {
		took := p.lasts(t, n)
		switch {
		case took > patience*slot*float64(n):
			return 0
		case took >= slot/8:
			return max(int(float64(n)*slot/took), 1)
		}
	}
}

// allocations returns the number of allocations of a pass.
func allocations(pass func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	pass()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}
