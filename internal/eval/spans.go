// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"unsafe"
)

// interval is a range of integers, both ends included.
type interval struct{ from, to int64 }

// span is a range of absolute values, both ends included.
type span struct{ from, to uint64 }

// spanBytes is what a range takes, as interval and as span.
const spanBytes = int64(unsafe.Sizeof(interval{}) + unsafe.Sizeof(span{}))

// merged returns the ranges without empty ones, ascending and apart from one another. It takes over
// the slice.
func merged(of []interval) []interval {
	of = slices.DeleteFunc(of, func(x interval) bool { return x.from > x.to })
	slices.SortFunc(of, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	kept := of[:0]
	for _, x := range of {
		if last := len(kept) - 1; last >= 0 && (kept[last].to == math.MaxInt64 || x.from <= kept[last].to+1) {
			kept[last].to = max(kept[last].to, x.to)
		} else {
			kept = append(kept, x)
		}
	}
	return kept
}

// covered returns the ranges of integers for which keep is true. keep gets the number of given
// ranges that an integer is in, and must be false of 0. The result ascends.
func covered(of []Leaf, keep func(times int) bool) (kept []Leaf) {
	type edge struct {
		at    uint64 // where a range begins, or behind its end, in the order of integers
		times int
	}
	const signed = 1 << 63
	edges := make([]edge, 0, 2*len(of))
	for i := range of {
		if of[i].From > of[i].To {
			continue
		}
		edges = append(edges, edge{uint64(of[i].From) ^ signed, 1})
		if of[i].To < math.MaxInt64 {
			edges = append(edges, edge{uint64(of[i].To) ^ signed + 1, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	for i, times := 0, 0; i < len(edges); {
		at := edges[i].at
		for ; i < len(edges) && edges[i].at == at; i++ {
			times += edges[i].times
		}
		if !keep(times) {
			continue
		}
		last := uint64(math.MaxUint64)
		if i < len(edges) {
			last = edges[i].at - 1
		}
		kept = append(kept, Leaf{Kind: Integers, Field: of[0].Field, From: int64(at ^ signed),
			To: int64(last ^ signed)})
	}
	return kept
}

// appendMagnitudes appends the absolute values of merged ranges: of integers from 0 on, and of
// those below.
func appendMagnitudes(spans *[2][]span, of []interval) {
	for _, x := range of {
		if x.to >= 0 {
			spans[0] = append(spans[0], span{uint64(max(0, x.from)), uint64(x.to)})
		}
	}
	for i := range of {
		x := of[len(of)-1-i]
		if x.from >= 0 {
			continue
		}
		s := span{magnitude(min(-1, x.to)), magnitude(x.from)}
		if s.from == 1 {
			s.from = 0 // which no integer below 0 has: so all of them may be one half
		}
		spans[1] = append(spans[1], s)
	}
}

// magnitude returns the absolute value of an integer below 0.
func magnitude(x int64) uint64 { return -uint64(x) }

// overlapping returns the spans that hold values from base to base + 2^digits - 1.
func overlapping(of []span, base uint64, digits int) []span {
	last := base + 1<<digits - 1
	from := sort.Search(len(of), func(i int) bool { return of[i].to >= base })
	to := sort.Search(len(of), func(i int) bool { return of[i].from > last })
	if from >= to {
		return nil
	}
	return of[from:to]
}

// has reports whether an absolute value is in one of the spans.
func has(of []span, x uint64) bool {
	i := sort.Search(len(of), func(i int) bool { return of[i].to >= x })
	return i < len(of) && of[i].from <= x
}
