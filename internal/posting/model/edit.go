// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"math"
	"slices"
)

// SpaceKey is a key and the space that gives it an ID.
type SpaceKey struct {
	Space uint32
	Key   string
}

// Reads is all that who made a batch has read: what some records had, and that some keys had no
// record.
type Reads struct {
	Records []uint64 // their IDs, ascending
	Unknown []string // keys
}

// Assignment gives a record a value in a single-valued or integer field.
type Assignment struct {
	ValueEdit          // record is a Ref, word one too unless the field holds integers
	Kind      WordKind // how word is to be read
	Only      Ref      // if kind is WordDrop: the row that the record must have
}

// WordKind says what the word of an assignment is.
type WordKind uint8

const (
	WordRow     WordKind = iota // the Ref of a row
	WordInt                     // the word of an integer
	WordNone                    // no value
	WordDrop                    // no value, if the record has the row that only names
	WordDropInt                 // no value, if the record has the integer of word
)

// Emptying empties the list of a row.
type Emptying struct {
	Field         uint32
	Row           Ref
	Edits, Values int // how many of each came before: they are void
}

// NormalizeEdits sorts edits and keeps the last of each record of a list.
func NormalizeEdits(edits []Edit) []Edit {
	slices.SortStableFunc(edits, CompareEdits)
	n := 0
	for i, e := range edits {
		if i+1 < len(edits) && CompareEdits(e, edits[i+1]) == 0 {
			continue
		}
		edits[n] = e
		n++
	}
	return edits[:n]
}

// CompareEdits compares by field, row and record. Sorting calls it often: it ends at the first that
// differ.
func CompareEdits(a, b Edit) int {
	switch {
	case a.Field != b.Field:
		return cmp.Compare(a.Field, b.Field)
	case a.Row != b.Row:
		return cmp.Compare(a.Row, b.Row)
	}
	return cmp.Compare(a.Record, b.Record)
}

// Edit is one write since the last flush: the record is in the list of the row, or it is not.
type Edit struct {
	Field  uint32
	Set    bool
	Row    uint64
	Record uint64
}

// ValueEdit is the value of one record in a single-valued or integer field.
type ValueEdit struct {
	Field  uint32
	Least  bool // the integer is the least int64, which has the word of the greatest
	Record uint64
	Word   uint64
}

// Less orders assignments by field and record.
func (f ValueEdit) Less(o ValueEdit) bool {
	if f.Field != o.Field {
		return f.Field < o.Field
	}
	return f.Record < o.Record
}

// AssignInt returns the assignment of an integer.
func AssignInt(field uint32, record uint64, x int64) ValueEdit {
	return ValueEdit{Field: field, Least: x == math.MinInt64, Record: record, Word: IntegerWord(x)}
}

// Integer returns the integer of an assignment that has one.
func (f ValueEdit) Integer() int64 {
	if f.Least {
		return math.MinInt64
	}
	return Integer(f.Word)
}

// RowName names a list.
type RowName struct {
	Field uint32
	Row   uint64
}

// CompareValueEdits compares by field and record.
func CompareValueEdits(a, b ValueEdit) int {
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Record, b.Record))
}
