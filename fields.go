// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

// catalogFields numbers declared fields, above those that there are; a relation gets a second one
// for its inverse.
func catalogFields(existing []catalogField, fields []Field) ([]catalogField, error) {
	var out []catalogField
	last, names := uint32(0), map[string]bool{}
	for _, f := range existing {
		last = max(last, f.ID)
		names[f.Name] = names[f.Name] || !f.Dropped
	}
	add := func(f catalogField) error {
		if err := checkName("field", f.Name); err != nil {
			return err
		}
		if names[f.Name] {
			return invalid("fields: got two of the name %q, want one", f.Name)
		}
		names[f.Name] = true
		out = append(out, f)
		return nil
	}
	for _, f := range fields {
		id := last + uint32(len(out)+1)*fieldStep
		if err := f.checkFormat(); err != nil {
			return nil, err
		}
		if f.Column.layout() < 0 || f.Column != NoColumn && f.Type != Set &&
			(f.Type != Single || f.Column != FastColumn) {
			return nil, invalid("field %q: got type %q with column %q, want %q with one of %q and %q, %q with %q, "+
				"or none", f.Name, f.Type, f.Column, Set, FastColumn, SmallColumn, Single, FastColumn)
		}
		switch {
		case f.Type != Relation && f.Type.kind() >= 0 && f.Inverse == "":
			if err := add(catalogField{ID: id, Name: f.Name, Type: f.Type, Format: f.Format, Scale: f.Scale,
				Column: f.Column}); err != nil {
				return nil, err
			}
		case f.Type == Relation && f.Inverse != "":
			if err := add(catalogField{ID: id, Name: f.Name, Type: Relation, Inverse: id + fieldStep}); err != nil {
				return nil, err
			}
			if err := add(catalogField{ID: id + fieldStep, Name: f.Inverse, Type: Relation, Inverse: id,
				Derived: true}); err != nil {
				return nil, err
			}
		case f.Type == FieldType(Date) || f.Type == FieldType(Time):
			return nil, invalid("field %q: got type %q, want type %q with format %q", f.Name, f.Type, Integer, f.Type)
		case f.Type == decimal:
			return nil, invalid("field %q: got type %q, want type %q with a scale", f.Name, f.Type, Integer)
		default:
			return nil, invalid("field %q: got type %q with inverse %q, want %q, %q or %q without or %q with one",
				f.Name, f.Type, f.Inverse, Set, Single, Integer,
				Relation)
		}
	}
	return out, nil
}
