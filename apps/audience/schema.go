// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
)

// Schema says what the columns of a table are.
type Schema struct {
	Key     string   // name of the column that has the keys of the records; "": the number of the line, counted over all tables of an import
	Columns []Column // those that are imported; others are left out
	Null    []string // texts that stand for no value, beside the empty one
}

// Column is a column of a table, and the field that its values become.
type Column struct {
	Name  string // as the table has it
	Field uproar.Field
	Split string // of a Set field: what stands between several values of one record; "": there is one
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
		case c.Split != "" && c.Field.Type != uproar.Set:
			return fmt.Errorf("%w: column %q: got type %q with several values, want %q", ErrSchema, c.Name, c.Field.Type, uproar.Set)
		}
		seen[c.Name] = true
	}
	return nil
}

// Open returns the index of a name with the fields of the schema, and creates it if there is none. Errors: ErrSchema, or those of uproar.DB.CreateIndex.
func (s *Schema) Open(ctx context.Context, db *uproar.DB, name string) (*uproar.Index, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	index, err := db.Index(name)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		var fields []uproar.Field
		for _, c := range s.Columns {
			fields = append(fields, c.Field)
		}
		return db.CreateIndex(ctx, name, fields...)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range s.Columns {
		if !slices.Contains(index.Fields(), c.Field) {
			return nil, fmt.Errorf("%w: index %s has not field %+v", ErrSchema, name, c.Field)
		}
	}
	return index, nil
}

// ParseColumn reads a column as command lines say it: NAME:TYPE, and after further colons field=NAME, split=TEXT, column=fast or column=small, in any order. Without
// field=, the field is named like the column, with underscores in the place of other characters than letters and digits. Errors: ErrSchema.
func ParseColumn(text string) (Column, error) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || parts[0] == "" {
		return Column{}, fmt.Errorf("%w: got column %q, want NAME:TYPE", ErrSchema, text)
	}
	c := Column{Name: parts[0], Field: uproar.Field{Name: fieldName(parts[0]), Type: uproar.FieldType(parts[1])}}
	switch c.Field.Type {
	case uproar.Set, uproar.Single, uproar.Integer:
	default:
		return c, fmt.Errorf("%w: column %q: got type %q, want %q, %q or %q", ErrSchema, c.Name, parts[1], uproar.Set, uproar.Single, uproar.Integer)
	}
	for _, option := range parts[2:] {
		name, value, _ := strings.Cut(option, "=")
		switch name {
		case "field":
			c.Field.Name = value
		case "split":
			c.Split = value
		case "column":
			c.Field.Column = uproar.Column(value)
		default:
			return c, fmt.Errorf("%w: column %q: got option %q, want field=NAME, split=TEXT or column=LAYOUT", ErrSchema, c.Name, option)
		}
	}
	return c, nil
}

// fieldName makes the name of a field of that of a column.
func fieldName(column string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, column)
}
