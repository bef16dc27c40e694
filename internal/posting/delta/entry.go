// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Entry is an edit of a field in two words, as a delta keeps it. IDs have 63 bits (MaxID), so each
// word has room for one more.
type Entry struct {
	// Row<<1, and 1 when the delta has forgotten what it said of the record: an older entry is
	// void, and the pages count
	Row    uint64
	Record uint64 // record<<1, and 1 when the record is in the list
}

// EntryOf returns the entry of an edit.
func EntryOf(e model.Edit) Entry {
	m := Entry{e.Row << 1, e.Record << 1}
	if e.Set {
		m.Record |= 1
	}
	return m
}

// edit returns what the entry says, of a field.
func (m Entry) edit(field uint32) model.Edit {
	return model.Edit{Field: field, Set: m.Record&1 != 0, Row: m.Row >> 1, Record: m.Record >> 1}
}

func (m Entry) isVoid() bool { return m.Row&1 != 0 }

// before returns 1 if m sorts before o by row and then record, and 0 otherwise. It is a number so
// that sorting needs no data-dependent branches.
func (m Entry) before(o Entry) uint64 {
	_, borrow := bits.Sub64(m.Record>>1, o.Record>>1, 0)
	_, borrow = bits.Sub64(m.Row>>1, o.Row>>1, borrow)
	return borrow
}

// same reports whether both are of the same record of the same row.
func (m Entry) same(o Entry) bool { return (m.Row^o.Row)>>1 == 0 && (m.Record^o.Record)>>1 == 0 }

// appendMerged appends the merge of two ascending sequences. Where both name the same record of a
// row, the newer entry wins.
func appendMerged(dst, older, newer []Entry) []Entry {
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
		out[k] = Entry{o.Row ^ (o.Row^n.Row)&-first, o.Record ^ (o.Record^n.Record)&-first}
		i, j, k = i+int(1-first), j+int(first), k+1
	}
	dst = dst[:len(dst)+k]
	return append(append(dst, older[i:]...), newer[j:]...)
}

// sortedBlock is how many entries are sorted by insertion, before blocks are merged.
const sortedBlock = 12

// SortEntries sorts entries and keeps the newest of each record of a row. Later entries are newer.
// It uses both slices. The result lies in one of them or in new memory.
func SortEntries(entries, spare []Entry) (sorted, other []Entry) {
	ends := make([]int, 0, 64)
	n := 0
	for start := 0; start < len(entries); start += sortedBlock {
		block := n
		for _, m := range entries[start:min(start+sortedBlock, len(entries))] {
			at := n
			for at > block && m.before(entries[at-1]) != 0 {
				at--
			}
			if at > block && entries[at-1].same(m) {
				entries[at-1] = m
				continue
			}
			copy(entries[at+1:n+1], entries[at:n])
			entries[at] = m
			n++
		}
		ends = append(ends, n)
	}
	entries = entries[:n]
	for len(ends) > 1 {
		spare = spare[:0]
		merged := ends[:0]
		start := 0
		for i := 0; i < len(ends); i += 2 {
			if i+1 == len(ends) {
				spare = append(spare, entries[start:ends[i]]...)
			} else {
				spare = appendMerged(spare, entries[start:ends[i]], entries[ends[i]:ends[i+1]])
				start = ends[i+1]
			}
			merged = append(merged, len(spare))
		}
		entries, spare, ends = spare, entries, merged
	}
	return entries, spare
}

// gallop returns how many of the first entries come before one. It takes few steps when those are
// few.
func gallop(entries []Entry, end Entry) int {
	n := 1
	for n <= len(entries) && entries[n-1].before(end) != 0 {
		n *= 2
	}
	low := n / 2
	return low + sort.Search(min(n, len(entries))-low, func(i int) bool { return entries[low+i].before(end) == 0 })
}

// near returns how many of the first entries of a row are of smaller records. Records are spread
// evenly as a rule, so that a proportion says where that is, and few steps are left from there
// (interpolation search: Peterson, 1957).
func near(entries []Entry, record uint64) int {
	if len(entries) == 0 || record <= entries[0].Record>>1 {
		return 0
	}
	first, last := entries[0].Record>>1, entries[len(entries)-1].Record>>1
	if record > last {
		return len(entries)
	}
	guess := float64(record-first) / float64(last-first) * float64(len(entries)-1)
	return nearFrom(entries, int(guess), Entry{entries[0].Row, record << 1})
}

// nearFrom returns how many of the first entries come before one, about as many as guess. It takes
// few steps if that is near.
func nearFrom(entries []Entry, guess int, end Entry) int {
	low, high, step := 0, len(entries), 2 // those before low come before it, and those from high on do not
	if guess = min(guess, high-1); guess >= 0 && entries[guess].before(end) != 0 {
		for low = guess + 1; low+step < high && entries[low+step].before(end) != 0; step *= 2 {
			low += step + 1
		}
		high = min(high, low+step)
	} else if guess >= 0 {
		for high = guess; high-step > low && entries[high-step].before(end) == 0; step *= 2 {
			high -= step
		}
		low = max(low, high-step)
	}
	return low + sort.Search(high-low, func(i int) bool { return entries[low+i].before(end) == 0 })
}
