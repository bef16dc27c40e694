// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"slices"
	"sort"
	"sync"

	"github.com/uproar-db/uproar/internal/posting/delta"
)

// probe counts what a list has in common with a much longer one. The shorter list is made as it
// is now, record by record. Of the thousands of edits that the longer one may have those matter
// that name these records, a handful as a rule: they are found where they are, level by level, and
// only they are merged. The pages of the longer list are asked for the other records together.
// Nothing here waits for one look at memory before it takes the next.
type probe struct {
	records []uint64               // of the shorter list, ascending
	hashes  []uint64               // of these, once they are needed
	lows    [chunkRecords / 8]byte // a bit for the low 16 bits of each
	room    []uint16               // for those of a run that are among them
	places  [matchedAtOnce]uint16
	looks   []probeLook // into runs whose filter admits a record
	begins  []int       // of these, of each run
	found   []delta.Entry
	ends    []int // of these, of each run
	heads   [][]delta.Entry
	merged  [2][]delta.Entry
	ahead   [][]byte // what will be read
}

// probeLook is a look for a record in a run.
type probeLook struct {
	at        uint32 // place of the record
	low, high uint32 // of the entries among which its entry is
}

// probes holds scratch memory.
var probes = sync.Pool{New: func() any { return new(probe) }}

// ProbeLen returns how many records are in both lists. It goes over those of a, which should be
// the shorter one.
func ProbeLen(a, b *List) uint64 {
	m := probes.Get().(*probe)
	defer m.done()
	m.ask(a, b)
	m.own(a)
	return m.count(b)
}

// done lets go of the lists and gives the memory back.
func (m *probe) done() {
	clear(m.heads[:cap(m.heads)])
	if max(cap(m.records), cap(m.found), cap(m.looks), cap(m.merged[0]), cap(m.merged[1])) > delta.KeptEntries {
		m.records, m.hashes, m.found, m.looks, m.merged = nil, nil, nil, nil, [2][]delta.Entry{}
	}
	probes.Put(m)
}

// own gathers the records of the shorter list.
func (m *probe) own(a *List) {
	m.records, m.hashes = m.records[:0], m.hashes[:0]
	for i := range a.Pieces() {
		m.records = a.Piece(i).AppendTo(m.records)
	}
	entries := m.merged[0][:0]
	if len(a.Much) > 0 {
		m.heads = a.Much.AppendEntries(m.heads[:0])
		entries = delta.MergeRuns(m.heads, &m.merged)
	} else if len(a.Edits) > 0 {
		for i := range a.Edits {
			entries = append(entries, delta.EntryOf(a.Edits[i]))
		}
		m.merged[0] = entries
	}
	m.records = edited(m.records, entries)
}

// edited applies entries to the records of a list, in the list's memory. Both ascend, and so does
// the result.
func edited(records []uint64, entries []delta.Entry) []uint64 {
	if len(entries) == 0 {
		return records
	}
	// They are moved to the end of the memory, and back, past one entry after the other.
	n := len(records)
	records = slices.Grow(records, len(entries))[:n+len(entries)]
	left := records[len(entries):]
	copy(left, records[:n])
	n = 0
	for _, m := range entries {
		x := m.Record >> 1
		k := recordsBelow(left, x)
		n += copy(records[n:], left[:k])
		if left = left[k:]; len(left) > 0 && left[0] == x {
			left = left[1:]
		}
		if m.Record&1 != 0 {
			records[n] = x
			n++
		}
	}
	n += copy(records[n:], left)
	return records[:n]
}

// recordsBelow returns how many of the first records are below one. It takes few steps when those
// are few.
func recordsBelow(records []uint64, end uint64) int {
	n := 1
	for n <= len(records) && records[n-1] < end {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(records))-low, func(i int) bool { return records[low+i] >= end })
}

// count returns how many of the records a list has. It uses them up.
func (m *probe) count(b *List) (n uint64) {
	records, kept := m.records, 0
	for _, x := range m.matches(b) {
		k := recordsBelow(records, x.Record>>1)
		kept += copy(m.records[kept:], records[:k])
		if records = records[k:]; len(records) > 0 && records[0] == x.Record>>1 {
			n += x.Record & 1
			records = records[1:]
		}
	}
	kept += copy(m.records[kept:], records)
	return n + uint64(len(b.baseAmong(m.records[:kept])))
}

// matches returns the entries that say something of the records, and some that do not, ascending,
// each record once.
func (m *probe) matches(b *List) []delta.Entry {
	m.found, m.ends, m.heads = m.found[:0], m.ends[:0], m.heads[:0]
	if len(b.Much) == 0 {
		m.noteLows()
		for i := range b.Edits {
			if m.has(b.Edits[i].Record) != 0 {
				m.found = append(m.found, delta.EntryOf(b.Edits[i]))
			}
		}
		m.forgetLows()
		return m.found
	}
	m.askFilters(b.Much)
	noted := false
	for i := range b.Much {
		l := &b.Much[i]
		if way := probeKindOf(l, len(m.records)); way == atFilter {
			m.lookUp(l, m.looks[m.begins[i]:m.begins[i+1]])
		} else {
			if !noted {
				m.noteLows()
				noted = true
			}
			if way == atLows {
				m.goThroughLows(l, l.Chunks)
			} else {
				m.goThroughEntries(l.Entries)
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
	return delta.MergeRuns(m.heads, &m.merged)
}
