// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"
	"math/rand/v2"
	"slices"
)

// values are the values of a set, ascending and distinct, as peers of either width want them.
type values struct {
	wide []uint64
	of32 []uint32 // nil if they do not fit
}

// dataset is a list of sets, and the questions that are asked of them: the same in every run.
type dataset struct {
	name  string
	sets  []values    // none is empty
	max   uint64      // largest value of all
	count int         // values of all sets
	only  []operation // nil: all

	or, and []uint64 // of all sets, once computed
}

// newDataset makes a data set of lists. They may be in any order and repeat values; empty ones are
// left out.
func newDataset(name string, lists [][]uint64) *dataset {
	d := &dataset{name: name}
	for _, list := range lists {
		if len(list) == 0 {
			continue
		}
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		list = slices.Compact(list)
		d.max = max(d.max, list[len(list)-1])
		d.count += len(list)
		d.sets = append(d.sets, narrowed(list))
	}
	return d
}

func narrowed(wide []uint64) values {
	v := values{wide: wide}
	if slices.Max(wide) <= math.MaxUint32 {
		v.of32 = make([]uint32, len(wide))
		for i, x := range wide {
			v.of32[i] = uint32(x)
		}
	}
	return v
}

const queriesPerSet = 100

func (d *dataset) random(set int, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(set), purpose))
}

// probes returns queries: about half are in the set. The others are random up to the largest value
// of the data set.
func (d *dataset) probes(set int) []uint64 {
	r, v := d.random(set, 1), d.sets[set].wide
	queries := make([]uint64, queriesPerSet)
	for i := range queries {
		if r.Uint64()&1 == 0 {
			queries[i] = v[r.IntN(len(v))]
		} else {
			queries[i] = r.Uint64N(d.max + 1)
		}
	}
	return queries
}

// members returns random values of the set.
func (d *dataset) members(set int) []uint64 {
	r, v := d.random(set, 2), d.sets[set].wide
	queries := make([]uint64, queriesPerSet)
	for i := range queries {
		queries[i] = v[r.IntN(len(v))]
	}
	return queries
}

// indices returns random numbers below the cardinality of the set.
func (d *dataset) indices(set int) []uint64 {
	r, n := d.random(set, 3), len(d.sets[set].wide)
	queries := make([]uint64, queriesPerSet)
	for i := range queries {
		queries[i] = r.Uint64N(uint64(n))
	}
	return queries
}

// shuffled returns the values of a set in random order.
func (d *dataset) shuffled(set int) values {
	wide := slices.Clone(d.sets[set].wide)
	d.random(set, 4).Shuffle(len(wide), func(i, j int) { wide[i], wide[j] = wide[j], wide[i] })
	return narrowed(wide)
}

// sample returns sets from all parts of the data set, and their number of values. That number is
// about limit.
func (d *dataset) sample(limit int) (sets []int, n int) {
	step := max((d.count+limit-1)/limit, 1)
	for i := step / 2 % len(d.sets); i < len(d.sets); i += step {
		sets = append(sets, i)
		n += len(d.sets[i].wide)
	}
	return sets, n
}

// union returns the values that any set has.
func (d *dataset) union() []uint64 {
	if d.or == nil {
		seen := make(map[uint64]struct{})
		for _, v := range d.sets {
			for _, x := range v.wide {
				seen[x] = struct{}{}
			}
		}
		d.or = make([]uint64, 0, len(seen))
		for x := range seen {
			d.or = append(d.or, x)
		}
		slices.Sort(d.or)
	}
	return d.or
}

// intersection returns the values that all sets have.
func (d *dataset) intersection() []uint64 {
	if d.and == nil {
		d.and = slices.Clone(d.sets[0].wide)
		for _, v := range d.sets[1:] {
			d.and = slices.DeleteFunc(d.and, func(x uint64) bool {
				_, ok := slices.BinarySearch(v.wide, x)
				return !ok
			})
		}
	}
	return d.and
}
