// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Needs returns the name of a saved audience that follows the data and needs a field of an index.
// It returns "" if there is none. Errors: those of reading.
func Needs(ctx context.Context, db *uproar.DB, index *uproar.Index, field string) (string, error) {
	if index.Name() == Definitions {
		if slices.ContainsFunc(definitionFields, func(f uproar.Field) bool { return f.Name == field }) {
			return Definitions, nil
		}
		return "", nil
	}
	as, err := Of(db, index.Name())
	if err != nil {
		return "", err
	}
	v, err := as.View(ctx)
	if err != nil {
		return "", err
	}
	defer v.Close()
	saved, err := v.Saved(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range saved {
		expr, err := query.Parse(s.Query)
		if !s.Follows || err != nil {
			continue
		}
		for name := range query.Fields(expr) {
			if name == field || isInverse(index, name, field) {
				return s.Name, nil
			}
		}
	}
	return "", nil
}

// isInverse reports whether one field goes with the other.
func isInverse(index *uproar.Index, name, of string) bool {
	return slices.ContainsFunc(index.Fields(), func(f uproar.Field) bool { return f.Name == of && f.Inverse == name })
}
