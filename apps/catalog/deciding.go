// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// Tied returns all records that a search reports as several, without a limit. They fit, and none of
// them counts more. Cost and errors as of Search; memory: 8 bytes for each record that fits.
func (s Snapshot) Tied(ctx context.Context, conditions ...Condition) ([]uint64, error) {
	q, err := s.layout.fits(conditions)
	if err != nil {
		return nil, err
	}
	found, err := s.snap.IDs(ctx, q, uproar.Page{})
	if err != nil {
		return nil, err
	}
	a := Answer{IDs: found.IDs}
	if !s.layout.plain {
		err = s.selectBest(&a, conditions)
	}
	return a.IDs, err
}

// Deciding returns the attributes that would decide between records. The conditions do not name
// them, and the records differ in them. Cost: for each attribute a count over its values. Errors:
// those of reading.
func (s Snapshot) Deciding(ctx context.Context, ids []uint64, conditions ...Condition) (attributes []string,
	err error) {
	of, err := s.snap.Select(ctx, query.Bitmap{Bytes: bitmap.Of(ids...).Bytes()})
	if err != nil {
		return nil, err
	}
	for _, name := range s.unnamed(conditions) {
		same, err := s.alike(ctx, of, s.layout.byName[name])
		if err != nil {
			return nil, err
		}
		if !same {
			attributes = append(attributes, name)
		}
	}
	return attributes, nil
}

// alike reports whether all records have the same of an attribute.
func (s Snapshot) alike(ctx context.Context, of *uproar.Selection, at int) (bool, error) {
	a := &s.layout.schema.Attributes[at]
	if a.Type != Text && !a.Rule {
		_, _, same, err := s.ends(ctx, of, at, a.Field, a.Field)
		return same, err
	}
	same, err := allHave(ctx, of, a.Field)
	if err != nil || !same || !a.Rule {
		return same, err
	}
	if same, err = allHave(ctx, of, a.notField()); err != nil || !same || a.Type == Text {
		return same, err
	}
	_, _, same, err = s.ends(ctx, of, at, a.fromField(), a.toField())
	return same, err
}

// allHave reports whether each value that one of the records has in a field is one that all have.
func allHave(ctx context.Context, of *uproar.Selection, field string) (bool, error) {
	top, err := of.Top(ctx, field, uproar.TopOptions{})
	if err != nil {
		return false, err
	}
	for _, v := range top {
		if v.Count != of.Len() {
			return false, nil
		}
	}
	return true, nil
}
