// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"runtime"
	"slices"
	"sort"
	"sync"
)

// correction finds what the edits of two lists add to the number of records that both have on their pages. A record adds something only if edits name it, so those that they name are gathered, many at a time, and the pages
// are asked for all of these together. A delta is seldom in the processor's caches: nothing here waits for one look at memory before it takes the next, and few steps depend on what a look found.
type correction struct {
	records [correctedAtOnce]uint64 // ascending
	known   [correctedAtOnce]uint8  // of each, as far as it is known
	n       int
	hashes  [correctedAtOnce]uint64
	places  [correctedAtOnce]uint16    // of records that are asked about
	asked   [correctedAtOnce]uint64    // these
	between [correctedAtOnce][2]uint32 // where they are in a layer
	read    [64]uint64                 // values of a page
	merged  [2][]edit
	layers  layers // of b, as long as they are not merged
	edits   []edit // of b, where it has no layers; what is left of them
}

// What asking layers takes, in nanoseconds and about.
const (
	askedCost  = 4  // a record of one layer
	mergedCost = 15 // a mark of layers that are merged instead
)

// correctedAtOnce is how many records are gathered before what is said of them is found out.
const correctedAtOnce = 256

// What is known of a record: whether the pages of both lists have it, what their edits say.
const (
	onA = 1 << iota
	saidA
	setA
	saidB
	setB
	onB
)

// adds is what a record, of which so much is known, adds to a number that counts it where the pages of both lists have it: 1, 0 or, taken modulo 2^64, -1.
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

// difference returns what a record adds to a number that counted it before, or did not, where it counts now, or does not.
func difference(before, now bool) uint64 {
	switch {
	case now && !before:
		return 1
	case before && !now:
		return ^uint64(0)
	}
	return 0
}

// corrections holds memory for corrections.
var corrections = sync.Pool{New: func() any { return new(correction) }}

// done gives the memory back.
func (c *correction) done() {
	for i := range c.merged {
		if cap(c.merged[i]) > keptMarks {
			c.merged[i] = nil
		}
	}
	c.n, c.layers, c.edits = 0, nil, nil
	corrections.Put(c)
}

// correctedByEdits returns what the edits of a and b add: it asks the pages of both for every record that edits name.
func correctedByEdits(a, b *List) (n uint64) {
	c := corrections.Get().(*correction)
	defer c.done()
	ofA, ofB := a.allEdits(), b.allEdits()
	for len(ofA) > 0 || len(ofB) > 0 {
		if c.n == correctedAtOnce {
			n += c.sum(a, b)
		}
		var record uint64
		if len(ofB) == 0 || len(ofA) > 0 && ofA[0].record <= ofB[0].record {
			record = ofA[0].record
		} else {
			record = ofB[0].record
		}
		known := uint8(0)
		if len(ofA) > 0 && ofA[0].record == record {
			known |= said(ofA[0], saidA, setA)
			ofA = ofA[1:]
		}
		if len(ofB) > 0 && ofB[0].record == record {
			known |= said(ofB[0], saidB, setB)
			ofB = ofB[1:]
		}
		c.add(record, known)
	}
	return n + c.sum(a, b)
}

// correctedByRecords returns what the edits of a and b add: it goes over the records that a has on pages or in edits. What b's edits say of others does not count.
func correctedByRecords(a, b *List) (n uint64) {
	c := corrections.Get().(*correction)
	defer c.done()
	ofA := a.edits
	if len(a.much) > 0 {
		c.merged[0] = a.much.edits(c.merged[0][:0])
		ofA = c.merged[0]
	}
	if c.edits, c.layers = b.edits, b.much; askedCost*uint64(len(b.much))*a.AtMost() > mergedCost*uint64(b.much.len()) {
		c.merged[1] = b.much.edits(c.merged[1][:0])
		c.edits, c.layers = c.merged[1], nil
	}
	for i := range a.pieces() {
		it := a.piece(i).Iterator(0)
		for k := it.Read(c.read[:]); k > 0; k = it.Read(c.read[:]) {
			for values := c.read[:k]; len(values) > 0; {
				before := len(values) // those that the next edit follows
				if len(ofA) > 0 && ofA[0].record <= values[before-1] {
					before = sort.Search(before, func(i int) bool { return values[i] >= ofA[0].record })
				}
				if c.n+before >= correctedAtOnce {
					n += c.ask(b)
				}
				c.n += copy(c.records[c.n:], values[:before])
				for i := range c.known[c.n-before : c.n] {
					c.known[c.n-before+i] = onA
				}
				if values = values[before:]; len(values) == 0 {
					break
				}
				known := said(ofA[0], saidA, setA)
				if values[0] == ofA[0].record {
					known |= onA
					values = values[1:]
				}
				c.add(ofA[0].record, known)
				ofA = ofA[1:]
			}
		}
	}
	for _, e := range ofA {
		if c.n == correctedAtOnce {
			n += c.ask(b)
		}
		c.add(e.record, said(e, saidA, setA))
	}
	return n + c.ask(b)
}

// said returns what is known of a record by an edit, by the names of that.
func said(e edit, said, set uint8) uint8 {
	if e.set {
		return said | set
	}
	return said
}

// add appends a record, for which there must be room.
func (c *correction) add(record uint64, known uint8) {
	c.records[c.n], c.known[c.n] = record, known
	c.n++
}

// ask finds out what b's edits say of the records, of which it is known whether a's pages have them, and returns what they add.
func (c *correction) ask(b *List) uint64 {
	if c.n == 0 {
		return 0
	}
	if len(c.layers) > 0 {
		c.askLayers()
	} else {
		c.askEdits()
	}
	return c.sum(nil, b)
}

// askEdits notes what edits say, and moves them on.
func (c *correction) askEdits() {
	edits := c.edits
	edits = edits[sort.Search(len(edits), func(i int) bool { return edits[i].record >= c.records[0] }):]
	records, known := c.records[:c.n], c.known[:c.n]
	i, j := 0, 0
	for i < len(records) && j < len(edits) {
		x, e := records[i], &edits[j]
		if x == e.record {
			known[i] |= said(*e, saidB, setB)
		}
		i, j = i+notAbove(x, e.record), j+notAbove(e.record, x)
	}
	c.edits = edits[j:]
}

// notAbove returns 1 if x is at most y, and 0 otherwise: a number, so that two sequences are merged without jumps that depend on the values.
func notAbove(x, y uint64) (n int) {
	if x <= y {
		n = 1
	}
	return n
}

// askLayers notes what layers say, the newest of each record.
func (c *correction) askLayers() {
	records, known := c.records[:c.n], c.known[:c.n]
	hashes, places := c.hashes[:c.n], c.places[:c.n]
	for i, x := range records {
		hashes[i] = filterHash(x)
	}
	for k := len(c.layers) - 1; k >= 0; k-- {
		l := &c.layers[k]
		if l.records == nil {
			c.askMarks(l.marks)
			continue
		}
		// Each step is taken for all records before the next one is, so that the processor waits for many lines of memory at the same time.
		may := 0
		for i, hash := range hashes {
			places[may] = uint16(i)
			may += l.records.filter.among(hash)
		}
		places := places[:may]
		between := c.between[:may]
		for i, at := range places {
			low, high := l.records.around(records[at])
			between[i] = [2]uint32{uint32(low), uint32(high)}
		}
		touched := uint64(0)
		for _, b := range between {
			if low := int(b[0]); low < len(l.marks) {
				touched |= l.marks[low].record
			}
		}
		runtime.KeepAlive(touched) // or the compiler leaves the loop out
		for i, at := range places {
			if m, ok := markWithin(l.marks, int(between[i][0]), int(between[i][1]), records[at]); ok && known[at]&saidB == 0 {
				known[at] |= markSays(m)
			}
		}
	}
}

// askMarks notes what the marks of a layer say, of which there are few.
func (c *correction) askMarks(marks []mark) {
	records, known := c.records[:c.n], c.known[:c.n]
	marks = marks[near(marks, records[0]):]
	marks = marks[:near(marks, records[len(records)-1]+1)]
	if len(marks)*searchedMarks < len(records) {
		for _, m := range marks {
			if i, ok := slices.BinarySearch(records, m.record>>1); ok && known[i]&saidB == 0 {
				known[i] |= markSays(m)
			}
		}
		return
	}
	i, j := 0, 0
	for i < len(marks) && j < len(records) {
		m, x := marks[i], records[j]
		if m.record>>1 == x && known[j]&saidB == 0 {
			known[j] |= markSays(m)
		}
		i, j = i+notAbove(m.record>>1, x), j+notAbove(x, m.record>>1)
	}
}

// searchedMarks is in how many records a mark is searched for in the time that merging takes for these.
const searchedMarks = 16

// markSays returns what is known of a record by a mark of b.
func markSays(m mark) uint8 { return saidB | setB*uint8(m.record&1) }

// sum returns what the records add, of which it is known what edits say of them, and lets go of them: it asks b's pages for those that may add something, and a's if it is not known of any what these have.
func (c *correction) sum(a, b *List) (n uint64) {
	records, known := c.records[:c.n], c.known[:c.n]
	c.n = 0
	places := c.places[:len(records)]
	doubtful := 0
	doubts := &doubtsOfB
	if a != nil {
		doubts = &doubtsOfBoth
	}
	for i, k := range known {
		places[doubtful] = uint16(i)
		doubtful += doubts[k]
	}
	places = places[:doubtful]
	if a != nil {
		c.askPages(a, records, known, places, onA)
	}
	c.askPages(b, records, known, places, onB)
	for _, i := range places {
		n += adds[known[i]]
	}
	return n
}

// These are 1 where so much is known of a record that it may add something, by what b's pages have, or those of both.
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
func (c *correction) askPages(l *List, records []uint64, known []uint8, places []uint16, what uint8) {
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
