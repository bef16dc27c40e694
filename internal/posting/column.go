// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

// Column says whether a field with any number of rows for each record keeps them in record order as
// well, and how: its forward column, the other side of its lists. A relation has its inverse for
// that.
type Column uint8

const (
	// NoColumn keeps posting lists only.
	NoColumn Column = iota
	// FastColumn keeps row IDs of one width for each page: a row costs 1 to 4 bytes.
	FastColumn
	// SmallColumn keeps the gaps between row IDs in as many bits as they need: a row costs about 2
	// bits more than the logarithm of the gap.
	SmallColumn
)

// columnField returns the number of the field that holds the column of a set field; 0: it has none.
func (ix *Index) columnField(field uint32) uint32 {
	if ix.fieldOf(field).Column == NoColumn {
		return 0
	}
	return ValueField(field)
}

// opposite returns the field that holds the other direction of a field's lists, with rows and
// records exchanged: the inverse of a relation, or a column; 0: there is none.
func (ix *Index) opposite(field uint32) uint32 {
	if inverse := ix.fieldOf(field).Inverse; inverse != 0 {
		return inverse
	}
	return ix.columnField(field)
}

// isColumn reports whether edits of a field are those of a column: the row is a record, and the
// record a row.
func isColumn(field uint32) bool { return kindOf(field) == pageValues }

// recordOf returns the record that an edit is about.
func recordOf(e edit) uint64 {
	if isColumn(e.field) {
		return e.row
	}
	return e.record
}

// concerns reports whether an edit is about a record of a set: the one that has the row, or in a
// relation the row.
func (ix *Index) concerns(e edit, in func(record uint64) bool) bool {
	return in(recordOf(e)) || ix.fieldOf(e.field).Inverse != 0 && in(e.row)
}
