// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
)

// Schema says what the columns of a table are.
type Schema struct {
	// name of the column that has the keys of the records; "": they are numbered, as no record was
	// before
	Key     string
	Columns []Column // the ones to import; others are left out
	Null    []string // texts that stand for no value, beside the empty one
}

// Column is a column of a table, and the field that its values become.
type Column struct {
	Name  string // as the table has it
	Field uproar.Field
	Split string // of a Set field: what stands between several values of one text; "": it is one
	Round bool   // of numbers: one with more digits behind its point than the field is rounded
}

// ErrSchema is matched when a schema cannot be, or an index has other fields.
var ErrSchema = errors.New("audience: schema")

// Check fails for a schema that cannot be. Errors: ErrSchema.
func (s *Schema) Check() error {
	if len(s.Columns) == 0 {
		return fmt.Errorf("%w: got no columns, want at least one", ErrSchema)
	}
	seen := map[string]bool{s.Key: true}
	for _, c := range s.Columns {
		switch {
		case c.Name == "" || seen[c.Name]:
			return fmt.Errorf("%w: got column %q without a name, twice, or as the key as well", ErrSchema, c.Name)
		case c.Field.Type == uproar.Relation:
			return fmt.Errorf("%w: column %q: got a relation, want a set, single or integer field", ErrSchema, c.Name)
		case c.Round && (c.Field.Type != uproar.Integer || c.Field.Format != uproar.Number):
			return fmt.Errorf("%w: column %q: got rounding of what is no integer or decimal", ErrSchema, c.Name)
		case c.Split != "" && c.Field.Type != uproar.Set:
			return fmt.Errorf("%w: column %q: got type %q with several values, want %q", ErrSchema, c.Name,
				c.Field.Type, uproar.Set)
		}
		seen[c.Name] = true
	}
	return nil
}

// fields returns the fields of the columns.
func (s *Schema) fields() []uproar.Field {
	fields := make([]uproar.Field, len(s.Columns))
	for i, c := range s.Columns {
		fields[i] = c.Field
	}
	return fields
}

// Fits fails if an index has not all fields of the schema. Errors: ErrSchema with a
// *uproar.FieldConflictError.
func (s *Schema) Fits(index *uproar.Index) error {
	has := map[string]uproar.Field{}
	for _, f := range index.Fields() {
		has[f.Name] = f
	}
	for _, want := range s.fields() {
		if has[want.Name] != want {
			return fmt.Errorf("%w: %w", ErrSchema, &uproar.FieldConflictError{Index: index.Name(), Has: has[want.Name],
				Want: want})
		}
	}
	return nil
}

// ParseColumn reads a column as command lines say it: NAME:TYPE, and after further colons
// field=NAME, split=TEXT, scale=N, round, column=fast or column=small, in any order. TYPE is set,
// single, integer, date, time or decimal, which needs its scale. Without field=, the field is named
// like the column, with underscores in the place of other characters than letters and digits.
// Errors: ErrSchema.
func ParseColumn(text string) (Column, error) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || parts[0] == "" {
		return Column{}, fmt.Errorf("%w: got column %q, want NAME:TYPE", ErrSchema, text)
	}
	c := Column{Name: parts[0], Field: uproar.Field{Name: FieldName(parts[0])}}
	bad := func(format string, args ...any) (Column, error) {
		return c, fmt.Errorf("%w: column %q: "+format, append([]any{ErrSchema, c.Name}, args...)...)
	}
	var err error
	if c.Field.Type, c.Field.Format, err = uproar.ParseFieldType(parts[1]); err != nil {
		return bad("%s", strings.TrimPrefix(err.Error(), uproar.ErrInvalid.Error()+": "))
	}
	for _, option := range parts[2:] {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "field":
			c.Field.Name = value
		case "split":
			c.Split = value
		case "scale":
			if c.Field.Scale, err = strconv.Atoi(value); err != nil || c.Field.Scale < 1 || parts[1] != decimalType {
				return bad("got type %q with scale %q, want %q with 1 to 18 digits", parts[1], value, decimalType)
			}
		case "round":
			if c.Round = true; option != name {
				return bad("got option %q, want %q alone", option, name)
			}
		case "column":
			c.Field.Column = uproar.Column(value)
		default:
			return bad("got option %q, want field=NAME, split=TEXT, scale=N, round or column=LAYOUT", option)
		}
	}
	if parts[1] == decimalType && c.Field.Scale == 0 {
		return bad("got type %q, want %q with a scale, such as scale=2", decimalType, decimalType)
	}
	return c, nil
}

// decimalType is the type of integers with digits after the point.
const decimalType = "decimal"

// FieldName makes the name of a field of that of a column: other characters than letters and digits
// become underscores.
func FieldName(column string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, column)
}
