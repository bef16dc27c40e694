// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"runtime"
	"slices"
	"sort"
	"sync"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/prefetch"
)

// matching counts what a list has in common with a much longer one. The shorter list is made as it is now, record by record. Of the thousands of edits that the longer one may have those matter that name these records, a handful as
// a rule: they are found where they are, tier by tier, and only they are merged. The pages of the longer list are asked for the other records together. Nothing here waits for one look at memory before it takes the next.
type matching struct {
	records []uint64               // of the shorter list, ascending
	hashes  []uint64               // of these, once they are needed
	lows    [chunkRecords / 8]byte // a bit for the low 16 bits of each
	room    []uint16               // for those of a layer that are among them
	places  [matchedAtOnce]uint16
	looks   []matchLook // into layers, of which the filter says that they may have a record
	begins  []int       // of these, of each layer
	found   []mark
	ends    []int // of these, of each layer
	heads   [][]mark
	merged  [2][]mark
	ahead   [][]byte // what will be read
}

// matchLook is a look for a record in a layer.
type matchLook struct {
	at        uint32 // place of the record
	low, high uint32 // of the marks among which its mark is
}

const (
	chunkRecords = 1 << 16

	// matchedAtOnce is how many marks are gone through before what was found of them is looked at.
	matchedAtOnce = 256

	// What it takes, in tenths of a nanosecond and about, to ask the filter of a layer for a record, to look at a mark, at one of which the low bits are at hand, at a chunk of these, and at a mark that is of none of the records.
	filterCost, markCost, lowCost, lowsCost, strayCost = 45, 12, 8, 300, 300
)

// matchings holds memory for matchings.
var matchings = sync.Pool{New: func() any { return new(matching) }}

// matchingLen returns how many records are in both lists. It goes over those of a, which should be the shorter one.
func matchingLen(a, b *List) uint64 {
	m := matchings.Get().(*matching)
	defer m.done()
	m.ask(a, b)
	m.own(a)
	return m.count(b)
}

// done lets go of the lists and gives the memory back.
func (m *matching) done() {
	clear(m.heads)
	if cap(m.records)+cap(m.found)+cap(m.looks) > keptMarks {
		m.records, m.hashes, m.found, m.looks, m.merged = nil, nil, nil, nil, [2][]mark{}
	}
	matchings.Put(m)
}

// own gathers the records of the shorter list.
func (m *matching) own(a *List) {
	m.records, m.hashes = m.records[:0], m.hashes[:0]
	for i := range a.pieces() {
		m.records = a.piece(i).AppendTo(m.records)
	}
	marks := m.merged[0][:0]
	if len(a.much) > 0 {
		m.heads = a.much.appendMarks(m.heads[:0])
		marks = mergeLayers(m.heads, &m.merged)
	} else if len(a.edits) > 0 {
		for i := range a.edits {
			marks = append(marks, markOf(a.edits[i]))
		}
		m.merged[0] = marks
	}
	m.records = edited(m.records, marks)
}

// edited returns the records of a list as marks say that they are, all ascending, in the memory of the list.
func edited(records []uint64, marks []mark) []uint64 {
	if len(marks) == 0 {
		return records
	}
	// They are moved to the end of the memory, and back, past one mark after the other.
	n := len(records)
	records = slices.Grow(records, len(marks))[:n+len(marks)]
	left := records[len(marks):]
	copy(left, records[:n])
	n = 0
	for _, m := range marks {
		x := m.record >> 1
		k := recordsBelow(left, x)
		n += copy(records[n:], left[:k])
		if left = left[k:]; len(left) > 0 && left[0] == x {
			left = left[1:]
		}
		if m.record&1 != 0 {
			records[n] = x
			n++
		}
	}
	n += copy(records[n:], left)
	return records[:n]
}

// recordsBelow returns how many of the first records are below one. It takes few steps when those are few.
func recordsBelow(records []uint64, end uint64) int {
	n := 1
	for n <= len(records) && records[n-1] < end {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(records))-low, func(i int) bool { return records[low+i] >= end })
}

// count returns how many of the records a list has. It uses them up.
func (m *matching) count(b *List) (n uint64) {
	records, kept := m.records, 0
	for _, x := range m.matches(b) {
		k := recordsBelow(records, x.record>>1)
		kept += copy(m.records[kept:], records[:k])
		if records = records[k:]; len(records) > 0 && records[0] == x.record>>1 {
			n += x.record & 1
			records = records[1:]
		}
	}
	kept += copy(m.records[kept:], records)
	return n + uint64(len(b.baseAmong(m.records[:kept])))
}

// matches returns the marks that say something of the records, and some that do not, ascending, each record once.
func (m *matching) matches(b *List) []mark {
	m.found, m.ends, m.heads = m.found[:0], m.ends[:0], m.heads[:0]
	if len(b.much) == 0 {
		m.noteLows()
		for i := range b.edits {
			if m.has(b.edits[i].record) != 0 {
				m.found = append(m.found, markOf(b.edits[i]))
			}
		}
		m.forgetLows()
		return m.found
	}
	m.askFilters(b.much)
	noted := false
	for i := range b.much {
		l := &b.much[i]
		if way := looksAt(l, len(m.records)); way == atFilter {
			m.lookUp(l, m.looks[m.begins[i]:m.begins[i+1]])
		} else {
			if !noted {
				m.noteLows()
				noted = true
			}
			if way == atLows {
				m.goThroughLows(l, l.chunks)
			} else {
				m.goThroughMarks(l.marks)
			}
		}
		m.ends = append(m.ends, len(m.found))
	}
	if noted {
		m.forgetLows()
	}
	begun := 0
	for _, end := range m.ends {
		if end > begun {
			m.heads = append(m.heads, m.found[begun:end])
		}
		begun = end
	}
	return mergeLayers(m.heads, &m.merged)
}

// lookAt is what is looked at of a layer.
type lookAt uint8

const (
	atMarks  lookAt = iota
	atFilter        // and, of what is there, at marks
	atLows
)

// looksAt returns what to look at of a layer for so many records.
func looksAt(l *layer, records int) lookAt {
	if l.records == nil {
		return atMarks
	}
	way, cost := atMarks, markCost*len(l.marks)
	if l.chunks != nil && len(l.chunks.all) > 0 {
		way, cost = atLows, lowCost*len(l.marks)+lowsCost*len(l.chunks.all)
	}
	strays := len(l.marks) * min(records, chunkRecords) / chunkRecords
	if filterCost*records <= cost+strayCost*strays {
		return atFilter
	}
	return way
}

// askFilters asks the filters of layers for the records, where that is what is looked at, and where the marks are that they may have. Each step is taken for all of them before the next one is, so that the processor waits for many
// lines of memory at the same time.
func (m *matching) askFilters(l layers) {
	m.looks, m.begins = m.looks[:0], m.begins[:0]
	for i := range l {
		begun := len(m.looks)
		m.begins = append(m.begins, begun)
		if looksAt(&l[i], len(m.records)) != atFilter {
			continue
		}
		if len(m.hashes) < len(m.records) {
			for _, x := range m.records {
				m.hashes = append(m.hashes, filterHash(x))
			}
		}
		m.looks = slices.Grow(m.looks, len(m.hashes)+1)
		looks := m.looks[begun : begun+len(m.hashes)+1]
		filter, n := l[i].records.filter, 0
		for k, hash := range m.hashes {
			looks[n].at = uint32(k)
			n += filter.among(hash)
		}
		m.looks = m.looks[:begun+n]
	}
	m.begins = append(m.begins, len(m.looks))
	for i := range l {
		looks := m.looks[m.begins[i]:m.begins[i+1]]
		for k := range looks {
			low, high := l[i].records.around(m.records[looks[k].at])
			looks[k].low, looks[k].high = uint32(low), uint32(high)
		}
	}
	touched := uint64(0)
	for i := range l {
		for _, look := range m.looks[m.begins[i]:m.begins[i+1]] {
			if look.low < look.high {
				touched |= l[i].marks[look.low].record
			}
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loop out
}

// lookUp finds the marks that looks are for.
func (m *matching) lookUp(l *layer, looks []matchLook) {
	for _, look := range looks {
		if x, ok := markWithin(l.marks, int(look.low), int(look.high), m.records[look.at]); ok {
			m.found = append(m.found, x)
		}
	}
}

// noteLows notes the low bits of the records.
func (m *matching) noteLows() {
	for _, x := range m.records {
		m.lows[x>>3%uint64(len(m.lows))] |= 1 << (x & 7)
	}
}

// forgetLows takes that back.
func (m *matching) forgetLows() {
	if len(m.records) >= len(m.lows)/64 {
		clear(m.lows[:])
		return
	}
	for _, x := range m.records {
		m.lows[x>>3%uint64(len(m.lows))] = 0
	}
}

// has returns 0 if a record is none of those of which the low bits are noted, and 1 if it may be one.
func (m *matching) has(record uint64) int {
	return int(m.lows[record>>3%uint64(len(m.lows))] >> (record & 7) & 1)
}

// goThroughMarks finds the marks that may be of the records.
func (m *matching) goThroughMarks(marks []mark) {
	for len(marks) > 0 {
		some := marks[:min(len(marks), matchedAtOnce)]
		n := 0
		for i := range some {
			m.places[n%matchedAtOnce] = uint16(i)
			n += m.has(some[i].record >> 1)
		}
		for _, at := range m.places[:n] {
			m.found = append(m.found, some[at])
		}
		marks = marks[len(some):]
	}
}

// goThroughLows is goThroughMarks of the marks of a layer that are there chunk by chunk as well.
func (m *matching) goThroughLows(l *layer, c *rowChunks) {
	row := l.marks[0].row
	for i := range c.all {
		chunk := &c.all[i]
		begun := len(m.found)
		m.keep(mark{row, chunk.key<<17 | 1}, c.lows[chunk.from:chunk.cut])
		set := len(m.found)
		m.keep(mark{row, chunk.key << 17}, c.lows[chunk.cut:chunk.to])
		if begun < set && set < len(m.found) {
			slices.SortFunc(m.found[begun:], func(x, y mark) int { return cmp.Compare(x.record, y.record) })
		}
	}
}

// keep finds those of the marks of a chunk, which are given by the first that there can be and by their low 16 bits, that may be of the records.
func (m *matching) keep(first mark, lows []uint16) {
	if len(lows) > len(m.room) {
		m.room = make([]uint16, max(len(lows), matchedAtOnce))
	}
	for _, low := range m.room[:bitmap.KeepLows(m.room, lows, &m.lows)] {
		m.found = append(m.found, mark{first.row, first.record + uint64(low)<<1})
	}
}

// ask asks for what will be read of two lists beside pages, so that it is there when it is read.
func (m *matching) ask(a, b *List) {
	m.ahead = m.ahead[:0]
	for i := range a.much {
		m.ahead = appendAhead(m.ahead, a.much[i].marks)
	}
	records := int(min(a.AtMost(), chunkRecords))
	for i := range b.much {
		l := &b.much[i]
		switch looksAt(l, records) {
		case atFilter:
			m.ahead = appendAhead(m.ahead, l.records.filter)
		case atLows:
			m.ahead = appendAhead(m.ahead, l.chunks.lows)
		default:
			m.ahead = appendAhead(m.ahead, l.marks)
		}
	}
	prefetch.Ends(m.ahead)
	clear(m.ahead)
}
