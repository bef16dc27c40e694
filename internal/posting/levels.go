// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// levels is the edits of one field that a delta has: sorted sequences, oldest first, where what a
// newer one says of a record counts. A group of commits adds one, which is merged with those before
// that are not larger, as in a log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil, 1996).
// So there are few places to look into, an edit is copied some ten times in all, by loops that run
// through memory from one end to the other, and what was published never changes.
type levels struct {
	field uint32
	all   []*level
}

// leastLevel is the size up to which tiers count as equal.
const leastLevel = 1 << 6

// class returns which tiers are of about the same size: each is eight times the one before.
func class(marks int) int { return (bits.Len(uint(marks/leastLevel)) + 2) / 3 }

// with returns the tiers and one more, the newest, of marks that ascend: together with those before
// that are not larger, so that there is one of a class. It copies them.
func (ts levels) with(marks []entry) levels {
	n, size := len(ts.all), len(marks)
	for n > 0 && class(len(ts.all[n-1].marks)) <= class(size) {
		n--
		size += len(ts.all[n].marks)
	}
	if n == len(ts.all) {
		marks = slices.Clone(marks)
	}
	return ts.joinedFrom(n, marks)
}

// joined returns the tiers as one. It copies them.
func (ts levels) joined() levels {
	if len(ts.all) < 2 {
		return ts
	}
	newest := len(ts.all) - 1
	return levels{ts.field, ts.all[:newest]}.joinedFrom(0, ts.all[newest].marks)
}

// joinedFrom returns the tiers with one in place of those from the n-th on and of marks that are
// newer. It keeps the marks if there is none to join them with.
func (ts levels) joinedFrom(n int, marks []entry) levels {
	for i := len(ts.all) - 1; i >= n; i-- {
		marks = appendMerged(nil, ts.all[i].marks, marks)
	}
	if n == 0 {
		if marks = slices.DeleteFunc(marks, entry.isVoid); len(marks) == 0 {
			return levels{field: ts.field}
		}
	}
	return levels{ts.field, append(slices.Clone(ts.all[:n]), newLevel(marks))}
}

// bytes returns the memory that the tiers hold.
func (ts levels) bytes() (n int64) {
	for _, t := range ts.all {
		n += t.bytes()
	}
	return n
}

// len returns the number of marks, of which some may be void, or of the same record.
func (ts levels) len() (n int) {
	for _, t := range ts.all {
		n += len(t.marks)
	}
	return n
}

// find returns what is said of a record of a row.
func (ts levels) find(row, record uint64) (set, ok bool) {
	want, rowHash, recordHash := entry{row << 1, record << 1}, filterHash(row), filterHash(record)
	for i := len(ts.all) - 1; i >= 0; i-- {
		if m, ok := ts.all[i].find(want, rowHash, recordHash); ok {
			return m.record&1 != 0, !m.isVoid()
		}
	}
	return false, false
}

// appendRow appends the edits of a row, ascending by record.
func (ts levels) appendRow(dst []model.Edit, row uint64) []model.Edit {
	var room [24]rowRun
	return appendRunEdits(dst, ts.field, ts.appendRuns(room[:0], row))
}

// appendRuns appends the marks of a row that each tier has, oldest first.
func (ts levels) appendRuns(dst rowRuns, row uint64) rowRuns {
	hash, all := filterHash(row), ts.all
	for len(all) > 0 {
		some := all[:min(len(all), lookedAt)]
		// Each step is taken for all tiers before the next one is, so that the processor waits for
		// their lines of memory at the same time and not for one after the other.
		var may [lookedAt]bool
		for i, t := range some {
			may[i] = t.mayHave(hash)
		}
		n := 0
		var places [lookedAt]place
		var in [lookedAt]*level
		for i, t := range some {
			if may[i] {
				in[n], places[n] = t, t.placeOf(row)
				n++
			}
		}
		touched := uint64(0)
		for i, t := range in[:n] {
			if p := &places[i]; p.low < p.high {
				touched |= t.marks[p.guess].row
			}
		}
		runtime.KeepAlive(touched) // or the compiler leaves the loop out
		for i, t := range in[:n] {
			if l := t.row(row, places[i]); len(l.marks) > 0 {
				dst = append(dst, l)
			}
		}
		all = all[len(some):]
	}
	return dst
}

// lookedAt is how many tiers are asked side by side: a delta has seldom more.
const lookedAt = 16

// appendRunEdits appends the edits that the layers of a row say, ascending by record. The layers
// are used up.
func appendRunEdits(dst []model.Edit, field uint32, parts rowRuns) []model.Edit {
	all := parts.len()
	switch {
	case len(parts) == 0:
		return dst
	case len(parts) == 1:
		return appendEntries(dst, field, parts[0].marks)
	}
	var room [mostLayers][]entry
	heads := parts.appendEntries(room[:0])
	if all <= fewMarks {
		return walk{heads: heads}.appendTo(dst, field)
	}
	buffers := mergeBuffers.Get().(*[2][]entry)
	dst = appendEntries(dst, field, mergeRuns(heads, buffers))
	if all <= keptMarks {
		mergeBuffers.Put(buffers)
	}
	return dst
}

const (
	// fewMarks is up to how many marks of a row are merged one by one.
	fewMarks = 8
	// keptMarks is up to how many marks the memory for merging them is kept.
	keptMarks = 1 << 14
)

// mergeBuffers holds memory for merging the marks of rows that have many.
var mergeBuffers = sync.Pool{New: func() any { return new([2][]entry) }}

// walk returns a walk over the marks from a row on.
func (ts levels) walk(row uint64) walk {
	w := walk{heads: make([][]entry, 0, len(ts.all))}
	for _, t := range ts.all {
		if marks := t.from(row); len(marks) > 0 {
			w.heads = append(w.heads, marks)
		}
	}
	return w
}

// walkMost is how many marks of one tier a walk returns at once.
const walkMost = 1 << 10

// walk goes through tiers at once, in the order of rows and records.
type walk struct {
	heads [][]entry // what is left of each tier, oldest first; none is empty
}

// next returns the next marks that follow each other in one tier, borrowed; nil at the end. Some
// may be void.
func (w *walk) next() []entry {
	switch len(w.heads) {
	case 0:
		return nil
	case 1:
		marks := w.heads[0]
		if n := walkMost; len(marks) > n {
			w.heads[0] = marks[n:]
			return marks[:n]
		}
		w.heads = w.heads[:0]
		return marks
	}
	least, emptied := 0, false
	for i := 1; i < len(w.heads); i++ {
		// A later head is newer: when both are the same, the older one is passed over.
		if w.heads[least][0].same(w.heads[i][0]) {
			w.heads[least] = w.heads[least][1:]
			emptied = emptied || len(w.heads[least]) == 0
			least = i
		} else if w.heads[i][0].before(w.heads[least][0]) != 0 {
			least = i
		}
	}
	next := -1
	for i, marks := range w.heads {
		if i != least && len(marks) > 0 && (next < 0 || marks[0].before(w.heads[next][0]) != 0) {
			next = i
		}
	}
	marks := w.heads[least]
	n := min(len(marks), walkMost)
	if next >= 0 {
		n = 1 + gallop(marks[1:n], w.heads[next][0])
	}
	w.heads[least] = marks[n:]
	if emptied || len(w.heads[least]) == 0 {
		w.tidy()
	}
	return marks[:n]
}

// tidy leaves out the tiers of which nothing is left.
func (w *walk) tidy() {
	n := 0
	for _, marks := range w.heads {
		if len(marks) > 0 {
			w.heads[n] = marks
			n++
		}
	}
	w.heads = w.heads[:n]
}

// seek passes over what comes before a row.
func (w *walk) seek(row uint64) {
	for i, marks := range w.heads {
		w.heads[i] = marks[gallop(marks, entry{row: row << 1}):]
	}
	w.tidy()
}

// row returns the row of the next mark.
func (w *walk) row() (row uint64, ok bool) {
	for _, marks := range w.heads {
		if next := marks[0].row >> 1; !ok || next < row {
			row, ok = next, true
		}
	}
	return row, ok
}

// appendTo appends the edits that the walk has left.
func (w walk) appendTo(dst []model.Edit, field uint32) []model.Edit {
	for marks := w.next(); marks != nil; marks = w.next() {
		dst = appendEntries(dst, field, marks)
	}
	return dst
}

// appendEntries appends what marks say of a field.
func appendEntries(dst []model.Edit, field uint32, marks []entry) []model.Edit {
	for _, m := range marks {
		if !m.isVoid() {
			dst = append(dst, m.edit(field))
		}
	}
	return dst
}
