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
	// Rows is a single-valued field: each record has one row at most, and its forward column says
	// which.
	Rows
	// Integers is a field of one int64 for each record, in a forward column and bit-sliced in
	// lists: see IntegerRow.
	Integers
)

// Rows of an integer field (bit-sliced: O'Neil and Quass, Improved Query Performance with Variant
// Indexes, SIGMOD 1997).
const (
	IntegerAny      uint64 = 0 // the records that have an integer
	IntegerNegative uint64 = 1 // those whose integer is below 0
	integerBits     uint64 = 2
)

// IntegerRow returns the row of the records in whose integer's absolute value bit i is set, i from
// 0 to
// 63. The highest is that of the least int64 alone.
func IntegerRow(i int) uint64 { return integerBits + uint64(i) }

// leastWord stands for two integers in a forward column: the least int64 and the one above it.
// There are 2^64 of them, and 0 says that there is none. Row IntegerRow(63) tells the two apart.
const leastWord = math.MaxUint64

// integerWord returns what stands for an integer in a forward column: zigzag, so that small
// integers of either sign take few bytes, plus 1.
func integerWord(x int64) uint64 {
	if x == math.MinInt64 {
		return leastWord
	}
	return zigzag(x) + 1
}

// integer returns the integer that a word stands for, of two the greater one; the word is not 0.
func integer(word uint64) int64 {
	return unzigzag(word - 1)
}

// assignInt returns the assignment of an integer.
func assignInt(field uint32, record uint64, x int64) valueEdit {
	return valueEdit{field: field, least: x == math.MinInt64, record: record, word: integerWord(x)}
}

// integer returns the integer of an assignment that has one.
func (f valueEdit) integer() int64 {
	if f.least {
		return math.MinInt64
	}
	return integer(f.word)
}

// integerRows is the rows that a record with an integer is in, as bits: bit 0 is row 0.
type integerRows struct {
	low  uint64 // rows 0 to 63
	high uint64 // rows 64 and 65
}

// rowsOf returns the rows of an integer.
func rowsOf(x int64) (rows integerRows) {
	rows.low = 1 << IntegerAny
	size := uint64(x)
	if x < 0 {
		rows.low, size = rows.low|1<<IntegerNegative, -size
	}
	rows.low |= size << integerBits
	rows.high = size >> (64 - integerBits)
	return rows
}

// oldRows returns the rows that a record with a word may be in.
func oldRows(word uint64) (rows integerRows) {
	switch word {
	case 0:
		return rows
	case leastWord:
		a, b := rowsOf(math.MinInt64), rowsOf(math.MinInt64+1)
		return integerRows{a.low | b.low, a.high | b.high}
	}
	return rowsOf(integer(word))
}

// appendChange appends the edits of lists that follow when the word of a record changes from old to
// f.word.
func appendChange(dst []edit, kind Kind, f valueEdit, old uint64) []edit {
	if kind == Rows {
		if old != 0 {
			dst = append(dst, edit{field: f.field, row: old - 1, record: f.record})
		}
		if f.word != 0 {
			dst = append(dst, edit{field: f.field, set: true, row: f.word - 1, record: f.record})
		}
		return dst
	}
	was, is := oldRows(old), integerRows{}
	if f.word != 0 {
		is = rowsOf(f.integer())
	}
	low, high := was.low^is.low, was.high^is.high
	if old == leastWord { // the record is in some of the rows only
		low, high = was.low|is.low, was.high|is.high
	}
	for ; low != 0; low &= low - 1 {
		row := bits.TrailingZeros64(low)
		dst = append(dst, edit{field: f.field, set: is.low>>row&1 != 0, row: uint64(row), record: f.record})
	}
	for ; high != 0; high &= high - 1 {
		row := bits.TrailingZeros64(high)
		dst = append(dst, edit{field: f.field, set: is.high>>row&1 != 0, row: 64 + uint64(row), record: f.record})
	}
	return dst
}

// word returns the word of a record in a forward column as deltas and a manifest say it; 0: none.
func (ix *Index) word(active, frozen *delta, m *manifest, field uint32, record uint64) (uint64, error) {
	if active.removals.isDead(record) || frozen != nil && frozen.removals.isDead(record) {
		return 0, nil
	}
	if f, ok := active.forward.Get(valueEdit{field: field, record: record}); ok {
		return f.word, nil
	}
	w, found := uint64(0), false
	if frozen != nil {
		var f valueEdit
		if f, found = frozen.forward.Get(valueEdit{field: field, record: record}); found {
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

// wordOnPage returns the word of a record that a manifest's pages have; 0: none, or the field,
// which a log entry may have made up, has no words.
func (ix *Index) wordOnPage(m *manifest, field uint32, record uint64) (uint64, error) {
	if ix.fieldOf(field).Kind == Lists {
		return 0, nil
	}
	refs := m.pages(ValueField(field), record)
	if len(refs) == 0 {
		return 0, nil
	}
	p, err := ix.page(&refs[0])
	if err != nil {
		return 0, err
	}
	return p.word(record - refs[0].first), nil
}

// ValueField returns the number of the field that holds the forward column of a user's field.
func ValueField(field uint32) uint32 { return field + 3 }

// resolveWords turns the assignments of an entry into words: the last one of a record counts, and Drops
// are answered.
func (ix *Index) resolveWords(entry *logEntry) error {
	if len(entry.assigned) == 0 {
		return nil
	}
	st := ix.state.Load()
	words := make(map[rowName]valueEdit, len(entry.assigned))
	for _, a := range entry.assigned {
		name := rowName{a.field, a.record}
		if a.kind == wordDrop || a.kind == wordDropInt {
			f, ok := words[name]
			if !ok {
				var err error
				if f, err = ix.assigned(st, a.field, a.record); err != nil {
					return err
				}
			}
			if a.kind == wordDrop && f.word != uint64(a.only)+1 || a.kind == wordDropInt &&
				(f.word != a.word || f.least != a.least) {
				continue
			}
		}
		f := valueEdit{field: a.field, record: a.record}
		if a.kind == wordRow || a.kind == wordInt {
			f.word, f.least = a.word, a.least
		}
		words[name] = f
	}
	for _, f := range words {
		entry.forward = append(entry.forward, f)
	}
	slices.SortFunc(entry.forward, func(a, b valueEdit) int {
		return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.record, b.record))
	})
	return nil
}

// assigned returns what a record has in a single-valued or integer field, with the writes of the
// active delta.
func (ix *Index) assigned(st *state, field uint32, record uint64) (f valueEdit, err error) {
	f = valueEdit{field: field, record: record}
	if f.word, err = ix.word(ix.active, st.frozen, st.version.manifest, field, record); err != nil ||
		f.word != leastWord {
		return f, err
	}
	now := Snapshot{st: &state{ix: ix, version: st.version, frozen: st.frozen, active: ix.active}}
	f.least, err = now.Contains(field, IntegerRow(63), record)
	return f, err
}

// follow makes an entry's lists: its edits, and those that follow from its assignments, out of the
// old row and into the new one. An assignment that changes nothing is dropped from the entry,
// unless a load is about to go below it: in a delta, a word goes with an edit that says the same.
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
		case f.word != old || f.word == leastWord:
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

// Value returns the row of a record in a single-valued field. ok is false when it has none. Errors
// as of List.
func (s Snapshot) Value(field uint32, record uint64) (row uint64, ok bool, err error) {
	w, err := s.word(field, record)
	return w - 1, w != 0, err
}

// Int returns the integer of a record in an integer field. ok is false when it has none. Errors as
// of List.
func (s Snapshot) Int(field uint32, record uint64) (x int64, ok bool, err error) {
	w, err := s.word(field, record)
	if err != nil || w == 0 {
		return 0, false, err
	}
	f := valueEdit{word: w}
	if w == leastWord {
		f.least, err = s.Contains(field, IntegerRow(63), record)
	}
	return f.integer(), err == nil, err
}

func (s Snapshot) word(field uint32, record uint64) (uint64, error) {
	if s.Closed() {
		return 0, ErrClosed
	}
	if record > MaxID {
		return 0, nil
	}
	misses := s.st.ix.misses.Load()
	w, err := s.st.ix.word(s.st.active, s.st.frozen, s.st.version.manifest, field, record)
	if err == nil {
		err = s.patient(misses)
	}
	return w, err
}
