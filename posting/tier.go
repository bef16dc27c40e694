// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/bits"
	"slices"
	"sort"
)

// mark is an edit of a field in two words, as a delta keeps it. IDs have 63 bits (MaxID), so each word has room for one more.
type mark struct {
	row    uint64 // row<<1, and 1 when the delta has forgotten what it said of the record: an older mark is void, and the pages count
	record uint64 // record<<1, and 1 when the record is in the list
}

func markOf(e edit) mark {
	m := mark{e.row << 1, e.record << 1}
	if e.set {
		m.record |= 1
	}
	return m
}

// edit returns what the mark says, of a field.
func (m mark) edit(field uint32) edit {
	return edit{field: field, set: m.record&1 != 0, row: m.row >> 1, record: m.record >> 1}
}

func (m mark) isVoid() bool { return m.row&1 != 0 }

// before reports 1 when m is of an earlier row, or of an earlier record of the same one, and 0 otherwise: a number, so that sorting needs no jumps that depend on the values.
func (m mark) before(o mark) uint64 {
	_, borrow := bits.Sub64(m.record>>1, o.record>>1, 0)
	_, borrow = bits.Sub64(m.row>>1, o.row>>1, borrow)
	return borrow
}

// same reports whether both are of the same record of the same row.
func (m mark) same(o mark) bool { return (m.row^o.row)>>1 == 0 && (m.record^o.record)>>1 == 0 }

// appendMerged appends two ascending sequences of marks as one; where both have the same record of a row, the newer counts.
func appendMerged(dst, older, newer []mark) []mark {
	dst = slices.Grow(dst, len(older)+len(newer))
	out := dst[len(dst):cap(dst)]
	i, j, k := 0, 0, 0
	for i < len(older) && j < len(newer) && k < len(out) {
		o, n := older[i], newer[j]
		if o.same(n) {
			i++
			continue
		}
		first := n.before(o)
		out[k] = mark{o.row ^ (o.row^n.row)&-first, o.record ^ (o.record^n.record)&-first}
		i, j, k = i+int(1-first), j+int(first), k+1
	}
	dst = dst[:len(dst)+k]
	return append(append(dst, older[i:]...), newer[j:]...)
}

// sortedBlock is how many marks are sorted by insertion, before blocks are merged.
const sortedBlock = 12

// sortMarks sorts marks, of which later ones are newer, and keeps the newest of each record of a row. Both slices are used; the result is in one of them, or in new memory.
func sortMarks(marks, spare []mark) (sorted, other []mark) {
	ends := make([]int, 0, 64)
	n := 0
	for start := 0; start < len(marks); start += sortedBlock {
		block := n
		for _, m := range marks[start:min(start+sortedBlock, len(marks))] {
			at := n
			for at > block && m.before(marks[at-1]) != 0 {
				at--
			}
			if at > block && marks[at-1].same(m) {
				marks[at-1] = m
				continue
			}
			copy(marks[at+1:n+1], marks[at:n])
			marks[at] = m
			n++
		}
		ends = append(ends, n)
	}
	marks = marks[:n]
	for len(ends) > 1 {
		spare = spare[:0]
		merged := ends[:0]
		start := 0
		for i := 0; i < len(ends); i += 2 {
			if i+1 == len(ends) {
				spare = append(spare, marks[start:ends[i]]...)
			} else {
				spare = appendMerged(spare, marks[start:ends[i]], marks[ends[i]:ends[i+1]])
				start = ends[i+1]
			}
			merged = append(merged, len(spare))
		}
		marks, spare, ends = spare, marks, merged
	}
	return marks, spare
}

// tier is marks of one field, ascending, each record of a row once. It never changes.
type tier struct {
	marks []mark
	rows  rowFilter // of the rows that marks have; nil for a small tier

	// starts are where the marks of equal spans of rows begin, from the first row on, and the end: a search that begins there touches three or four lines of memory instead of one for each
	// halving, none of which is in the caches of a reader that shares its processor with writers. Nil for a small tier.
	starts []uint32
	shift  int // a span is 1<<shift rows
}

const (
	markBytes = 16

	// filteredTier is from how many marks on a tier has a filter: smaller ones are in the processor's caches anyway.
	filteredTier = 1 << 10

	// spanMarks is how many marks a span has at least, on average.
	spanMarks = 16
)

// newTier returns the tier of some marks, which it keeps.
func newTier(marks []mark) *tier {
	t := &tier{marks: marks}
	if len(marks) < filteredTier {
		return t
	}
	distinct, last := 0, ^uint64(0)
	for _, m := range marks {
		if m.row>>1 != last {
			distinct, last = distinct+1, m.row>>1
		}
	}
	t.rows = newRowFilter(distinct)
	first := marks[0].row >> 1
	t.shift = bits.Len64((last - first) / uint64(len(marks)/spanMarks))
	t.starts = make([]uint32, 0, (last-first)>>t.shift+2)
	last = ^uint64(0)
	for i, m := range marks {
		if m.row>>1 != last {
			last = m.row >> 1
			t.rows.add(last)
			for uint64(len(t.starts)) <= (last-first)>>t.shift {
				t.starts = append(t.starts, uint32(i))
			}
		}
	}
	t.starts = append(t.starts, uint32(len(marks)))
	return t
}

// bytes returns the memory that the tier holds.
func (t *tier) bytes() int64 {
	return markBytes*int64(cap(t.marks)) + 8*int64(len(t.rows)) + 4*int64(len(t.starts))
}

// around returns between which places the marks of a row are, or would be.
func (t *tier) around(row uint64) (low, high int) {
	if t.starts == nil {
		return 0, len(t.marks)
	}
	first := t.marks[0].row >> 1
	if row < first {
		return 0, 0
	}
	span := (row - first) >> t.shift
	if span >= uint64(len(t.starts)-1) {
		return len(t.marks), len(t.marks)
	}
	return int(t.starts[span]), int(t.starts[span+1])
}

// from returns the marks from a row on.
func (t *tier) from(row uint64) []mark {
	low, high := t.around(row)
	return t.marks[low+sort.Search(high-low, func(i int) bool { return t.marks[low+i].row>>1 >= row }):]
}

// row returns the marks of a row.
func (t *tier) row(row uint64) []mark {
	if t.rows != nil && !t.rows.mayHave(row) {
		return nil
	}
	marks := t.from(row)
	if len(marks) == 0 || marks[0].row>>1 != row {
		return nil
	}
	n := 1
	for n < len(marks) && marks[n].row>>1 == row {
		n *= 2
	}
	low, high := n/2, min(n, len(marks))
	return marks[:low+sort.Search(high-low, func(i int) bool { return marks[low+i].row>>1 != row })]
}

// find returns the mark of a record of a row.
func (t *tier) find(want mark) (m mark, ok bool) {
	if t.rows != nil && !t.rows.mayHave(want.row>>1) {
		return m, false
	}
	low, high := t.around(want.row >> 1)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if t.marks[middle].before(want) != 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(t.marks) || !t.marks[low].same(want) {
		return m, false
	}
	return t.marks[low], true
}

// gallop returns how many of the first marks come before one. It takes few steps when those are few.
func gallop(marks []mark, end mark) int {
	n := 1
	for n <= len(marks) && marks[n-1].before(end) != 0 {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(marks))-low, func(i int) bool { return marks[low+i].before(end) == 0 })
}

// rowFilter tells rows that a tier does not have, of twenty all but one: a Bloom filter with three bits in one word (Putze, Sanders and Singler, Cache-, Hash- and
// Space-Efficient Bloom Filters, 2007), so that a look costs one access to memory.
type rowFilter []uint64

// newRowFilter returns a filter for so many rows, with 8 bits for each.
func newRowFilter(rows int) rowFilter { return make(rowFilter, rows/8+1) }

// place returns the word of a row, and its bits.
func (f rowFilter) place(row uint64) (word, bit uint64) {
	h := (row ^ row>>32) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	word, _ = bits.Mul64(h, uint64(len(f)))
	return word, 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63)
}

func (f rowFilter) add(row uint64) {
	word, bit := f.place(row)
	f[word] |= bit
}

func (f rowFilter) mayHave(row uint64) bool {
	word, bit := f.place(row)
	return f[word]&bit == bit
}
