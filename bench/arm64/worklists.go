// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/bench/packed"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// listWorks are the works of lists, packed and plain.
func listWorks() []work {
	return []work{
		{"find in a list of 10 values", "question", find(10)},
		{"value of a list of 10", "question", at(10)},
		{"count of lists of 600 and 700 values", "value of both", listsLen(600, 700)},
		{"intersection of lists of 600 and 700 values", "value of both", lists(600, 700)},
		{"count of lists of 80 and 90 values", "value of both", listsLen(80, 90)},
		{"count of lists of 150 and 160 values", "value of both", listsLen(150, 160)},
		{"count of lists of 100 and 1 000 values", "value of both", listsLen(100, 1000)},
		{"find in a plain list of 10 values", "question", findPlain(10, 1<<32)},
		{"find in a plain list of 30 values", "question", findPlain(30, 1<<32)},
		{"find in a plain list of 100 values", "question", findPlain(100, 1<<32)},
		{"find in a plain list of 30 values of five bytes", "question", findPlain(30, 1<<40)},
		{"rank in a plain list of 30 values", "question", rankPlain(30, 1<<32)},
		{"rank in a plain list of 100 values", "question", rankPlain(100, 1<<32)},
		{"rank in a plain list of 30 values of five bytes", "question", rankPlain(30, 1<<40)},
		{"count of plain lists of 10 and 10 values", "value of both", plainLen(10, 10, 1<<32)},
		{"count of plain lists of 30 and 30 values", "value of both", plainLen(30, 30, 1<<32)},
		{"count of plain lists of 10 and 100 values", "value of both", plainLen(10, 100, 1<<32)},
		{"count of plain lists of 100 and 100 values", "value of both", plainLen(100, 100, 1<<32)},
		{"count of plain lists of 30 and 30 values of five bytes", "value of both", plainLen(30, 30, 1<<40)},
		{"count of a list of 1 000 values in bitsets", "value", listInLen(1000, 95000)},
		{"count of a list of 60 values in bitsets", "value", listInLen(60, 95000)},
		{"count of a list of 8 values in arrays of 8", "value", listInArraysLen(8, 1<<20)},
		{"count of a list of 30 values in arrays of 30", "value", listInArraysLen(30, 1<<20)},
		{"count of a list of 100 values in arrays of 100", "value", listInArraysLen(100, 1<<20)},
		{"count of a list of 30 values below 2^40 in arrays of 30", "value", listInArraysLen(30, 1<<40)},
		{"count of a list of 1 000 values in arrays of 1 000", "value", listInArraysLen(1000, 5_500_000)},
		{"those of a list of 30 values in arrays of 30", "value", listInArrays(30, 1<<20)},
	}
}

func list(r *rand.Rand, n int, limit uint64) view.View { return set(r, n, limit, pack.Smallest) }

// set returns one of about n of the numbers below limit.
func set(r *rand.Rand, n int, limit uint64, layout pack.Layout) view.View {
	var values []uint64
	for range n {
		values = append(values, r.Uint64N(limit))
	}
	slices.Sort(values)
	set := pair.FromSorted(slices.Compact(values))
	set.Pack(layout)
	return set.View()
}

func listsLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), list(r, m, 1<<20)
		return n + m, func() { pair.AndLen(a, b) }
	}
}

// listInLen counts what a list has in common with a set in other containers.
func listInLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), set(r, m, 1<<20, pack.Fastest)
		return n, func() { pair.AndLen(a, b) }
	}
}

// listInArraysLen counts what a list has in common with as many values in arrays.
func listInArraysLen(n int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := listAndArrays(r, n, limit)
		return n, func() { pair.AndLen(a, b) }
	}
}

// listInArrays is listInArraysLen that returns what both have in common.
func listInArrays(n int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := listAndArrays(r, n, limit)
		return n, func() { pair.And(a, b) }
	}
}

// listAndArrays returns a list and a directory of arrays, of about n of the numbers below limit
// each.
func listAndArrays(r *rand.Rand, n int, limit uint64) (a, b view.View) {
	var values []uint64
	for range n {
		values = append(values, r.Uint64N(limit))
	}
	slices.Sort(values)
	b, err := view.OpenBody(packed.AppendPlain(nil, slices.Compact(values)))
	if err != nil {
		panic(err)
	}
	return list(r, n, limit), b
}

func lists(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), list(r, m, 1<<20)
		return n + m, func() { pair.And(a, b) }
	}
}

// findPlain looks for values; half are there.
func findPlain(n int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		v, asked := plainQuestions(r, n, limit)
		return questions, func() {
			for _, x := range asked {
				v.Contains(x)
			}
		}
	}
}

func rankPlain(n int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		v, asked := plainQuestions(r, n, limit)
		return questions, func() {
			for _, x := range asked {
				v.Rank(x)
			}
		}
	}
}

func plainQuestions(r *rand.Rand, n int, limit uint64) (v view.View, asked []uint64) {
	v = set(r, n, limit, pack.Fastest)
	for range questions / 2 {
		x, _ := v.Select(r.Uint64N(v.Len()))
		asked = append(asked, x, r.Uint64N(limit))
	}
	return v, asked
}

func plainLen(n, m int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := set(r, n, limit, pack.Fastest), set(r, m, limit, pack.Fastest)
		return n + m, func() { pair.AndLen(a, b) }
	}
}

func find(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		v := list(r, n, 1<<40)
		asked := make([]uint64, questions)
		for i := range asked {
			asked[i] = r.Uint64N(1 << 40)
		}
		return questions, func() {
			for _, x := range asked {
				v.Contains(x)
			}
		}
	}
}

func at(n int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		v := list(r, n, 1<<40)
		return questions, func() {
			for i := range uint64(questions) {
				v.Select(i * 7 % uint64(n))
			}
		}
	}
}
