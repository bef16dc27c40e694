// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// columnField returns the number of the field that holds the column of a set field; 0: it has none.
func (ix *Index) columnField(field uint32) uint32 {
	if ix.fieldOf(field).Column == model.NoColumn {
		return 0
	}
	return model.ValueField(field)
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
func isColumn(field uint32) bool { return format.KindOf(field) == format.Values }

// concerns reports whether an edit is about a record of a set: the one that has the row, or in a
// relation the row.
func (ix *Index) concerns(e model.Edit, in func(record uint64) bool) bool {
	return in(recordOf(e)) || ix.fieldOf(e.Field).Inverse != 0 && in(e.Row)
}

// recordOf returns the record that an edit is about.
func recordOf(e model.Edit) uint64 {
	if isColumn(e.Field) {
		return e.Row
	}
	return e.Record
}
