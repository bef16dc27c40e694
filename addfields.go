// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// AddFields adds fields to an index, durably, and returns it. Fields that it has already, of the same type and inverse, stay as they are; when it has all of them
// nothing is done. Otherwise the index is opened anew: those who got it before find it closed, and get it again by [DB.Index]. Add fields before it is used.
//
// Errors: ErrUnknownIndex, ErrInvalid (a field that is there with another type), ErrReadOnly, ErrClosed, ctx's, or the store's.
func (db *DB) AddFields(ctx context.Context, name string, fields ...Field) (*Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, ErrClosed
	}
	ix, err := db.Index(name)
	if err != nil {
		return nil, err
	}
	missing, err := ix.lacks(fields)
	if err != nil || len(missing) == 0 {
		return ix, err
	}
	if db.opts.ReadOnly {
		return nil, fmt.Errorf("uproar: new fields of index %q: %w", name, ErrReadOnly)
	}
	next := &catalog{Version: catalogVersion, Indexes: slices.Clone(db.catalog.Indexes)}
	at := slices.IndexFunc(next.Indexes, func(c catalogIndex) bool { return c.Name == name })
	before := next.Indexes[at]
	entry := before
	if entry.Fields, err = moreFields(before.Fields, missing); err != nil {
		return nil, err
	}
	if err := ix.lists.Close(); err != nil {
		return nil, err
	}
	next.Indexes[at] = entry
	ix, err = db.openIndex(&entry)
	if err == nil {
		if err = next.write(db.store); err != nil {
			err = errors.Join(err, ix.lists.Close())
		}
	}
	if err != nil { // the index stays as it was
		next = db.catalog
		var again error
		if ix, again = db.openIndex(&before); again != nil {
			return nil, errors.Join(err, again)
		}
	}
	db.catalog = next
	indexes := maps.Clone(*db.indexes.Load())
	indexes[name] = ix
	db.indexes.Store(&indexes)
	return ix, err
}

// lacks returns the fields that the index has not.
func (ix *Index) lacks(fields []Field) (missing []Field, err error) {
	for _, f := range fields {
		have, ok := ix.byName[f.Name]
		switch {
		case !ok:
			missing = append(missing, f)
		case have.Field != f:
			return nil, invalid("field %q of index %q: got type %q with inverse %q, want %q with %q, as it is", f.Name, ix.name, f.Type, f.Inverse, have.Type, have.Inverse)
		}
	}
	return missing, nil
}

// moreFields returns the fields of a catalog with new ones, numbered after them.
func moreFields(have []catalogField, fields []Field) ([]catalogField, error) {
	added, err := catalogFields(fields)
	if err != nil {
		return nil, err
	}
	last := uint32(0)
	names := map[string]bool{}
	for _, f := range have {
		last, names[f.Name] = max(last, f.ID), true
	}
	for i := range added {
		if names[added[i].Name] {
			return nil, invalid("field %q: got one of that name, want another", added[i].Name)
		}
		added[i].ID += last
		if added[i].Inverse != 0 {
			added[i].Inverse += last
		}
	}
	return append(slices.Clone(have), added...), nil
}
