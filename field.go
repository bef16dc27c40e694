// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// FieldType says what a field's values are.
type FieldType string

const (
	// Set is a field with any number of values for each record, known by strings: tags, countries.
	Set FieldType = "set"

	// Relation is a field whose values are themselves records of the same index. It is kept with
	// its inverse: "follows" with "followers".
	Relation FieldType = "relation"

	// Single is a field with at most one value for each record, known by a string: setting one
	// takes the other away.
	Single FieldType = "single"

	// Integer is a field with at most one int64 for each record.
	Integer FieldType = "integer"
)

// kind returns how package posting keeps the values of a field, -1 for what is no type.
func (t FieldType) kind() int {
	switch t {
	case Set, Relation:
		return int(model.Lists)
	case Single:
		return int(model.Rows)
	case Integer:
		return int(model.Integers)
	default:
		return -1
	}
}

// Field declares a field of an index.
type Field struct {
	Name    string    // 1 to 64 letters, digits and underscores, beginning with a letter
	Type    FieldType // Set, Relation, Single or Integer
	Inverse string    // Relation only: the name of the inverse, which is read and written like a field
	Format  Format    // Integer only: how its integers are written as text
	Scale   int       // Integer only, of format Number: 0 to 18 decimal digits of the integer stand after the point
	// Set: whether the values of each record are kept together as well; Single, which has that:
	// FastColumn for lists that are combined faster
	Column Column
}

// Column says whether a Set field keeps the values of each record together, beside the records of
// each value. With it, counts of all values within a set of records take time in proportion to that
// set, and deleting a record does not take a walk over the whole field; writes cost twice as much.
// A Single or Integer field always has that, and a Relation has its inverse. FastColumn of a Single
// field says that its lists are kept as what is combined fastest, which takes up to twice the room
// for them.
type Column string

const (
	// NoColumn is the default.
	NoColumn Column = ""

	// FastColumn takes 1 to 4 bytes for each value of a record. Lists of values that very many
	// records have take up to twice the room then, and are combined several times as fast.
	FastColumn Column = "fast"

	// SmallColumn takes some 2 bits more than the logarithm of the distance between values: about
	// half of FastColumn. Reading takes several times as long.
	SmallColumn Column = "small"
)

// layout returns how package posting keeps the column, -1 for what is none.
func (c Column) layout() int {
	switch c {
	case NoColumn:
		return int(model.NoColumn)
	case FastColumn:
		return int(model.FastColumn)
	case SmallColumn:
		return int(model.SmallColumn)
	default:
		return -1
	}
}

const maxName = 64

// checkName fails for what cannot be the name of an index or a field.
func checkName(what, name string) error {
	ok := len(name) > 0 && len(name) <= maxName
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		ok = ok && (letter || i > 0 && (c == '_' || c >= '0' && c <= '9'))
	}
	if !ok {
		return invalid("name of %s: got %q, want 1 to %d letters, digits and underscores, beginning with a letter",
			what, name, maxName)
	}
	return nil
}

// fieldStep is the distance of field numbers (docs/format/keys.md).
const fieldStep = 4

// SavedField is the name of the field, which every index has, whose rows are the saved sets. It is
// read and written like a Set field that was declared: Rows lists the saved sets, Batch.DeleteRow
// empties one, and Changes tells of them. Deleted records leave saved sets as they leave other
// rows.
const SavedField = "_saved"

// savedField is its number: the last that a field may have (docs/format/keys.md).
const savedField = math.MaxUint32 - 2*fieldStep + 1
