// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/schema"
)

// CreateIndex makes a new index with its fields, durably. Errors: ErrIndexExists, ErrInvalid,
// ErrReadOnly, ErrClosed, ctx's, or the store's.
func (db *DB) CreateIndex(ctx context.Context, name string, fields ...Field) (*Index, error) {
	return db.createIndex(ctx, schema.Index{Name: name}, fields)
}

// createIndex makes a new index of an entry without ID, secret and fields.
func (db *DB) createIndex(ctx context.Context, entry schema.Index, fields []Field) (*Index, error) {
	name := entry.Name
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, ErrClosed
	}
	if db.opts.ReadOnly {
		return nil, fmt.Errorf("uproar: new index %q: %w", name, ErrReadOnly)
	}
	if _, err := db.Index(name); err == nil {
		return nil, fmt.Errorf("%w: %q", ErrIndexExists, name)
	}
	if db.catalog.Entry(name) != nil {
		return nil, fmt.Errorf("%w: index %q is new, and not loaded to the end", ErrLoading, name)
	}
	if err := schema.CheckName("index", name); err != nil {
		return nil, err
	}
	if err := schema.CheckNote(entry.Note); err != nil {
		return nil, err
	}
	secret := format.NewSecret()
	entry.ID, entry.Secret = db.catalog.NextID(), hex.EncodeToString(secret[:])
	var err error
	if entry.Fields, err = schema.Declare(nil, declared(fields)); err != nil {
		return nil, err
	}
	next := db.catalog.Clone()
	next.Indexes = append(next.Indexes, entry)
	// The catalog is written last: an index that could not be opened must not be in it.
	ix, err := db.openIndex(&entry)
	if err != nil {
		return nil, err
	}
	if err := next.Write(db.store); err != nil {
		return nil, errors.Join(err, ix.lists.Close())
	}
	db.catalog = next
	db.opened[name] = ix
	db.publish()
	return ix, nil
}
