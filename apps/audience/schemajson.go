// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/uproar-db/uproar"
)

// schemaText is a schema as JSON.
type schemaText struct {
	Key     string       `json:"key,omitempty"`
	Null    []string     `json:"null,omitempty"`
	Columns []columnText `json:"columns"`
}

// columnText is a column as JSON.
type columnText struct {
	Name   string `json:"name"`
	Field  string `json:"field,omitempty"` // "": that of FieldName
	Type   string `json:"type"`            // as uproar.ParseFieldType reads it
	Scale  int    `json:"scale,omitempty"`
	Round  bool   `json:"round,omitempty"`
	Split  string `json:"split,omitempty"`
	Column string `json:"column,omitempty"`
}

// text returns the column as JSON has it.
func (c *Column) text() columnText {
	t := columnText{Name: c.Name, Type: string(c.Field.Type), Scale: c.Field.Scale, Round: c.Round, Split: c.Split,
		Column: string(c.Field.Column)}
	if c.Field.Name != FieldName(c.Name) {
		t.Field = c.Field.Name
	}
	switch {
	case c.Field.Format != uproar.Number:
		t.Type = string(c.Field.Format)
	case c.Field.Scale > 0:
		t.Type = decimalType
	}
	return t
}

// column returns the column that a text stands for. Errors: ErrSchema.
func (t *columnText) column() (Column, error) {
	c := Column{Name: t.Name, Split: t.Split, Round: t.Round, Field: uproar.Field{Name: t.Field, Scale: t.Scale,
		Column: uproar.Column(t.Column)}}
	if c.Field.Name == "" {
		c.Field.Name = FieldName(t.Name)
	}
	var err error
	if c.Field.Type, c.Field.Format, err = uproar.ParseFieldType(t.Type); err != nil {
		return c, fmt.Errorf("%w: column %q: %s", ErrSchema, t.Name, strings.TrimPrefix(err.Error(),
			uproar.ErrInvalid.Error()+": "))
	}
	if (t.Type == decimalType) != (t.Scale > 0) {
		return c, fmt.Errorf("%w: column %q: got type %q with scale %d, want %q with 1 to 18 digits", ErrSchema,
			t.Name, t.Type, t.Scale, decimalType)
	}
	return c, nil
}

// ParseSchema reads a schema in JSON:
//
//	{"key": "id", "null": ["?"], "columns": [{"name": "age", "type": "integer"}, …]}
//
// A column has the parts that ParseColumn reads, as members name, type, field, split, scale,
// round and column. Errors: ErrSchema.
func ParseSchema(text []byte) (s Schema, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var t schemaText
	if err := d.Decode(&t); err != nil {
		return s, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return s, fmt.Errorf("%w: got more behind the JSON object", ErrSchema)
	}
	s.Key, s.Null = t.Key, t.Null
	for i := range t.Columns {
		c, err := t.Columns[i].column()
		if err != nil {
			return s, err
		}
		s.Columns = append(s.Columns, c)
	}
	return s, s.Check()
}

// MarshalJSON returns the JSON that ParseSchema reads.
func (s Schema) MarshalJSON() ([]byte, error) {
	t := schemaText{Key: s.Key, Null: s.Null, Columns: []columnText{}}
	for i := range s.Columns {
		t.Columns = append(t.Columns, s.Columns[i].text())
	}
	return marshal(t)
}

// marshal returns JSON that people read.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// JSON returns the column as a schema in JSON has it.
func (c *Column) JSON() string {
	text, _ := marshal(c.text()) // strings and a number
	return string(text)
}

// Text returns the JSON that ParseSchema reads, for people: a column a line.
func (s *Schema) Text() string {
	var b strings.Builder
	b.WriteString("{\n")
	if s.Key != "" {
		key, _ := marshal(s.Key)
		fmt.Fprintf(&b, "  \"key\": %s,\n", key)
	}
	if len(s.Null) > 0 {
		null, _ := marshal(s.Null)
		fmt.Fprintf(&b, "  \"null\": %s,\n", null)
	}
	b.WriteString("  \"columns\": [")
	for i := range s.Columns {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n    " + s.Columns[i].JSON())
	}
	b.WriteString("\n  ]\n}\n")
	return b.String()
}
