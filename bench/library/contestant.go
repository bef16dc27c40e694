// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"errors"
	"fmt"
	"slices"
)

// A contestant is a library, in one of its settings.
type contestant interface {
	name() string
	ours() bool

	// enter builds the sets of a data set and returns the operations over them.
	enter(d *dataset) (entry, error)
}

// entry is a contestant with the sets of one data set.
type entry struct {
	bytes int // serialized, all sets
	tasks map[operation]task
}

// task is one operation over all sets of a data set.
type task struct {
	check    func() error // compares all answers with those of plain slices
	pass     func()       // does the operation once for each unit
	units    int          // pairs of sets, queries or values: what the time is divided by
	parallel bool         // the pass works on several threads
}

// errUnfit says that a contestant cannot hold the values of a data set.
var errUnfit = errors.New("values too large")

// library is a contestant given by its functions. S is a set as it is read, R a set as it is
// returned from an operation. A function that is nil is missing in that library.
//
// Reads are loops over many questions, so that a call through a pointer does not weigh on an answer
// of a nanosecond.
type library[S, R any] struct {
	label string
	own   bool
	limit uint64 // largest value that it can hold

	build  func(v values) S          // from ascending values
	add    func(shuffled values) S   // from values one by one
	free   func(s S)                 // gives a set back that was built; nil where the collector does
	values func(s S) []uint64        // all of them, ascending
	read   func(r R) S               // a result as a set
	encode func(s S) []byte          // serialized
	decode func(b []byte) (S, error) // what encode wrote, without a copy if it can

	and, or, andNot, xor func(a, b S) R
	// the same over successive pairs, in libraries that are not called from Go for each; nil
	// elsewhere
	allPairs                map[operation]func(sets []S)
	andLen                  func(sets []S) uint64                // sum over successive pairs
	orAll, andAll           func(sets []S) func() R              // prepared: what is timed is the call of the result
	parallelOr, parallelAnd func(workers int, sets []S) func() R // the same
	contains                func(s S, queries []uint64) uint64   // how many of them s has
	// sum of the answers; ranks count values ≤ x, all queries are in the set
	rank, selects func(s S, queries []uint64) uint64
	iterate       func(s S) uint64 // sum of the values, read one by one
	// number of values read in batches; sum of the last of each batch
	batches      func(s S, size int) (n, sum uint64)
	open         func(encoded [][]byte) uint64 // how many could be opened
	openContains func(encoded [][]byte, queries []uint64) uint64
	openAndLen   func(encoded [][]byte) uint64 // sum over successive pairs
}

func (l *library[S, R]) name() string { return l.label }
func (l *library[S, R]) ours() bool   { return l.own }

func (l *library[S, R]) enter(d *dataset) (e entry, err error) {
	if d.max > l.limit {
		return e, errUnfit
	}
	defer recovered(&err)
	sets := make([]S, len(d.sets))
	encoded := make([][]byte, len(d.sets))
	for i, v := range d.sets {
		sets[i] = l.build(v)
		if got := l.values(sets[i]); !slices.Equal(got, v.wide) {
			return e, fmt.Errorf("set %d: %w", i, differ(got, v.wide))
		}
		encoded[i] = slices.Clone(l.encode(sets[i]))
		e.bytes += len(encoded[i])
		back, err := l.decode(encoded[i])
		if err != nil {
			return e, fmt.Errorf("set %d, opened: %w", i, err)
		}
		if got := l.values(back); !slices.Equal(got, v.wide) {
			return e, fmt.Errorf("set %d, opened: %w", i, differ(got, v.wide))
		}
	}
	e.tasks = make(map[operation]task)
	l.pairs(e, d, sets)
	l.wide(e, d, sets)
	l.reads(e, d, sets)
	l.opens(e, d, encoded)
	l.builds(e, d)
	return e, nil
}

// differ returns an error that says where two lists of values differ.
func differ(got, want []uint64) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("value %d: got %d, want %d (of %d and %d values)", i, got[i], want[i], len(got),
				len(want))
		}
	}
	return fmt.Errorf("got %d values, want %d", len(got), len(want))
}

// recovered makes an error of a panic of a peer.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v", r)
	}
}
