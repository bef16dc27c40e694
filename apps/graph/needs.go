// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"slices"

	"github.com/uproar-db/uproar"
)

// Needs reports whether the graph cannot do without a field of an index.
func Needs(index *uproar.Index, field string) bool {
	return index.Name() == IndexName && slices.ContainsFunc(fields, func(f uproar.Field) bool {
		return f.Name == field || f.Inverse == field
	})
}
