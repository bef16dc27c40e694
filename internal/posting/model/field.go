// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

// Kind says how the values of a field are kept.
type Kind uint8

const (
	// Lists is a field whose records have any number of rows.
	Lists Kind = iota
	// Rows is a single-valued field: each record has one row at most, and its value column says
	// which.
	Rows
	// Integers is a field of one int64 for each record, in a value column and bit-sliced in
	// lists: see IntegerRow.
	Integers
)

// ValueField returns the number of the field that holds the value column of a user's field.
func ValueField(field uint32) uint32 { return field + 3 }

// Column says whether and how a set field also keeps its rows in record order. This value column is
// the other side of the field's lists. A relation has its inverse for that; its column has keys.
type Column uint8

const (
	// NoColumn keeps posting lists only.
	NoColumn Column = iota
	// FastColumn keeps row IDs of one width for each page: a row costs 1 to 4 bytes.
	FastColumn
	// SmallColumn keeps the gaps between row IDs in as many bits as they need: a row costs about 2
	// bits more than the logarithm of the gap.
	SmallColumn
	// KeyColumn keeps, of a relation, the records of each edge by their keys: see EdgeKey.
	KeyColumn
)

// Field numbers of the system fields. A user's field f owns f to f+3.
const (
	Exists      uint32 = 0 // row 0: the universe, the records that exist
	RecordSpace uint32 = 1 // the key space of the records; its hashes are field 2
)

// KeySpace returns the number of the key space of a user's field: the field of its keys pages.
func KeySpace(field uint32) uint32 { return field + 1 }

// Field is what an index must know of a field to keep its lists.
type Field struct {
	Name    string // in errors
	ID      uint32 // a multiple of 4, at least 4
	Inverse uint32 // of a relation: the field that holds its other direction; 0: not a relation
	Derived bool   // this is the direction that follows from the other, and that no write names
	Kind    Kind   // how values are kept; a relation has Lists
	// of Lists without an Inverse: whether the rows of each record are kept together; of a relation
	// in its declared direction: KeyColumn, if edges have keys
	Column  Column
	Fast    bool // of Rows: lists are kept as what is combined fastest, which takes up to twice the room
	Dropped bool // its pages go with the next flush, and writes to it come to nothing
}
