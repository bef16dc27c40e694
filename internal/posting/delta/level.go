// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/bits"
	"sort"
)

// Level is entries of one field, ascending, each record of a row once. It never changes.
//
// A reader that shares its processor with writers finds little of it in the caches, so that what a
// look costs is how many lines of memory it touches: one where the filter says that there is no
// such row, some four for a row of few entries, and one more for each record of a row of many that
// is not there.
type Level struct {
	Entries []Entry

	// The rest is missing in a small level, which is searched as it is.
	rows    Filter   // of the rows that entries have
	buckets []bucket // of equal width, from the first row on, and one for the end
	first   uint64   // the first row: entries has it too, but that is one more line of memory
	shift   int      // a bucket is 1<<shift rows
	heavy   []heavyRow
}

// bucket is where the entries of some rows begin.
type bucket struct {
	entry uint32 // the first of them
	heavy uint32 // the first of the heavy rows among them
}

// heavyRow is where the entries of a row are that has many, and the index of their records.
type heavyRow struct {
	row      uint64
	from, to uint32
	records  RecordIndex
	chunks   RowChunks // empty where chunks have few entries
}

const (
	EntryBytes  = 16 // an entry
	bucketBytes = 8
	heavyBytes  = 152

	// FilteredFrom is from how many entries on a level has a filter and buckets.
	FilteredFrom = 1 << 8

	// bucketEntries is how many entries a bucket has at least, on average.
	bucketEntries = 4

	// HeavyEntries is from how many entries on a row is heavy: fewer are within half a kilobyte,
	// and a search among them takes a few lines.
	HeavyEntries = 1 << 5
)

// NewLevel returns the level of some entries, which it keeps.
func NewLevel(entries []Entry) *Level {
	t := &Level{Entries: entries}
	if len(entries) < FilteredFrom {
		return t
	}
	distinct, words, begins, chunks, low := 0, 0, 0, 0, 0
	for i := 0; i < len(entries); {
		n := runOfRow(entries[i:])
		if distinct++; n >= HeavyEntries {
			t.heavy = append(t.heavy, heavyRow{row: entries[i].Row >> 1, from: uint32(i), to: uint32(i + n)})
			words, begins = words+filterWords(n), begins+recordBuckets(n)
			if c := chunksOf(entries[i : i+n]); c > 0 {
				chunks, low = chunks+c, low+n
			}
		}
		i += n
	}
	t.rows = make(Filter, filterWords(distinct))
	filters, room := make(Filter, words), make([]uint32, begins)
	chunkRoom, lows := make([]RowChunk, chunks), make([]uint16, low)
	first, last := entries[0].Row>>1, entries[len(entries)-1].Row>>1
	t.first = first
	t.shift = bits.Len64((last - first) / uint64(len(entries)/bucketEntries))
	t.buckets = make([]bucket, 0, (last-first)>>t.shift+2)
	heavy := 0
	for i := 0; i < len(entries); {
		row := entries[i].Row >> 1
		t.rows.add(FilterHash(row))
		for uint64(len(t.buckets)) <= (row-first)>>t.shift {
			t.buckets = append(t.buckets, bucket{uint32(i), uint32(heavy)})
		}
		if heavy == len(t.heavy) || t.heavy[heavy].row != row {
			for i++; i < len(entries) && entries[i].Row>>1 == row; i++ {
			}
			continue
		}
		h := &t.heavy[heavy]
		n := int(h.to) - i
		itsWords, itsBegins := filterWords(n), recordBuckets(n)
		h.records = newRecordIndex(entries[i:h.to], filters[:itsWords:itsWords], room[:0:itsBegins])
		filters, room = filters[itsWords:], room[itsBegins:]
		if c := chunksOf(entries[i:h.to]); c > 0 {
			h.chunks = newRowChunks(entries[i:h.to], chunkRoom[:0:c], lows[:n:n])
			chunkRoom, lows = chunkRoom[c:], lows[n:]
		}
		i = int(h.to)
		heavy++
	}
	t.buckets = append(t.buckets, bucket{uint32(len(entries)), uint32(heavy)})
	return t
}

// runOfRow returns how many entries have the row of the first.
func runOfRow(entries []Entry) int {
	n := 1
	for n < len(entries) && entries[n].Row>>1 == entries[0].Row>>1 {
		n++
	}
	return n
}

// bytes returns the memory that the level holds.
func (t *Level) bytes() int64 {
	n := EntryBytes*int64(cap(t.Entries)) + 8*int64(len(t.rows)) + bucketBytes*int64(len(t.buckets)) +
		heavyBytes*int64(cap(t.heavy))
	for i := range t.heavy {
		n += t.heavy[i].records.bytes() + t.heavy[i].chunks.bytes()
	}
	return n
}

// around returns the bounds of the entries of a row, or of the place where they would be. heavy is
// the row's entry if it is a heavy row.
func (t *Level) around(row uint64) (low, high int, heavy *heavyRow) {
	if t.buckets == nil {
		return 0, len(t.Entries), nil
	}
	if row < t.first {
		return 0, 0, nil
	}
	at := (row - t.first) >> t.shift
	if at >= uint64(len(t.buckets)-1) {
		return len(t.Entries), len(t.Entries), nil
	}
	from, to := t.buckets[at], t.buckets[at+1]
	some := t.heavy[from.heavy:to.heavy]
	if i := sort.Search(len(some), func(i int) bool {
		return some[i].row >= row
	}); i < len(some) && some[i].row == row {
		return int(some[i].from), int(some[i].to), &some[i]
	}
	return int(from.entry), int(to.entry), nil
}

// from returns the entries from a row on.
func (t *Level) from(row uint64) []Entry {
	low, high, heavy := t.around(row)
	if heavy != nil {
		return t.Entries[low:]
	}
	return t.Entries[low+sort.Search(high-low, func(i int) bool { return t.Entries[low+i].Row>>1 >= row }):]
}

// MayHave reports whether the level may have entries of a row, by its hash.
func (t *Level) MayHave(hash uint64) bool { return t.rows == nil || t.rows.mayHave(hash) }

// Place says where a level has the entries of a row, or would have them. Finding it reads no entry.
type Place struct {
	Low, High int // between these
	Guess     int // about
	heavy     *heavyRow
}

// PlaceOf returns the place of a row.
func (t *Level) PlaceOf(row uint64) (p Place) {
	p.Low, p.High, p.heavy = t.around(row)
	if p.Guess = p.Low; p.heavy == nil && t.buckets != nil && p.Low < p.High {
		within := (row - t.first) & (1<<t.shift - 1)
		share, _ := bits.Mul64(within<<(64-t.shift), uint64(p.High-p.Low)) // rows are spread evenly as a rule
		p.Guess += int(share)
	}
	return p
}

// Row returns the entries of a row that is at a place.
func (t *Level) Row(row uint64, p Place) (l RowRun) {
	entries := t.Entries[p.Low:p.High]
	if p.heavy != nil {
		return RowRun{entries, &p.heavy.records, &p.heavy.chunks}
	}
	entries = entries[nearFrom(entries, p.Guess-p.Low, Entry{Row: row << 1}):]
	if len(entries) == 0 || entries[0].Row>>1 != row {
		return l
	}
	n := 1
	for n < len(entries) && entries[n].Row>>1 == row {
		n *= 2
	}
	entries, n = entries[:min(n, len(entries))], n/2
	return RowRun{Entries: entries[:n+sort.Search(len(entries)-n,
		func(i int) bool { return entries[n+i].Row>>1 != row })]}
}

// find returns the entry of a record of a row, whose hashes are given.
func (t *Level) find(want Entry, row, record uint64) (m Entry, ok bool) {
	if !t.MayHave(row) {
		return m, false
	}
	low, high, heavy := t.around(want.Row >> 1)
	if heavy != nil {
		if !heavy.records.Filter.mayHave(record) {
			return m, false
		}
		entries := t.Entries[low:high]
		low, high = heavy.records.Around(want.Record >> 1)
		return EntryWithin(entries, low, high, want.Record>>1)
	}
	for low < high {
		middle := int(uint(low+high) >> 1)
		if t.Entries[middle].before(want) != 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(t.Entries) || !t.Entries[low].same(want) {
		return m, false
	}
	return t.Entries[low], true
}
