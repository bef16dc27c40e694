// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"sync"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// overlayCount finds what the edits of two lists add to the number of records that both have on
// their pages. A record adds something only if edits name it, so those that they name are gathered,
// many at a time, and the pages are asked for all of these together. A delta is seldom in the
// processor's caches: nothing here waits for one look at memory before it takes the next, and few
// steps depend on what a look found.
type overlayCount struct {
	records [countedAtOnce]uint64 // ascending
	known   [countedAtOnce]uint8  // of each, as far as it is known
	n       int
	places  [countedAtOnce]uint16 // of records that are asked about
	asked   [countedAtOnce]uint64 // these
}

// countedAtOnce is how many records are gathered before what is said of them is found out.
const countedAtOnce = 256

// What is known of a record: whether the pages of both lists have it, what their edits say.
const (
	onA = 1 << iota
	saidA
	setA
	saidB
	setB
	onB
)

// adds is what a record, of which so much is known, adds to a number that counts it where the pages
// of both lists have it: 1, 0 or, taken modulo 2^64, -1.
var adds = func() (adds [2 * onB]uint64) {
	for known := range adds {
		has := func(what int) bool { return known&what != 0 }
		hadA, hadB := has(onA), has(onB)
		nowA, nowB := hadA, hadB
		if has(saidA) {
			nowA = has(setA)
		}
		if has(saidB) {
			nowB = has(setB)
		}
		adds[known] = difference(hadA && hadB, nowA && nowB)
	}
	return adds
}()

// difference returns what a record adds to a number that counted it before, or did not, where it
// counts now, or does not.
func difference(before, now bool) uint64 {
	switch {
	case now && !before:
		return 1
	case before && !now:
		return ^uint64(0)
	}
	return 0
}

// overlayCounts holds memory for corrections.
var overlayCounts = sync.Pool{New: func() any { return new(overlayCount) }}

// CountedByEdits returns what the edits of a and b add: it asks the pages of both for the records
// that edits name. a should be the shorter list.
func CountedByEdits(a, b *List) (n uint64) {
	c := overlayCounts.Get().(*overlayCount)
	defer overlayCounts.Put(c)
	ofA, ofB := a.allEdits(), b.allEdits()
	for len(ofA) > 0 || len(ofB) > 0 {
		if c.n == countedAtOnce {
			n += c.sum(a, b)
		}
		var record uint64
		if len(ofB) == 0 || len(ofA) > 0 && ofA[0].Record <= ofB[0].Record {
			record = ofA[0].Record
		} else {
			record = ofB[0].Record
		}
		known := uint8(0)
		if len(ofA) > 0 && ofA[0].Record == record {
			known |= said(ofA[0], saidA, setA)
			ofA = ofA[1:]
		}
		if len(ofB) > 0 && ofB[0].Record == record {
			known |= said(ofB[0], saidB, setB)
			ofB = ofB[1:]
		}
		c.add(record, known)
	}
	return n + c.sum(a, b)
}

// said returns what is known of a record by an edit, by the names of that.
func said(e model.Edit, said, set uint8) uint8 {
	if e.Set {
		return said | set
	}
	return said
}

// add appends a record, for which there must be room.
func (c *overlayCount) add(record uint64, known uint8) {
	c.records[c.n], c.known[c.n] = record, known
	c.n++
}

// sum returns what the records add, of which it is known what edits say of them, and lets go of
// them. It asks the pages of a for those that may add something, and those of b for what is still
// in doubt then: of what edits of the longer list name, the shorter one has little as a rule.
func (c *overlayCount) sum(a, b *List) (n uint64) {
	records, known := c.records[:c.n], c.known[:c.n]
	places := c.places[:c.n]
	for i := range places {
		places[i] = uint16(i)
	}
	c.n = 0
	places = inDoubt(places, known, &doubtsOfBoth)
	c.askPages(a, records, known, places, onA)
	places = inDoubt(places, known, &doubtsOfB)
	c.askPages(b, records, known, places, onB)
	for _, i := range places {
		n += adds[known[i]]
	}
	return n
}

// inDoubt returns those of some places whose records may add something, in their memory.
func inDoubt(places []uint16, known []uint8, doubts *[2 * onB]int) []uint16 {
	n := 0
	for _, at := range places {
		places[n] = at
		n += doubts[known[at]]
	}
	return places[:n]
}

// These are 1 where so much is known of a record that it may add something, by what b's pages have,
// or those of both.
var (
	doubtsOfB    = doubtsOf(0, onB)
	doubtsOfBoth = doubtsOf(0, onA, onB, onA|onB)
)

func doubtsOf(pages ...int) (doubts [2 * onB]int) {
	for known := range doubts {
		for _, have := range pages {
			if adds[known|have] != 0 {
				doubts[known] = 1
			}
		}
	}
	return doubts
}

// askPages notes which of the records at some places the pages of a list have.
func (c *overlayCount) askPages(l *List, records []uint64, known []uint8, places []uint16, what uint8) {
	asked := c.asked[:len(places)]
	for i, at := range places {
		asked[i] = records[at]
	}
	found := l.baseAmong(asked)
	for _, at := range places {
		if len(found) == 0 {
			return
		}
		if records[at] == found[0] {
			known[at] |= what
			found = found[1:]
		}
	}
}
