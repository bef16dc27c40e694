// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Kind says how the values of a field are kept.
type Kind uint8

const (
	// Lists is a field whose records have any number of rows.
	Lists Kind = iota
	// Rows is a single-valued field: each record has one row at most, and its forward column says which.
	Rows
	// Integers is a field of one int64 for each record, in a forward column and bit-sliced in lists: see IntegerRow.
	Integers
)

// Rows of an integer field (bit-sliced: O'Neil and Quass, Improved Query Performance with Variant Indexes, SIGMOD 1997).
const (
	IntegerAny      uint64 = 0 // the records that have an integer
	IntegerNegative uint64 = 1 // those whose integer is below 0
	integerBits     uint64 = 2
)

// IntegerRow returns the row of the records in whose integer's absolute value bit i is set, i from 0 to 62.
func IntegerRow(i int) uint64 { return integerBits + uint64(i) }

// integerWord returns what stands for an integer in a forward column, 0 for the least int64, which cannot be kept: zigzag, so that small integers of
// either sign take few bytes, plus 1.
func integerWord(x int64) uint64 {
	if x == math.MinInt64 {
		return 0
	}
	return zigzag(x) + 1
}

// integer returns the integer that a word stands for; the word is not 0.
func integer(word uint64) int64 {
	return unzigzag(word - 1)
}

// integerRows returns the rows that a record with the word is in, as bits: bit 0 is row 0.
func integerRows(word uint64) (rows uint64) {
	if word == 0 {
		return 0
	}
	x := integer(word)
	rows = 1 << IntegerAny
	if x < 0 {
		rows, x = rows|1<<IntegerNegative, -x
	}
	return rows | uint64(x)<<integerBits
}

// The greatest absolute value has 63 bits, of which 62 fit beside the two first rows: the highest has a row of its own.
const topBit = 62

// appendChange appends the edits of lists that follow when the word of a record changes from old to f.word.
func appendChange(dst []edit, kind Kind, f forward, old uint64) []edit {
	if kind == Rows {
		if old != 0 {
			dst = append(dst, edit{field: f.field, row: old - 1, record: f.record})
		}
		if f.word != 0 {
			dst = append(dst, edit{field: f.field, set: true, row: f.word - 1, record: f.record})
		}
		return dst
	}
	was, is := integerRows(old), integerRows(f.word)
	for changed := was ^ is; changed != 0; changed &= changed - 1 {
		row := bits.TrailingZeros64(changed)
		dst = append(dst, edit{field: f.field, set: is>>row&1 != 0, row: uint64(row), record: f.record})
	}
	if was, is := hasTopBit(old), hasTopBit(f.word); was != is {
		dst = append(dst, edit{field: f.field, set: is, row: IntegerRow(topBit), record: f.record})
	}
	return dst
}

// hasTopBit reports whether bit 62 of a word's absolute value is set, which integerRows has no room for.
func hasTopBit(word uint64) bool {
	if word == 0 {
		return false
	}
	x := integer(word)
	return uint64(max(x, -x))>>topBit&1 != 0
}

// word returns the word of a record in a forward column as deltas and a manifest say it; 0: none.
func (ix *Index) word(active, frozen *delta, m *manifest, field uint32, record uint64) (uint64, error) {
	if active.removals.isDead(record) || frozen != nil && frozen.removals.isDead(record) {
		return 0, nil
	}
	if f, ok := active.forward.Get(forward{field: field, record: record}); ok {
		return f.word, nil
	}
	w, found := uint64(0), false
	if frozen != nil {
		var f forward
		if f, found = frozen.forward.Get(forward{field: field, record: record}); found {
			w = f.word
		}
	}
	if !found {
		var err error
		if w, err = ix.wordOnPage(m, field, record); err != nil {
			return 0, err
		}
		if w != 0 && frozen != nil && frozen.removals.isEmptied(field, w-1) {
			return 0, nil
		}
	}
	if w != 0 && active.removals.isEmptied(field, w-1) {
		return 0, nil
	}
	return w, nil
}

// wordOnPage returns the word of a record that a manifest's pages have; 0: none, or the field, which a log entry may have made up, has no words.
func (ix *Index) wordOnPage(m *manifest, field uint32, record uint64) (uint64, error) {
	if ix.fieldOf(field).Kind == Lists {
		return 0, nil
	}
	refs := m.pages(ForwardField(field), record)
	if len(refs) == 0 {
		return 0, nil
	}
	p, err := ix.page(&refs[0])
	if err != nil {
		return 0, err
	}
	return p.word(record - refs[0].first), nil
}

// ForwardField returns the number of the field that holds the forward column of a user's field.
func ForwardField(field uint32) uint32 { return field + 3 }

// settle turns the assignments of an entry into words: the last one of a record counts, and Drops are answered.
func (ix *Index) settle(entry *logEntry) error {
	if len(entry.assigned) == 0 {
		return nil
	}
	st := ix.state.Load()
	words := make(map[rowName]uint64, len(entry.assigned))
	for _, a := range entry.assigned {
		name := rowName{a.field, a.record}
		if a.kind == wordDrop || a.kind == wordDropInt {
			w, ok := words[name]
			if !ok {
				var err error
				if w, err = ix.word(ix.active, st.frozen, st.version.manifest, a.field, a.record); err != nil {
					return err
				}
			}
			if a.kind == wordDrop && w != uint64(a.only)+1 || a.kind == wordDropInt && w != a.word {
				continue
			}
		}
		words[name] = a.word
		if a.kind != wordRow && a.kind != wordInt {
			words[name] = 0
		}
	}
	for name, w := range words {
		entry.forward = append(entry.forward, forward{name.field, name.row, w})
	}
	slices.SortFunc(entry.forward, func(a, b forward) int {
		return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.record, b.record))
	})
	return nil
}

// follow makes an entry's lists: its edits, and those that follow from its assignments, out of the old row and into the new one. An assignment that changes
// nothing is dropped from the entry, unless a load is about to go below it: in a delta, a word goes with an edit that says the same.
func (ix *Index) follow(entry *logEntry) error {
	entry.lists = slices.Clip(entry.edits)
	if len(entry.forward) == 0 {
		return nil
	}
	emptied := make(map[rowName]bool, len(entry.emptied))
	for _, e := range entry.emptied {
		emptied[e] = true
	}
	st := ix.state.Load()
	kept := entry.forward[:0]
	for _, f := range entry.forward {
		old, err := ix.word(ix.active, st.frozen, st.version.manifest, f.field, f.record)
		if err != nil {
			return err
		}
		if old != 0 && emptied[rowName{f.field, old - 1}] {
			old = 0
		}
		switch kind := ix.fieldOf(f.field).Kind; {
		case f.word != old:
			kept = append(kept, f)
			entry.lists = appendChange(entry.lists, kind, f, old)
		case ix.overload:
			kept = append(kept, f)
			entry.lists = appendChange(entry.lists, kind, f, 0)
		}
	}
	entry.forward = kept
	return nil
}

// Value returns the row of a record in a single-valued field. ok is false when it has none. Errors as of List.
func (s Snapshot) Value(field uint32, record uint64) (row uint64, ok bool, err error) {
	w, err := s.word(field, record)
	return w - 1, w != 0, err
}

// Int returns the integer of a record in an integer field. ok is false when it has none. Errors as of List.
func (s Snapshot) Int(field uint32, record uint64) (x int64, ok bool, err error) {
	w, err := s.word(field, record)
	if err != nil || w == 0 {
		return 0, false, err
	}
	return integer(w), true, nil
}

func (s Snapshot) word(field uint32, record uint64) (uint64, error) {
	if s.Closed() {
		return 0, ErrClosed
	}
	if record > MaxID {
		return 0, nil
	}
	misses := s.ix.misses.Load()
	w, err := s.ix.word(s.st.active, s.st.frozen, s.st.version.manifest, field, record)
	if err == nil {
		err = s.patient(misses)
	}
	return w, err
}
