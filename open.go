// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// Open opens the database in a store, or makes one in an empty store. The store belongs to the
// database from now on, and Close closes it; when Open fails, it stays the caller's. nil options
// mean the defaults. Cost: the manifest and the log since the last flush of each index.
//
// Errors: ErrInvalid, ErrNotDatabase, ErrRestoring, ErrCorrupt, ErrVersion, ctx's, or the store's.
func Open(ctx context.Context, s store.Store, opts *Options) (*DB, error) {
	err := opts.check()
	if err != nil {
		return nil, err
	}
	db := &DB{store: s, opts: opts.withDefaults()}
	if db.memory, err = memory.New(db.opts.MemoryBytes); err != nil {
		return nil, err
	}
	if db.catalog, err = schema.Read(s, db.opts.ReadOnly); err != nil {
		return nil, err
	}
	from, err := schema.ReadOrigin(s)
	if err != nil {
		return nil, err
	}
	db.origin = from.ID
	db.opened = make(map[string]*Index)
	db.catalog.DropLoading()
	for i := range db.catalog.Indexes {
		if err = ctx.Err(); err == nil {
			db.opened[db.catalog.Indexes[i].Name], err = db.openIndex(&db.catalog.Indexes[i])
		}
		if err != nil {
			return nil, errors.Join(err, db.closeIndexes())
		}
	}
	if err := db.finishDropping(ctx); err != nil {
		return nil, errors.Join(err, db.closeIndexes())
	}
	db.publish()
	return db, nil
}

func (db *DB) openIndex(c *schema.Index) (*Index, error) {
	config := posting.Config{ID: c.ID, Memory: db.memory, DeltaBytes: db.opts.DeltaBytes, NoSync: db.opts.NoSync,
		SyncEvery: db.opts.SyncEvery, CommitDelay: db.opts.CommitDelay, CommitSiblings: db.opts.CommitSiblings,
		ReadOnly: db.opts.ReadOnly, Logger: db.opts.Logger, Retention: posting.Retention{
			Entries: db.opts.LogEntries, Bytes: db.opts.LogBytes, Age: db.opts.LogAge}}
	var err error
	if config.Secret, config.Fields, err = c.Posting(); err != nil {
		return nil, err
	}
	lists, err := posting.Open(db.store, config)
	if err != nil {
		return nil, fmt.Errorf("index %q: %w", c.Name, err)
	}
	return newIndex(c, lists, db.opts.MemoryBytes), nil
}
