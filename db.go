// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/spelling"
	"github.com/uproar-db/uproar/store"
)

// DB is a database: the indexes in one store. Safe for concurrent use.
type DB struct {
	store  store.Store
	opts   Options
	memory *memory.Bound

	origin string // an ID of the history that began when it was restored; empty: it never was

	mu      sync.Mutex // held while the catalog changes
	catalog *schema.Catalog
	closed  bool
	opened  map[string]*Index                 // including indexes that are still loading
	indexes atomic.Pointer[map[string]*Index] // never changed, only replaced
	aliases atomic.Pointer[map[string]*Index] // likewise
}

// Close waits for writes under way, makes everything durable and closes the store. It takes no time
// that grows with what was written. Every later call fails with ErrClosed or the store's error.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	db.closed = true
	return errors.Join(db.closeIndexes(), db.store.Close())
}

func (db *DB) closeIndexes() (err error) {
	for _, ix := range db.opened {
		if ix != nil {
			err = errors.Join(err, ix.lists.Close())
		}
	}
	return err
}

// Index returns an index, by its name or an alias. Errors: ErrUnknownIndex.
func (db *DB) Index(name string) (*Index, error) {
	if ix, ok := (*db.indexes.Load())[name]; ok {
		return ix, nil
	}
	if ix, ok := (*db.aliases.Load())[name]; ok {
		return ix, nil
	}
	return nil, &UnknownError{What: "index", Name: name, Suggestion: spelling.Suggest(name, db.Indexes())}
}

// Indexes returns the names of the indexes, sorted.
func (db *DB) Indexes() []string { return slices.Sorted(maps.Keys(*db.indexes.Load())) }

// ReadOnly reports whether the database was opened for reading only.
func (db *DB) ReadOnly() bool { return db.opts.ReadOnly }
