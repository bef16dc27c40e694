// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/bits"
	"slices"
	"sync"
)

// tiers is the edits of one field that a delta has: sorted sequences, oldest first, where what a newer one says of a record counts. A group of commits adds one, and as soon as
// there are some of about a size they are merged into one that is larger, as in a log-structured merge tree (O'Neil, Cheng, Gawlick and O'Neil, 1996). So an edit is copied
// a few times in all, by loops that run through memory from one end to the other, and what was published never changes.
type tiers struct {
	field uint32
	all   []*tier
}

const (
	// tierFanout is how many tiers of a size make one of the next: more of them cost reading, fewer writing.
	tierFanout = 4
	// leastTier is the size up to which tiers count as equal.
	leastTier = 1 << 7
)

// class returns which tiers are of about the same size: each is tierFanout times the one before.
func class(marks int) int { return (bits.Len(uint(marks/leastTier)) + 1) / 2 }

// with returns the tiers and one more, the newest, of marks that ascend. It copies them.
func (ts tiers) with(marks []mark) tiers {
	n, size := len(ts.all), len(marks)
	for {
		// What is small beside those before waits until there are some of them.
		most, first := class(size), n
		for first > 0 && class(len(ts.all[first-1].marks)) <= most {
			first--
		}
		if n-first < tierFanout-1 {
			break
		}
		for _, t := range ts.all[first:n] {
			size += len(t.marks)
		}
		n = first
	}
	merged := marks
	if n == len(ts.all) {
		merged = slices.Clone(marks)
	}
	for i := len(ts.all) - 1; i >= n; i-- {
		merged = appendMerged(nil, ts.all[i].marks, merged)
	}
	if n == 0 {
		if merged = slices.DeleteFunc(merged, mark.isVoid); len(merged) == 0 {
			return tiers{field: ts.field}
		}
	}
	return tiers{ts.field, append(slices.Clone(ts.all[:n]), newTier(merged))}
}

// bytes returns the memory that the tiers hold.
func (ts tiers) bytes() (n int64) {
	for _, t := range ts.all {
		n += t.bytes()
	}
	return n
}

// len returns the number of marks, of which some may be void, or of the same record.
func (ts tiers) len() (n int) {
	for _, t := range ts.all {
		n += len(t.marks)
	}
	return n
}

// find returns what is said of a record of a row.
func (ts tiers) find(row, record uint64) (set, ok bool) {
	want := mark{row << 1, record << 1}
	for i := len(ts.all) - 1; i >= 0; i-- {
		if m, ok := ts.all[i].find(want); ok {
			return m.record&1 != 0, !m.isVoid()
		}
	}
	return false, false
}

// appendRow appends the edits of a row, ascending by record.
func (ts tiers) appendRow(dst []edit, row uint64) []edit {
	var room [24][]mark
	return appendLayered(dst, ts.field, ts.appendLayers(room[:0], row))
}

// appendLayers appends the marks of a row that each tier has, oldest first.
func (ts tiers) appendLayers(dst layers, row uint64) layers {
	for _, t := range ts.all {
		if marks := t.row(row); len(marks) > 0 {
			dst = append(dst, marks)
		}
	}
	return dst
}

// appendLayered appends the edits that the layers of a row say, ascending by record. The layers are used up.
func appendLayered(dst []edit, field uint32, parts layers) []edit {
	all := parts.len()
	switch {
	case len(parts) == 0:
		return dst
	case len(parts) == 1:
		return appendMarks(dst, field, parts[0])
	case all <= fewMarks:
		return walk{heads: parts}.appendTo(dst, field)
	}
	buffers := mergeBuffers.Get().(*[2][]mark)
	dst = appendMarks(dst, field, mergeLayers(parts, buffers))
	if all <= keptMarks {
		mergeBuffers.Put(buffers)
	}
	return dst
}

const (
	// fewMarks is up to how many marks of a row are merged one by one.
	fewMarks = 64
	// keptMarks is up to how many marks the memory for merging them is kept.
	keptMarks = 1 << 14
)

// mergeBuffers holds memory for merging the marks of rows that have many.
var mergeBuffers = sync.Pool{New: func() any { return new([2][]mark) }}

// walk returns a walk over the marks from a row on.
func (ts tiers) walk(row uint64) walk {
	w := walk{heads: make([][]mark, 0, len(ts.all))}
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
	heads [][]mark // what is left of each tier, oldest first; none is empty
}

// next returns the next marks that follow each other in one tier, borrowed; nil at the end. Some may be void.
func (w *walk) next() []mark {
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
		w.heads[i] = marks[gallop(marks, mark{row: row << 1}):]
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
func (w walk) appendTo(dst []edit, field uint32) []edit {
	for marks := w.next(); marks != nil; marks = w.next() {
		dst = appendMarks(dst, field, marks)
	}
	return dst
}

// appendMarks appends what marks say of a field.
func appendMarks(dst []edit, field uint32, marks []mark) []edit {
	for _, m := range marks {
		if !m.isVoid() {
			dst = append(dst, m.edit(field))
		}
	}
	return dst
}
