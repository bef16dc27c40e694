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

// leastLevel is the size up to which tiers count as equal.
const leastLevel = 1 << 6

// Class returns which tiers are of about the same size: each is eight times the one before.
func Class(marks int) int { return (bits.Len(uint(marks/leastLevel)) + 2) / 3 }

// with returns the tiers and one more, the newest, of marks that ascend: together with those before
// that are not larger, so that there is one of a class. It copies them.
func (ts Levels) with(marks []Entry) Levels {
	n, size := len(ts.All), len(marks)
	for n > 0 && Class(len(ts.All[n-1].Marks)) <= Class(size) {
		n--
		size += len(ts.All[n].Marks)
	}
	if n == len(ts.All) {
		marks = slices.Clone(marks)
	}
	return ts.joinedFrom(n, marks)
}

// Joined returns the tiers as one. It copies them.
func (ts Levels) Joined() Levels {
	if len(ts.All) < 2 {
		return ts
	}
	newest := len(ts.All) - 1
	return Levels{ts.Field, ts.All[:newest]}.joinedFrom(0, ts.All[newest].Marks)
}

// joinedFrom returns the tiers with one in place of those from the n-th on and of marks that are
// newer. It keeps the marks if there is none to join them with.
func (ts Levels) joinedFrom(n int, marks []Entry) Levels {
	for i := len(ts.All) - 1; i >= n; i-- {
		marks = appendMerged(nil, ts.All[i].Marks, marks)
	}
	if n == 0 {
		if marks = slices.DeleteFunc(marks, Entry.isVoid); len(marks) == 0 {
			return Levels{Field: ts.Field}
		}
	}
	return Levels{ts.Field, append(slices.Clone(ts.All[:n]), NewLevel(marks))}
}

// Bytes returns the memory that the tiers hold.
func (ts Levels) Bytes() (n int64) {
	for _, t := range ts.All {
		n += t.bytes()
	}
	return n
}

// Len returns the number of marks, of which some may be void, or of the same record.
func (ts Levels) Len() (n int) {
	for _, t := range ts.All {
		n += len(t.Marks)
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

// AppendRuns appends the marks of a row that each tier has, oldest first.
func (ts Levels) AppendRuns(dst RowRuns, row uint64) RowRuns {
	hash, all := FilterHash(row), ts.All
	for len(all) > 0 {
		some := all[:min(len(all), LookedAt)]
		// Each step is taken for all tiers before the next one is, so that the processor waits for
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
				touched |= t.Marks[p.Guess].Row
			}
		}
		runtime.KeepAlive(touched) // or the compiler leaves the loop out
		for i, t := range in[:n] {
			if l := t.Row(row, places[i]); len(l.Marks) > 0 {
				dst = append(dst, l)
			}
		}
		all = all[len(some):]
	}
	return dst
}

// LookedAt is how many tiers are asked side by side: a delta has seldom more.
const LookedAt = 16

// AppendRunEdits appends the edits that the layers of a row say, ascending by record. The layers
// are used up.
func AppendRunEdits(dst []model.Edit, field uint32, parts RowRuns) []model.Edit {
	all := parts.Len()
	switch {
	case len(parts) == 0:
		return dst
	case len(parts) == 1:
		return AppendEntries(dst, field, parts[0].Marks)
	}
	var room [MostLayers][]Entry
	heads := parts.AppendEntries(room[:0])
	if all <= fewMarks {
		return Walk{Heads: heads}.AppendTo(dst, field)
	}
	buffers := mergeBuffers.Get().(*[2][]Entry)
	dst = AppendEntries(dst, field, MergeRuns(heads, buffers))
	if all <= KeptMarks {
		mergeBuffers.Put(buffers)
	}
	return dst
}

const (
	// fewMarks is up to how many marks of a row are merged one by one.
	fewMarks = 8
	// KeptMarks is up to how many marks the memory for merging them is kept.
	KeptMarks = 1 << 14
)

// mergeBuffers holds memory for merging the marks of rows that have many.
var mergeBuffers = sync.Pool{New: func() any { return new([2][]Entry) }}

// Walk returns a walk over the marks from a row on.
func (ts Levels) Walk(row uint64) Walk {
	w := Walk{Heads: make([][]Entry, 0, len(ts.All))}
	for _, t := range ts.All {
		if marks := t.from(row); len(marks) > 0 {
			w.Heads = append(w.Heads, marks)
		}
	}
	return w
}

// walkMost is how many marks of one tier a walk returns at once.
const walkMost = 1 << 10

// Walk goes through tiers at once, in the order of rows and records.
type Walk struct {
	Heads [][]Entry // what is left of each tier, oldest first; none is empty
}

// Next returns the next marks that follow each other in one tier, borrowed; nil at the end. Some
// may be void.
func (w *Walk) Next() []Entry {
	switch len(w.Heads) {
	case 0:
		return nil
	case 1:
		marks := w.Heads[0]
		if n := walkMost; len(marks) > n {
			w.Heads[0] = marks[n:]
			return marks[:n]
		}
		w.Heads = w.Heads[:0]
		return marks
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
	for i, marks := range w.Heads {
		if i != least && len(marks) > 0 && (next < 0 || marks[0].before(w.Heads[next][0]) != 0) {
			next = i
		}
	}
	marks := w.Heads[least]
	n := min(len(marks), walkMost)
	if next >= 0 {
		n = 1 + gallop(marks[1:n], w.Heads[next][0])
	}
	w.Heads[least] = marks[n:]
	if emptied || len(w.Heads[least]) == 0 {
		w.tidy()
	}
	return marks[:n]
}

// tidy leaves out the tiers of which nothing is left.
func (w *Walk) tidy() {
	n := 0
	for _, marks := range w.Heads {
		if len(marks) > 0 {
			w.Heads[n] = marks
			n++
		}
	}
	w.Heads = w.Heads[:n]
}

// Seek passes over what comes before a row.
func (w *Walk) Seek(row uint64) {
	for i, marks := range w.Heads {
		w.Heads[i] = marks[gallop(marks, Entry{Row: row << 1}):]
	}
	w.tidy()
}

// Row returns the row of the next mark.
func (w *Walk) Row() (row uint64, ok bool) {
	for _, marks := range w.Heads {
		if next := marks[0].Row >> 1; !ok || next < row {
			row, ok = next, true
		}
	}
	return row, ok
}

// AppendTo appends the edits that the walk has left.
func (w Walk) AppendTo(dst []model.Edit, field uint32) []model.Edit {
	for marks := w.Next(); marks != nil; marks = w.Next() {
		dst = AppendEntries(dst, field, marks)
	}
	return dst
}

// AppendEntries appends what marks say of a field.
func AppendEntries(dst []model.Edit, field uint32, marks []Entry) []model.Edit {
	for _, m := range marks {
		if !m.isVoid() {
			dst = append(dst, m.edit(field))
		}
	}
	return dst
}
