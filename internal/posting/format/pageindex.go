// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"math/bits"
	"sort"
)

// Index says about where the page of a row stands among the pages of a field: a look at it and
// one at the page's ref find it, where a binary search over thousands of refs, each of a cache
// line, looks at a dozen. It takes 4 to 8 bytes a page. Immutable.
type Index struct {
	shift uint8
	At    []uint32 // at[b] is how many pages begin below b<<shift; one more than there are ranges
}

// nearPages is how many pages of a range are looked at one after the other.
const nearPages = 8

// indexedFrom is how many pages are worth an Index.
const indexedFrom = 16

// IndexBytes is how much an Index takes for a page, at most.
const IndexBytes = 8

// newPageIndex returns the index of pages in manifest order. It returns nil if they are too few to
// index.
func newPageIndex(refs []Ref) *Index {
	if len(refs) < indexedFrom {
		return nil
	}
	last := refs[len(refs)-1].First
	g := &Index{shift: uint8(max(0, bits.Len64(last)-bits.Len(uint(len(refs)))))}
	g.At = make([]uint32, last>>g.shift+2)
	at := 0
	for b := range g.At {
		for at < len(refs) && refs[at].First>>g.shift < uint64(b) {
			at++
		}
		g.At[b] = uint32(at)
	}
	return g
}

// FindRef is the function find, for the pages that the index is of.
func (g *Index) FindRef(refs []Ref, row uint64) int {
	if g == nil {
		return FindRef(refs, row)
	}
	b := row >> g.shift
	if b >= uint64(len(g.At)-1) {
		return len(refs) - 1
	}
	from, to := int(g.At[b]), int(g.At[b+1])
	if to-from > nearPages {
		return from + sort.Search(to-from, func(i int) bool { return refs[from+i].First > row }) - 1
	}
	for from < to && refs[from].First <= row {
		from++
	}
	return from - 1
}
