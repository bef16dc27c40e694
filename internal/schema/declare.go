// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/hex"
	"fmt"
	"math"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// fieldStep is the distance of field numbers (docs/format/keys.md).
const fieldStep = 4

// The field of every index whose rows are its saved sets.
const (
	SavedName = "_saved"
	SavedID   = math.MaxUint32 - 2*fieldStep + 1 // the last number that a field may have (docs/format/keys.md)
)

// Declare numbers declared fields, above the existing ones. A relation gets a second one for its
// inverse. Errors: ErrInvalid, for fields that cannot be.
func Declare(existing []StoredField, fields []Field) ([]StoredField, error) {
	var out []StoredField
	last, names := uint32(0), map[string]bool{}
	for _, f := range existing {
		last = max(last, f.ID)
		names[f.Name] = names[f.Name] || !f.Dropped
	}
	add := func(f StoredField) error {
		if err := CheckName("field", f.Name); err != nil {
			return err
		}
		if f.Name == "key" {
			return invalid("name of field: got \"key\", which tables have for the keys of records, want another one")
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
		if f.Column.layout() < 0 || !f.Column.suits(f.Type) {
			return nil, invalid("field %q: got type %q with column %q, want %q with one of %q and %q, %q with %q, "+
				"%q with %q, or none", f.Name, f.Type, f.Column, Set, FastColumn, SmallColumn, Single, FastColumn,
				Relation, KeyColumn)
		}
		switch {
		case f.Type != Relation && f.Type.kind() >= 0 && f.Inverse == "":
			if err := add(StoredField{ID: id, Name: f.Name, Type: f.Type, Format: f.Format, Scale: f.Scale,
				Column: f.Column}); err != nil {
				return nil, err
			}
		case f.Type == Relation && f.Inverse != "":
			if err := add(StoredField{ID: id, Name: f.Name, Type: Relation, Inverse: id + fieldStep,
				Column: f.Column}); err != nil {
				return nil, err
			}
			if err := add(StoredField{ID: id + fieldStep, Name: f.Inverse, Type: Relation, Inverse: id,
				Derived: true}); err != nil {
				return nil, err
			}
		case f.Type == Type(Date) || f.Type == Type(Time):
			return nil, invalid("field %q: got type %q, want type %q with format %q", f.Name, f.Type, Integer, f.Type)
		case f.Type == decimal:
			return nil, invalid("field %q: got type %q, want type %q with a scale", f.Name, f.Type, Integer)
		case f.Type == Relation:
			return nil, invalid("field %q: got type %q without an inverse, want the name of the other direction as well",
				f.Name, f.Type)
		case f.Type == Set || f.Type == Single || f.Type == Integer:
			return nil, invalid("field %q: got type %q with inverse %q, want no inverse, or type %q", f.Name, f.Type,
				f.Inverse, Relation)
		default:
			return nil, invalid("field %q: got type %q, want %q, %q, %q, %q, %q, %q with a scale, or %q with an inverse",
				f.Name, f.Type, Set, Single, Integer, Date, Time, decimal, Relation)
		}
	}
	return out, nil
}

// Posting returns the secret and the fields of the index for package posting. The saved sets are
// among the fields. Errors: model.ErrCorrupt, model.ErrVersion.
func (x *Index) Posting() (secret [16]byte, fields []model.Field, err error) {
	digits, err := hex.DecodeString(x.Secret)
	if err != nil || len(digits) != len(secret) {
		return secret, nil, fmt.Errorf("%w: catalog: got secret of index %q of %d digits, want 32 hex digits",
			model.ErrCorrupt, x.Name, len(x.Secret))
	}
	if x.ShardWidth != 0 {
		return secret, nil, fmt.Errorf("%w: catalog: got index %q in shards of %d, want one shard", model.ErrVersion,
			x.Name, x.ShardWidth)
	}
	copy(secret[:], digits)
	if fields, err = PostingFields(x.Fields); err != nil {
		return secret, nil, err
	}
	return secret, append(fields, model.Field{Name: SavedName, ID: SavedID}), nil
}

// PostingFields returns what package posting must know of fields. Errors: model.ErrVersion, for
// fields that this program does not know.
func PostingFields(fields []StoredField) (out []model.Field, err error) {
	for _, f := range fields {
		kind := f.Type.kind()
		if kind < 0 {
			return nil, fmt.Errorf("%w: catalog: got field %q of type %q, want %q, %q, %q or %q", model.ErrVersion, f.Name,
				f.Type, Set, Relation, Single, Integer)
		}
		if err := (Field{Name: f.Name, Type: f.Type, Format: f.Format, Scale: f.Scale}).checkFormat(); err != nil {
			return nil, fmt.Errorf("%w: catalog: %w", model.ErrVersion, err)
		}
		column := f.Column.layout()
		if column < 0 {
			return nil, fmt.Errorf("%w: catalog: got field %q with column %q, want %q, %q or %q", model.ErrVersion,
				f.Name, f.Column, FastColumn, SmallColumn, KeyColumn)
		}
		field := model.Field{Name: f.Name, ID: f.ID, Inverse: f.Inverse, Derived: f.Derived, Kind: model.Kind(kind),
			Dropped: f.Dropped}
		if f.Type == Single {
			field.Fast = f.Column == FastColumn
		} else {
			field.Column = model.Column(column)
		}
		out = append(out, field)
	}
	return out, nil
}
