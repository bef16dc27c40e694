// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"slices"

	"github.com/uproar-db/uproar"
)

// Needs reports whether the graph cannot do without a field of an index.
func Needs(index *uproar.Index, field string) bool {
	return index.Name() == IndexName && slices.ContainsFunc(fieldsFor(index, nil), func(f uproar.Field) bool {
		return f.Name == field || f.Inverse == field
	})
}

// Notes reports whether a field of an index has what the graph notes about edges, for itself alone.
func Notes(index *uproar.Index, field string) bool {
	return (field == RepeatedField || field == RepeatedByField) && Needs(index, field)
}
