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

// Alone reports whether the values of a field of an index change by Graph.Write alone, which
// changes others with them: edges with keys and what is noted of them, who is hidden, and positions
// of streams.
func Alone(index *uproar.Index, field string) bool {
	return index.Name() == IndexName && slices.ContainsFunc(fieldsFor(index, nil), func(f uproar.Field) bool {
		return (f.Name == field || f.Inverse == field) && (f.Column == uproar.KeyColumn || f.Name == PositionField ||
			f.Name == HiddenField || f.Name == RepeatedField)
	})
}
