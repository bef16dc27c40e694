// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// Needs reports whether likes cannot do without a field of an index.
func Needs(index *uproar.Index, field string) bool {
	return index.Name() == graph.IndexName && Kept(index) && slices.ContainsFunc(fields, func(f uproar.Field) bool {
		return f.Name == field || f.Inverse == field
	})
}
