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

// merged returns ranges without those that have nothing: ascending, and apart from one another. It
// takes over the slice.
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

// overlapping returns those of some spans that have absolute values from base on which differ from
// it in the lowest digits only.
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
