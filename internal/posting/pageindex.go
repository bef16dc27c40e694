// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/bits"
	"sort"
)

// pageIndex says about where the page of a row stands among the pages of a field: a look at it and
// one at the page's ref find it, where a binary search over thousands of refs, each of a cache
// line, looks at a dozen. It takes 4 to 8 bytes a page. Immutable.
type pageIndex struct {
	shift uint8
	at    []uint32 // at[b] is how many pages begin below b<<shift; one more than there are ranges
}

// nearPages is how many pages of a range are looked at one after the other.
const nearPages = 8

// indexedFrom is how many pages are worth a pageIndex.
const indexedFrom = 16

// pageIndexBytes is how much a pageIndex takes for a page, at most.
const pageIndexBytes = 8

// newPageIndex returns the pageIndex of pages in the order of the manifest; nil if they are too few
// for one.
func newPageIndex(refs []ref) *pageIndex {
	if len(refs) < indexedFrom {
		return nil
	}
	last := refs[len(refs)-1].first
	g := &pageIndex{shift: uint8(max(0, bits.Len64(last)-bits.Len(uint(len(refs)))))}
	g.at = make([]uint32, last>>g.shift+2)
	at := 0
	for b := range g.at {
		for at < len(refs) && refs[at].first>>g.shift < uint64(b) {
			at++
		}
		g.at[b] = uint32(at)
	}
	return g
}

// find is the function find, for the pages that the index is of.
func (g *pageIndex) find(refs []ref, row uint64) int {
	if g == nil {
		return find(refs, row)
	}
	b := row >> g.shift
	if b >= uint64(len(g.at)-1) {
		return len(refs) - 1
	}
	from, to := int(g.at[b]), int(g.at[b+1])
	if to-from > nearPages {
		return from + sort.Search(to-from, func(i int) bool { return refs[from+i].first > row }) - 1
	}
	for from < to && refs[from].first <= row {
		from++
	}
	return from - 1
}
