// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"slices"

	"github.com/uproar-db/uproar"
)

// Needs returns the name of a catalog that cannot be searched without a field of an index. It
// returns "" if there is none.
func Needs(db *uproar.DB, index *uproar.Index, field string) string {
	for name := range db.Aliases() {
		c, err := Open(db, name)
		if err != nil {
			continue // an alias of something else
		}
		of, err := c.Index()
		if err != nil || of != index {
			continue
		}
		schema, err := schemaOf(index, name)
		if err == nil && slices.ContainsFunc(schema.fields(), func(f uproar.Field) bool { return f.Name == field }) {
			return name
		}
	}
	return ""
}

// Has reports whether an index has, or had, the records of a catalog.
func Has(index *uproar.Index) bool {
	_, err := schemaOf(index, index.Name())
	return err == nil
}
