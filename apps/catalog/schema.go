// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/spelling"
)

// Type says what the values of an attribute are.
type Type string

const (
	Text Type = "" // any text; "text" is the same
	// a decimal number, with as many digits after the point as the attribute's Scale. "integer",
	// without them, and "decimal", with, are the same.
	Number Type = "number"
	Date   Type = "date" // a day such as 2026-01-31
	Time   Type = "time" // a time such as 2026-01-31T12:00:00Z
)

// Attribute is what records have and requests name.
type Attribute struct {
	Name string `json:"name"`
	// of the index; "": the name, with underscores in the place of other characters than letters
	// and digits
	Field string `json:"field,omitempty"`
	Type  Type   `json:"type,omitempty"`
	Scale int    `json:"scale,omitempty"` // of Number: digits after the point

	// Rule says that a record has a condition on the attribute: one of some values, none of some,
	// or a range; or none, which any value fits. Default: it has a value, or none, and then fits no
	// condition on the attribute.
	Rule bool `json:"rule,omitempty"`

	// Info marks an attribute that is not meant to be searched, such as a price. Facets, deciding
	// attributes and checks leave it out.
	Info bool `json:"info,omitempty"`
}

// Schema says what the records of a catalog have.
type Schema struct {
	// column of a table with the keys of the records; "": the number of the line
	Key      string `json:"key,omitempty"`
	Priority string `json:"priority,omitempty"` // column with the priority, a whole number; "": there is none
	// column that says whether a record is the default: true, yes or 1; "": none is
	Default    string      `json:"default,omitempty"`
	Attributes []Attribute `json:"attributes"`

	// Combined names groups of text attributes, not rules, that are kept together as well: a search
	// that names all attributes of a group looks their values up at once. It costs a field more for
	// each group, and makes searches faster in which each condition by itself fits many records.
	Combined [][]string `json:"combined,omitempty"`
}

// ErrSchema is matched when a schema cannot be.
var ErrSchema = errors.New("catalog: schema")

// MaxAttributes is how many attributes a schema may have.
const MaxAttributes = 64

// Fields of the index beside those of the attributes. Rows of those of rules are the fields of
// attributes.
const (
	anyField      = "rule_any"      // records without a condition on the attribute
	notField      = "rule_not"      // records that exclude values
	rangeField    = "rule_range"    // records with a range
	priorityField = "rule_priority" // integers
	defaultField  = "rule_default"  // row isDefault: the default records
	isDefault     = "yes"
)

// ParseSchema reads a schema as JSON. Errors: ErrSchema.
func ParseSchema(text []byte) (*Schema, error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	s := new(Schema)
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%w: got more behind the JSON object", ErrSchema)
	}
	return s, s.Check()
}

// Check fails for a schema that cannot be, and completes it: it names fields. Errors: ErrSchema.
func (s *Schema) Check() error {
	if len(s.Attributes) == 0 || len(s.Attributes) > MaxAttributes {
		return fmt.Errorf("%w: got %d attributes, want 1 to %d", ErrSchema, len(s.Attributes), MaxAttributes)
	}
	names := map[string]bool{}
	for i := range s.Attributes {
		a := &s.Attributes[i]
		switch {
		case a.Type == "text":
			a.Type = Text
		case a.Type == "integer" && a.Scale == 0, a.Type == "decimal" && a.Scale > 0: // as columns of audiences say it
			a.Type = Number
		}
		if a.Field == "" {
			a.Field = fieldName(a.Name)
		}
		switch {
		case a.Name == "" || names[a.Name]:
			return fmt.Errorf("%w: got attribute %q without a name, or twice", ErrSchema, a.Name)
		case a.Type != Text && a.Type != Number && a.Type != Date && a.Type != Time:
			return fmt.Errorf("%w: attribute %q: got type %q, want \"text\", %q, %q or %q", ErrSchema, a.Name, a.Type,
				Number, Date, Time)
		case a.Scale != 0 && a.Type != Number:
			return fmt.Errorf("%w: attribute %q: got a scale for type %q, want %q", ErrSchema, a.Name, a.Type, Number)
		}
		if a.Rule && a.Info {
			return fmt.Errorf("%w: attribute %q: got a rule that is info, want one of them", ErrSchema, a.Name)
		}
		names[a.Name] = true
	}
	fields := map[string]bool{}
	for _, f := range s.fields() {
		if fields[f.Name] {
			return fmt.Errorf("%w: got two attributes that need a field of name %q, want another \"field\" for one",
				ErrSchema, f.Name)
		}
		fields[f.Name] = true
	}
	return s.checkCombined()
}

// Unknown returns the error of an attribute that the schema has not: an *UnknownAttributeError,
// with the attribute that was probably meant.
func (s *Schema) Unknown(name string) error {
	names := make([]string, len(s.Attributes))
	for i := range s.Attributes {
		names[i] = s.Attributes[i].Name
	}
	return &UnknownAttributeError{name, spelling.Suggest(name, names)}
}

func (s *Schema) checkCombined() error {
	if len(s.Combined) > 99 {
		return fmt.Errorf("%w: got %d combinations, want at most 99", ErrSchema, len(s.Combined))
	}
	for _, group := range s.Combined {
		seen := map[string]bool{}
		for _, name := range group {
			i := slices.IndexFunc(s.Attributes, func(a Attribute) bool { return a.Name == name })
			if i < 0 || seen[name] || s.Attributes[i].Type != Text || s.Attributes[i].Rule {
				return fmt.Errorf(
					"%w: combined: got %q in %q, want different attributes of type text that are no rules", ErrSchema,
					name, group)
			}
			seen[name] = true
		}
		if len(group) < 2 {
			return fmt.Errorf("%w: combined: got %q, want two attributes or more", ErrSchema, group)
		}
	}
	return nil
}

// fields returns the fields of the index.
func (s *Schema) fields() (fields []uproar.Field) {
	set := func(name string) {
		fields = append(fields, uproar.Field{Name: name, Type: uproar.Set, Column: uproar.FastColumn})
	}
	rules := false
	for i := range s.Attributes {
		a := &s.Attributes[i]
		switch {
		case a.Rule:
			rules = true
			set(a.Field)
			set(a.notField())
			if a.Type != Text {
				fields = append(fields, a.number(a.fromField()), a.number(a.toField()))
			}
		case a.Type == Text:
			fields = append(fields, uproar.Field{Name: a.Field, Type: uproar.Single, Column: uproar.FastColumn})
		default:
			fields = append(fields, a.number(a.Field))
		}
	}
	if rules {
		set(anyField)
		set(notField)
		set(rangeField)
	}
	if s.Priority != "" {
		fields = append(fields, uproar.Field{Name: priorityField, Type: uproar.Integer})
	}
	if s.Default != "" {
		fields = append(fields, uproar.Field{Name: defaultField, Type: uproar.Single})
	}
	for i := range s.Combined {
		fields = append(fields, uproar.Field{Name: combinedField(i), Type: uproar.Single, Column: uproar.FastColumn})
	}
	return fields
}

func (a *Attribute) notField() string  { return a.Field + "_not" }
func (a *Attribute) fromField() string { return a.Field + "_from" }
func (a *Attribute) toField() string   { return a.Field + "_to" }

// number returns an integer field of the attribute.
func (a *Attribute) number(name string) uproar.Field {
	f := uproar.Field{Name: name, Type: uproar.Integer, Scale: a.Scale}
	switch a.Type {
	case Date:
		f.Format = uproar.Date
	case Time:
		f.Format = uproar.Time
	}
	return f
}

func combinedField(i int) string { return fmt.Sprintf("combined_%d", i) }

// fieldName makes the name of a field of that of an attribute.
func fieldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}
