// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	accounts = 5_500_000 // values of a social graph
	wideIDs  = 1 << 40   // of identifiers that are not numbered one after the other
)

// A source makes a data set when its turn comes.
type source struct {
	name string
	make func() (*dataset, error)
}

// synthetic returns the sets of random values.
func synthetic() (list []source) {
	for _, s := range []struct {
		limit uint64
		label string
		sets  int
		sizes []int
	}{
		{accounts, "5.5 M", 200, []int{1, 10, 30, 100, 1000}},
		// more would take some peers minutes to or, as they insert each container
		{wideIDs, "2^40", 50, []int{10, 100, 1000}},
	} {
		for _, n := range s.sizes {
			name := fmt.Sprintf(randomSets+"%d in %s", n, s.label)
			list = append(list, source{name, func() (*dataset, error) {
				sizes := make([]int, s.sets)
				for i := range sizes {
					sizes[i] = n
				}
				return newDataset(name, randomLists(s.limit, sizes)), nil
			}})
		}
	}
	return list
}

// dimensions returns collections in the manner of a dimension table: a set for each value of a
// column, with the rows that have it. Most values are rare, some are had by 100 000 rows. Rows are
// in no order, or such that those of a value are near each other.
func dimensions() (list []source) {
	for _, s := range []struct {
		label string
		sets  int
		rows  uint64
		near  uint64 // 0, or the rows among which those of a rare value are, for each of them
	}{{"in 1 M rows", 5000, 1_000_000, 0}, {"in 10 M rows", 5000, 10_000_000, 0}, {"near", 15_000, 1_000_000, 40}} {
		name := "dimension, " + s.label
		list = append(list, source{name, func() (*dataset, error) {
			d := newDataset(name, dimension(s.sets, s.rows, s.near))
			d.only = []operation{opAnd, opAndLen, opOr, opAndNot, opXor, opContains, opRank, opSelect, opIterate,
				opBatches, opOpen, opOpenContains, opOpenAndLen, opBuild}
			return d, nil
		}})
	}
	return list
}

// dimension returns the sets of a dimension table.
func dimension(sets int, rows, near uint64) [][]uint64 {
	const rare, great = 50, 100_000
	r := rand.New(rand.NewPCG(rows, near))
	lists := make([][]uint64, sets)
	for i := range lists {
		n := uint64(1 + r.IntN(rare))
		switch x := r.IntN(1000); {
		case x < 2:
			n = great
		case x < 50:
			n = rare + r.Uint64N(2000)
		}
		first, among := uint64(0), rows
		if near > 0 && n <= rare {
			among = n * near
			first = r.Uint64N(rows - among)
		}
		for range n {
			lists[i] = append(lists[i], first+r.Uint64N(among))
		}
	}
	return lists
}

// lopsided returns pairs of a small and a large set. Only the cardinality of the intersection is
// asked.
func lopsided() (list []source) {
	const (
		large           = 500_000
		pairsOfLopsided = 12
	)
	for _, n := range []int{100, 1000, 100_000} {
		name := fmt.Sprintf("%d of %d, in 5.5 M", n, large)
		list = append(list, source{name, func() (*dataset, error) {
			smalls := randomLists(accounts, slices.Repeat([]int{n}, pairsOfLopsided))
			larges := randomLists(accounts, slices.Repeat([]int{large}, 3))
			var lists [][]uint64
			for i, small := range smalls {
				lists = append(lists, small, slices.Clone(larges[i%len(larges)]))
			}
			d := newDataset(name, lists)
			d.only = []operation{opAndLen, opOpenAndLen}
			return d, nil
		}})
	}
	return list
}

// randomLists returns lists of random distinct values below limit, of about the given sizes.
func randomLists(limit uint64, sizes []int) [][]uint64 {
	r := rand.New(rand.NewPCG(limit, uint64(len(sizes))))
	lists := make([][]uint64, len(sizes))
	for i, n := range sizes {
		seen := make(map[uint64]struct{}, n)
		for len(seen) < n {
			x := r.Uint64N(limit)
			if _, ok := seen[x]; !ok {
				seen[x] = struct{}{}
				lists[i] = append(lists[i], x)
			}
		}
	}
	return lists
}

// tiny is a data set of a few sets with every kind of container. The test of the program uses it.
func tiny() source {
	return source{"tiny", func() (*dataset, error) {
		r := rand.New(rand.NewPCG(5, 6))
		lists := randomLists(1<<20, []int{1, 50, 3000})
		dense := make([]uint64, 0, 40_000)
		for x := range uint64(60_000) {
			if r.IntN(3) > 0 {
				dense = append(dense, x)
			}
		}
		runs := make([]uint64, 0, 9000)
		for x := range uint64(9000) {
			runs = append(runs, 65_000+x+x/1000*3000)
		}
		for i := range lists {
			lists[i] = append(lists[i], 65_000) // in all sets
		}
		return newDataset("tiny", append(lists, append(dense, 65_000), runs)), nil
	}}
}
