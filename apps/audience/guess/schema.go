// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package guess

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/value"
)

// keyNames are the names of columns of keys, in any case, the best first.
var keyNames = []string{"id", "key", "_id"}

// Schema returns the schema of an index that is made of the tables, and what is to be said about
// it. key is the name of the column of the keys; "": it is guessed, and if no column can be it,
// records are numbered. Errors: audience.ErrTable, if the key is no column, or no line is a row;
// audience.ErrSchema, if no column is left.
func (s *Sample) Schema(key string) (schema audience.Schema, notes []string, err error) {
	if err := s.checkKey(key); err != nil {
		return schema, nil, err
	}
	if len(s.columns) == 0 {
		return schema, nil, s.noRows()
	}
	schema = audience.Schema{Key: key, Null: s.Null}
	if key == "" {
		of := s.usable()
		if c := s.keyColumn(of, true); c == nil {
			notes = append(notes, "no column has another value in each row: records are numbered")
		} else if schema.Key, s.Unique = c.name, true; c != of[0] && !isNamedKey(c.name) {
			notes = append(notes, fmt.Sprintf("column %q is taken for the key: it has another value in each of %d "+
				"rows, and no column before it can be the key; if that is wrong, name the key", c.name, s.rows))
		}
	}
	taken := map[string]bool{uproar.SavedField: true, "key": true}
	for _, c := range s.columns {
		if c.name == schema.Key {
			continue
		}
		if why := s.leftOut(c); why != "" {
			notes = append(notes, why)
			continue
		}
		if note := c.note(s.rows); note != "" {
			notes = append(notes, note)
		}
		to := c.is()
		to.Field.Name = freeName(c.name, taken)
		schema.Columns = append(schema.Columns, to)
	}
	if len(schema.Columns) == 0 && schema.Key != "" {
		notes = append(notes, fmt.Sprintf("column %q has the keys", schema.Key))
	}
	if len(schema.Columns) == 0 && len(notes) > 0 {
		return schema, nil, fmt.Errorf("%w; %s", schema.Check(), strings.Join(notes, "; "))
	}
	return schema, notes, schema.Check()
}

// noRows returns the error of tables without a column.
func (s *Sample) noRows() error {
	if s.bad != nil {
		return fmt.Errorf("%w: no line is a row: %w", audience.ErrTable, s.bad)
	}
	return fmt.Errorf("%w: got no value, want a row with one at least", audience.ErrTable)
}

// checkKey fails for a column that is not there.
func (s *Sample) checkKey(key string) error {
	if key == "" || s.rows == 0 && len(s.columns) == 0 {
		return nil
	}
	if _, err := table.Find(s.Names(), []string{key}); err != nil {
		return fmt.Errorf("%w: key: %w", audience.ErrTable, err)
	}
	return nil
}

// usable returns the columns that can be imported.
func (s *Sample) usable() (of []*column) {
	for _, c := range s.columns {
		if s.leftOut(c) == "" {
			of = append(of, c)
		}
	}
	return of
}

// keyColumn returns which of some columns has the keys, or nil. With distinct it has to have a
// value of its own in each row.
func (s *Sample) keyColumn(of []*column, distinct bool) *column {
	for _, name := range keyNames {
		for _, c := range of {
			if strings.EqualFold(c.name, name) && (!distinct || c.distinct(s.rows)) {
				return c
			}
		}
	}
	for _, c := range of {
		f, splitBy := c.field()
		isKey := f.Type == uproar.Single || isCount(f) && (c == of[0] || isNamedKey(c.name))
		if isKey && splitBy == "" && s.rows > 0 && c.distinct(s.rows) {
			return c
		}
	}
	return nil
}

// isCount reports whether a field has plain integers. They may be other in each row by chance, such
// as ages.
func isCount(f uproar.Field) bool {
	return f.Type == uproar.Integer && f.Format == uproar.Number && f.Scale == 0
}

// isNamedKey reports whether the name of a column says that it has keys, such as id or user_id.
func isNamedKey(name string) bool {
	if slices.ContainsFunc(keyNames, func(key string) bool { return strings.EqualFold(name, key) }) {
		return true
	}
	for _, end := range []string{"_id", "_ID", "Id", "ID"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// leftOut says why a column cannot be imported; "": it can be.
func (s *Sample) leftOut(c *column) string {
	switch {
	case c.name == "":
		return "a column without a name is left out"
	case slices.Contains(s.repeated, c.name):
		return fmt.Sprintf("column %q is there more than once: left out", c.name)
	case c.other != "":
		return fmt.Sprintf("column %q has %s: left out", c.name, c.other)
	}
	return ""
}

// maxFieldName is how many bytes the name of a field has, at most.
const maxFieldName = 64

// freeName returns the name of a field for a column, which no other has, and takes it.
func freeName(column string, taken map[string]bool) string {
	name := audience.FieldName(column)
	if c := name[0] | 0x20; c < 'a' || c > 'z' {
		name = "f_" + name
	}
	name = name[:min(len(name), maxFieldName)]
	for n, base := 2, name; taken[name]; n++ {
		suffix := "_" + strconv.Itoa(n)
		name = base[:min(len(base), maxFieldName-len(suffix))] + suffix
	}
	taken[name] = true
	return name
}

// Fit returns the schema with which the tables go into an index that has some fields: columns
// become the fields of their names; in CSV and TSV those of sets are lists. A column that is none
// of them is the key, if that is not given, or an error, unless ignore is set. Errors: those of
// Schema.
func (s *Sample) Fit(fields []uproar.Field, key string, ignore bool) (schema audience.Schema, notes []string,
	err error) {
	if err := s.checkKey(key); err != nil {
		return schema, nil, err
	}
	schema = audience.Schema{Key: key, Null: s.Null}
	var others []*column
	for _, c := range s.columns {
		at := slices.IndexFunc(fields, func(f uproar.Field) bool {
			return f.Name == c.name || c.name != "" && f.Name == audience.FieldName(c.name)
		})
		switch {
		case c.name == key && key != "":
		case at < 0:
			others = append(others, c)
		default:
			if why := s.leftOut(c); why != "" {
				return schema, nil, fmt.Errorf("%w: %s, but the index has a field of that name", audience.ErrSchema,
					why)
			}
			to := audience.Column{Name: c.name, Field: fields[at]}
			if fields[at].Type == uproar.Set && !c.list {
				if to.Split = c.separator(1); to.Split == "" && s.separated {
					to.Split = value.ListSeparator
				}
			}
			schema.Columns = append(schema.Columns, to)
		}
	}
	if key == "" {
		of := slices.DeleteFunc(slices.Clone(others), func(c *column) bool { return s.leftOut(c) != "" })
		if c := s.keyColumn(of, false); c != nil {
			schema.Key, s.Unique = c.name, c.distinct(s.rows)
			others = slices.DeleteFunc(others, func(o *column) bool { return o == c })
		}
	}
	var names []string
	for _, c := range others {
		names = append(names, c.name)
		notes = append(notes, fmt.Sprintf("column %q is no field: left out", c.name))
	}
	if len(names) > 0 && !ignore {
		return schema, nil, fmt.Errorf("%w: got the columns %q, which are no fields of the index; add such fields, "+
			"have them ignored, or give a schema", audience.ErrSchema, names)
	}
	return schema, notes, schema.Check()
}

// Wider returns a column that takes what one of a schema took, and a text that it did not.
func Wider(c audience.Column, text string) audience.Column {
	whole, scale, isNumber := number(text, unknownKind)
	if isNumber && c.Field.Type == uproar.Integer && c.Field.Format == uproar.Number {
		if scale = max(scale, c.Field.Scale); scale > c.Field.Scale && whole+scale <= maxDigits {
			c.Field.Scale = scale
			return c
		}
	}
	if whole, _, isFloat := float(text, unknownKind); isFloat && c.Field.Scale > 0 && whole < maxDigits-1 {
		rounded := c // to what both take
		rounded.Field.Scale, rounded.Round = min(c.Field.Scale, maxDigits-1-whole), true
		if rounded != c {
			return rounded
		}
	}
	if c.Field.Type == uproar.Integer {
		c.Field.Type, c.Field.Format, c.Field.Scale, c.Field.Column = uproar.Single, uproar.Number, 0, uproar.NoColumn
		c.Round = false
	}
	return c
}

// Remedy says what to do about a value that a guessed schema does not take; "" if it was not the
// guess.
func Remedy(schema *audience.Schema, bad *audience.ValueError) string {
	for _, c := range schema.Columns {
		if c.Name != bad.Column {
			continue
		}
		if wider := Wider(c, bad.Value); wider != c {
			return "a schema with " + wider.JSON() + " in the place of " + c.JSON()
		}
		// A text that is too long is too long in a set as well.
		if c.Field.Type == uproar.Single && !errors.Is(bad.Err, uproar.ErrInvalid) {
			c.Field.Type = uproar.Set
			return "a schema with " + c.JSON() + ", if a record has several values"
		}
	}
	return ""
}
