// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Levels is the edits of one field that a delta has: sorted sequences, oldest first, where what a
// newer one says of a record counts. A group of commits adds one, which is merged with those before
// that are not larger, as in a log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil, 1996).
// So there are few places to look into, an edit is copied some ten times in all, by loops that run
// through memory from one end to the other, and what was published never changes.
type Levels struct {
	Field uint32
	All   []*Level
}

// leastLevel is the size up to which levels count as equal.
const leastLevel = 1 << 6

// class returns which levels are of about the same size: each is eight times the one before.
func class(entries int) int { return (bits.Len(uint(entries/leastLevel)) + 2) / 3 }

// with returns the levels and one more, the newest, of entries that ascend: together with those
// before that are not larger, so that there is one of a class. It copies them.
func (ts Levels) with(entries []Entry) Levels {
	n, size := len(ts.All), len(entries)
	for n > 0 && class(len(ts.All[n-1].Entries)) <= class(size) {
		n--
		size += len(ts.All[n].Entries)
	}
	if n == len(ts.All) {
		entries = slices.Clone(entries)
	}
	return ts.joinedFrom(n, entries)
}

// Joined returns the levels as one. It copies them.
func (ts Levels) Joined() Levels {
	if len(ts.All) < 2 {
		return ts
	}
	newest := len(ts.All) - 1
	return Levels{ts.Field, ts.All[:newest]}.joinedFrom(0, ts.All[newest].Entries)
}

// joinedFrom merges the levels from n on and newer entries into one level. It keeps the entries if
// there is no level to merge them with.
func (ts Levels) joinedFrom(n int, entries []Entry) Levels {
	for i := len(ts.All) - 1; i >= n; i-- {
		entries = appendMerged(nil, ts.All[i].Entries, entries)
	}
	if n == 0 {
		if entries = slices.DeleteFunc(entries, Entry.isVoid); len(entries) == 0 {
			return Levels{Field: ts.Field}
		}
	}
	return Levels{ts.Field, append(slices.Clone(ts.All[:n]), NewLevel(entries))}
}

// Bytes returns the memory that the levels hold.
func (ts Levels) Bytes() (n int64) {
	for _, t := range ts.All {
		n += t.bytes()
	}
	return n
}

// len returns the number of entries. Some may be void, or name the same record.
func (ts Levels) len() (n int) {
	for _, t := range ts.All {
		n += len(t.Entries)
	}
	return n
}

// find returns what is said of a record of a row.
func (ts Levels) find(row, record uint64) (set, ok bool) {
	want, rowHash, recordHash := Entry{row << 1, record << 1}, FilterHash(row), FilterHash(record)
	for i := len(ts.All) - 1; i >= 0; i-- {
		if m, ok := ts.All[i].find(want, rowHash, recordHash); ok {
			return m.Record&1 != 0, !m.isVoid()
		}
	}
	return false, false
}

// appendRow appends the edits of a row, ascending by record.
func (ts Levels) appendRow(dst []model.Edit, row uint64) []model.Edit {
	var room [24]RowRun
	return AppendRunEdits(dst, ts.Field, ts.AppendRuns(room[:0], row))
}

// AppendRuns appends the entries of a row that each level has, oldest first.
func (ts Levels) AppendRuns(dst RowRuns, row uint64) RowRuns {
	hash, all := FilterHash(row), ts.All
	for len(all) > 0 {
		some := all[:min(len(all), LookedAt)]
		// Each step is taken for all levels before the next one is, so that the processor waits for
		// their lines of memory at the same time and not for one after the other.
		var may [LookedAt]bool
		for i, t := range some {
			may[i] = t.MayHave(hash)
		}
		n := 0
		var places [LookedAt]Place
		var in [LookedAt]*Level
		for i, t := range some {
			if may[i] {
				in[n], places[n] = t, t.PlaceOf(row)
				n++
			}
		}
		touched := uint64(0)
		for i, t := range in[:n] {
			if p := &places[i]; p.Low < p.High {
				touched |= t.Entries[p.Guess].Row
			}
		}
		runtime.KeepAlive(touched) // or the compiler leaves the loop out
		for i, t := range in[:n] {
			if l := t.Row(row, places[i]); len(l.Entries) > 0 {
				dst = append(dst, l)
			}
		}
		all = all[len(some):]
	}
	return dst
}

// LookedAt is how many levels are asked side by side: a delta has seldom more.
const LookedAt = 16

// AppendRunEdits appends the edits that the runs of a row say, ascending by record. The runs
// are used up.
func AppendRunEdits(dst []model.Edit, field uint32, parts RowRuns) []model.Edit {
	all := parts.Len()
	switch {
	case len(parts) == 0:
		return dst
	case len(parts) == 1:
		return AppendEntries(dst, field, parts[0].Entries)
	}
	var room [MostRuns][]Entry
	heads := parts.AppendEntries(room[:0])
	if all <= fewEntries {
		return Walk{Heads: heads}.AppendTo(dst, field)
	}
	buffers := mergeBuffers.Get().(*[2][]Entry)
	dst = AppendEntries(dst, field, MergeRuns(heads, buffers))
	if all <= KeptEntries {
		mergeBuffers.Put(buffers)
	}
	return dst
}

const (
	// fewEntries is up to how many entries of a row are merged one by one.
	fewEntries = 8
	// KeptEntries is up to how many entries the memory for merging them is kept.
	KeptEntries = 1 << 14
)

// mergeBuffers holds memory for merging the entries of rows that have many.
var mergeBuffers = sync.Pool{New: func() any { return new([2][]Entry) }}

// Walk returns a walk over the entries from a row on.
func (ts Levels) Walk(row uint64) Walk {
	w := Walk{Heads: make([][]Entry, 0, len(ts.All))}
	for _, t := range ts.All {
		if entries := t.from(row); len(entries) > 0 {
			w.Heads = append(w.Heads, entries)
		}
	}
	return w
}

// walkMost is how many entries of one level a walk returns at once.
const walkMost = 1 << 10

// Walk goes through levels at once, in the order of rows and records.
type Walk struct {
	Heads [][]Entry // what is left of each level, oldest first; none is empty
}

// Next returns the next entries that follow each other in one level, borrowed; nil at the end. Some
// may be void.
func (w *Walk) Next() []Entry {
	switch len(w.Heads) {
	case 0:
		return nil
	case 1:
		entries := w.Heads[0]
		if n := walkMost; len(entries) > n {
			w.Heads[0] = entries[n:]
			return entries[:n]
		}
		w.Heads = w.Heads[:0]
		return entries
	}
	least, emptied := 0, false
	for i := 1; i < len(w.Heads); i++ {
		// A later head is newer: when both are the same, the older one is passed over.
		if w.Heads[least][0].same(w.Heads[i][0]) {
			w.Heads[least] = w.Heads[least][1:]
			emptied = emptied || len(w.Heads[least]) == 0
			least = i
		} else if w.Heads[i][0].before(w.Heads[least][0]) != 0 {
			least = i
		}
	}
	next := -1
	for i, entries := range w.Heads {
		if i != least && len(entries) > 0 && (next < 0 || entries[0].before(w.Heads[next][0]) != 0) {
			next = i
		}
	}
	entries := w.Heads[least]
	n := min(len(entries), walkMost)
	if next >= 0 {
		n = 1 + gallop(entries[1:n], w.Heads[next][0])
	}
	w.Heads[least] = entries[n:]
	if emptied || len(w.Heads[least]) == 0 {
		w.tidy()
	}
	return entries[:n]
}

// tidy removes the levels that have no entries left.
func (w *Walk) tidy() {
	n := 0
	for _, entries := range w.Heads {
		if len(entries) > 0 {
			w.Heads[n] = entries
			n++
		}
	}
	w.Heads = w.Heads[:n]
}

// Seek passes over what comes before a row.
func (w *Walk) Seek(row uint64) {
	for i, entries := range w.Heads {
		w.Heads[i] = entries[gallop(entries, Entry{Row: row << 1}):]
	}
	w.tidy()
}

// Row returns the row of the next entry.
func (w *Walk) Row() (row uint64, ok bool) {
	for _, entries := range w.Heads {
		if next := entries[0].Row >> 1; !ok || next < row {
			row, ok = next, true
		}
	}
	return row, ok
}

// AppendTo appends the edits that the walk has left.
func (w Walk) AppendTo(dst []model.Edit, field uint32) []model.Edit {
	for entries := w.Next(); entries != nil; entries = w.Next() {
		dst = AppendEntries(dst, field, entries)
	}
	return dst
}

// AppendEntries appends what entries say of a field.
func AppendEntries(dst []model.Edit, field uint32, entries []Entry) []model.Edit {
	for _, m := range entries {
		if !m.isVoid() {
			dst = append(dst, m.edit(field))
		}
	}
	return dst
}
