// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Check fails for a catalog that no version of this program can have written: names or IDs that
// occur twice, inverses that do not agree. Errors: model.ErrCorrupt.
func (c *Catalog) Check() error {
	names, ids := map[string]bool{}, map[uint32]bool{}
	for _, id := range c.Dropping {
		if ids[id] = true; id > c.LastID {
			return fmt.Errorf("%w: catalog: got index %d being dropped, want at most %d", model.ErrCorrupt, id, c.LastID)
		}
	}
	for alias, name := range c.Aliases {
		if c.Index(name) == nil || c.Index(alias) != nil {
			return fmt.Errorf("%w: catalog: got alias %q of index %q, want a name of its own for one that there is",
				model.ErrCorrupt, alias, name)
		}
	}
	for i := range c.Indexes {
		x := &c.Indexes[i]
		if names[x.Name] || ids[x.ID] {
			return fmt.Errorf("%w: catalog: got two indexes of name %q or ID %d", model.ErrCorrupt, x.Name, x.ID)
		}
		names[x.Name], ids[x.ID] = true, true
		if err := x.check(); err != nil {
			return err
		}
	}
	return nil
}

// check fails for fields that cannot be together in an index.
func (x *Index) check() error {
	fields, byID := map[string]bool{}, map[uint32]StoredField{}
	for _, f := range x.Fields {
		if _, twice := byID[f.ID]; twice || fields[f.Name] && !f.Dropped {
			return fmt.Errorf("%w: catalog: index %q: got two fields of name %q or ID %d", model.ErrCorrupt, x.Name,
				f.Name, f.ID)
		}
		if f.ID < fieldStep || f.ID%fieldStep != 0 || f.ID >= SavedID {
			return fmt.Errorf("%w: catalog: index %q: got field %q of number %d, want a multiple of %d above 0",
				model.ErrCorrupt, x.Name, f.Name, f.ID, fieldStep)
		}
		if !f.Column.suits(f.Type) || f.Derived && f.Column != NoColumn {
			return fmt.Errorf("%w: catalog: index %q: got field %q of type %q with column %q, want none", model.ErrCorrupt,
				x.Name, f.Name, f.Type, f.Column)
		}
		byID[f.ID] = f
		fields[f.Name] = fields[f.Name] || !f.Dropped
	}
	for _, f := range x.Fields {
		other, ok := byID[f.Inverse]
		if (f.Type == Relation) != (f.Inverse != 0) || f.Inverse != 0 &&
			(!ok || other.Inverse != f.ID || other.Derived == f.Derived) {
			return fmt.Errorf(
				"%w: catalog: index %q: got field %q of type %q with inverse %d, which does not agree", model.ErrCorrupt,
				x.Name, f.Name, f.Type, f.Inverse)
		}
	}
	return nil
}
