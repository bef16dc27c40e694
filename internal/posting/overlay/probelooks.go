// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/prefetch"
	"github.com/uproar-db/uproar/internal/roaring"
)

const (
	chunkRecords = 1 << 16

	// matchedAtOnce is how many entries are gone through before what was found of them is looked
	// at.
	matchedAtOnce = 256

	// Approximate costs in tenths of a nanosecond. They are for asking the filter of a run for a
	// record, reading an entry, reading an entry's low bits, reading a chunk of these, and an entry
	// that matches no record.
	filterCost, entryCost, lowCost, lowsCost, strayCost = 45, 12, 8, 300, 300
)

// probeKind is what is looked at of a run.
type probeKind uint8

const (
	atEntries probeKind = iota
	atFilter            // and, of what is there, at entries
	atLows
)

// probeKindOf returns what to read of a run to look for some records.
func probeKindOf(l *delta.RowRun, records int) probeKind {
	if l.Records == nil {
		return atEntries
	}
	way, cost := atEntries, entryCost*len(l.Entries)
	if l.Chunks != nil && len(l.Chunks.All) > 0 {
		way, cost = atLows, lowCost*len(l.Entries)+lowsCost*len(l.Chunks.All)
	}
	strays := len(l.Entries) * min(records, chunkRecords) / chunkRecords
	if filterCost*records <= cost+strayCost*strays {
		return atFilter
	}
	return way
}

// askFilters asks the filters of runs for the records, if filters are what it should read. It then
// finds where the admitted entries are. It takes each step for all records before the next step, so
// that the processor waits for many cache lines at once.
func (m *probe) askFilters(l delta.RowRuns) {
	m.looks, m.begins = m.looks[:0], m.begins[:0]
	for i := range l {
		begun := len(m.looks)
		m.begins = append(m.begins, begun)
		if probeKindOf(&l[i], len(m.records)) != atFilter {
			continue
		}
		if len(m.hashes) < len(m.records) {
			for _, x := range m.records {
				m.hashes = append(m.hashes, delta.FilterHash(x))
			}
		}
		m.looks = slices.Grow(m.looks, len(m.hashes)+1)
		looks := m.looks[begun : begun+len(m.hashes)+1]
		filter, n := l[i].Records.Filter, 0
		for k, hash := range m.hashes {
			looks[n].at = uint32(k)
			n += filter.Among(hash)
		}
		m.looks = m.looks[:begun+n]
	}
	m.begins = append(m.begins, len(m.looks))
	for i := range l {
		looks := m.looks[m.begins[i]:m.begins[i+1]]
		for k := range looks {
			low, high := l[i].Records.Around(m.records[looks[k].at])
			looks[k].low, looks[k].high = uint32(low), uint32(high)
		}
	}
	touched := uint64(0)
	for i := range l {
		for _, look := range m.looks[m.begins[i]:m.begins[i+1]] {
			if look.low < look.high {
				touched |= l[i].Entries[look.low].Record
			}
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loop out
}

// lookUp finds the entries that looks are for.
func (m *probe) lookUp(l *delta.RowRun, looks []probeLook) {
	for _, look := range looks {
		if x, ok := delta.EntryWithin(l.Entries, int(look.low), int(look.high), m.records[look.at]); ok {
			m.found = append(m.found, x)
		}
	}
}

// noteLows notes the low bits of the records.
func (m *probe) noteLows() {
	for _, x := range m.records {
		m.lows[x>>3%uint64(len(m.lows))] |= 1 << (x & 7)
	}
}

// forgetLows takes that back.
func (m *probe) forgetLows() {
	if len(m.records) >= len(m.lows)/64 {
		clear(m.lows[:])
		return
	}
	for _, x := range m.records {
		m.lows[x>>3%uint64(len(m.lows))] = 0
	}
}

// has returns 1 if the low bits of a record are noted, and 0 otherwise. On 0 the record is not
// wanted. On 1 it may be.
func (m *probe) has(record uint64) int {
	return int(m.lows[record>>3%uint64(len(m.lows))] >> (record & 7) & 1)
}

// goThroughEntries finds the entries that may be of the records.
func (m *probe) goThroughEntries(entries []delta.Entry) {
	for len(entries) > 0 {
		some := entries[:min(len(entries), matchedAtOnce)]
		n := 0
		for i := range some {
			m.places[n%matchedAtOnce] = uint16(i)
			n += m.has(some[i].Record >> 1)
		}
		for _, at := range m.places[:n] {
			m.found = append(m.found, some[at])
		}
		entries = entries[len(some):]
	}
}

// goThroughLows is goThroughEntries of the entries of a run that are there chunk by chunk as well.
func (m *probe) goThroughLows(l *delta.RowRun, c *delta.RowChunks) {
	row := l.Entries[0].Row
	for i := range c.All {
		chunk := &c.All[i]
		begun := len(m.found)
		m.addLows(delta.Entry{Row: row, Record: chunk.Key<<17 | 1}, c.Lows[chunk.From:chunk.Cut])
		set := len(m.found)
		m.addLows(delta.Entry{Row: row, Record: chunk.Key << 17}, c.Lows[chunk.Cut:chunk.To])
		if begun < set && set < len(m.found) {
			slices.SortFunc(m.found[begun:], func(x, y delta.Entry) int { return cmp.Compare(x.Record, y.Record) })
		}
	}
}

// addLows adds the entries of a chunk that may match the records. first is the least entry that the
// chunk can have. lows are the entries' low 16 bits.
func (m *probe) addLows(first delta.Entry, lows []uint16) {
	if len(lows) > len(m.room) {
		m.room = make([]uint16, max(len(lows), matchedAtOnce))
	}
	for _, low := range m.room[:roaring.KeepLows(m.room, lows, &m.lows)] {
		m.found = append(m.found, delta.Entry{Row: first.Row, Record: first.Record + uint64(low)<<1})
	}
}

// ask prefetches what a probe of two lists reads beside pages.
func (m *probe) ask(a, b *List) {
	m.ahead = m.ahead[:0]
	for i := range a.Much {
		m.ahead = appendAhead(m.ahead, a.Much[i].Entries)
	}
	records := int(min(a.AtMost(), chunkRecords))
	for i := range b.Much {
		l := &b.Much[i]
		switch probeKindOf(l, records) {
		case atFilter:
			m.ahead = appendAhead(m.ahead, l.Records.Filter)
		case atLows:
			m.ahead = appendAhead(m.ahead, l.Chunks.Lows)
		default:
			m.ahead = appendAhead(m.ahead, l.Entries)
		}
	}
	prefetch.Ends(m.ahead)
	clear(m.ahead)
}
