// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// Type says what the values of a field are.
type Type string

// The types of fields.
const (
	Set      Type = "set"
	Relation Type = "relation"
	Single   Type = "single"
	Integer  Type = "integer"
)

// kind returns how package posting keeps the values of a field, -1 for what is no type.
func (t Type) kind() int {
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
	Name    string
	Type    Type
	Inverse string // of a Relation: the name of its inverse
	Format  Format
	Scale   int // decimal digits after the point
	Column  Column
}

// Column says whether a field keeps the values of each record together.
type Column string

// The kinds of columns.
const (
	NoColumn    Column = ""
	FastColumn  Column = "fast"
	SmallColumn Column = "small"
	KeyColumn   Column = "keys" // of a Relation: its edges have records with keys
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
	case KeyColumn:
		return int(model.KeyColumn)
	default:
		return -1
	}
}

// suits reports whether a field of a type may have the column.
func (c Column) suits(t Type) bool {
	switch c {
	case NoColumn:
		return true
	case FastColumn:
		return t == Set || t == Single
	case SmallColumn:
		return t == Set
	case KeyColumn:
		return t == Relation
	default:
		return true // which layout refuses
	}
}

const (
	maxName = 64
	maxNote = 64 << 10
)

// CheckName fails for what cannot be the name of an index or a field. Errors: ErrInvalid.
func CheckName(what, name string) error {
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

// CheckNote fails for a note that is too long to be kept with an index. Errors: ErrInvalid.
func CheckNote(note []byte) error {
	if len(note) > maxNote {
		return invalid("note: got %d bytes, want at most %d", len(note), maxNote)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", sentinel.ErrInvalid, fmt.Sprintf(format, args...))
}
