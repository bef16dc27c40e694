// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import (
	"math/rand/v2"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
)

// The works of lists, packed and plain.

func list(r *rand.Rand, n int, limit uint64) bitmap.View { return set(r, n, limit, bitmap.Smallest) }

// set returns one of about n of the numbers below limit.
func set(r *rand.Rand, n int, limit uint64, layout bitmap.Layout) bitmap.View {
	var values []uint64
	for range n {
		values = append(values, r.Uint64N(limit))
	}
	slices.Sort(values)
	set := bitmap.FromSorted(slices.Compact(values))
	set.Pack(layout)
	return set.View()
}

func listsLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), list(r, m, 1<<20)
		return n + m, func() { bitmap.AndLen(a, b) }
	}
}

// listInLen counts what a list has in common with a set in other containers.
func listInLen(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), set(r, m, 1<<20, bitmap.Fastest)
		return n, func() { bitmap.AndLen(a, b) }
	}
}

func lists(n, m int) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := list(r, n, 1<<20), list(r, m, 1<<20)
		return n + m, func() { bitmap.And(a, b) }
	}
}

// findPlain looks for values half of which are there.
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

func plainQuestions(r *rand.Rand, n int, limit uint64) (v bitmap.View, asked []uint64) {
	v = set(r, n, limit, bitmap.Fastest)
	for range questions / 2 {
		x, _ := v.Select(r.Uint64N(v.Len()))
		asked = append(asked, x, r.Uint64N(limit))
	}
	return v, asked
}

func plainLen(n, m int, limit uint64) func(r *rand.Rand) (int, func()) {
	return func(r *rand.Rand) (int, func()) {
		a, b := set(r, n, limit, bitmap.Fastest), set(r, m, limit, bitmap.Fastest)
		return n + m, func() { bitmap.AndLen(a, b) }
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
