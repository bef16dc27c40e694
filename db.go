// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/internal/posting"
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

	mu         sync.Mutex // held while the catalog changes
	catalog    *schema.Catalog
	catalogSum uint32        // of the catalog in the store, on a database that follows; 0: unknown
	following  atomic.Bool   // another copy of the store leads
	epoch      atomic.Uint64 // of this copy, once it leads
	closed     bool
	opened     map[string]*Index                 // including indexes that are still loading
	indexes    atomic.Pointer[map[string]*Index] // never changed, only replaced
	aliases    atomic.Pointer[map[string]*Index] // likewise
}

// closePatience is how long Close has a copy wait for storage that others share.
const closePatience = 3 * time.Second

// Close waits for writes under way, makes everything durable and closes the store. For a second it
// merges what was written into pages: what is left then, the next Open replays. Every later call
// fails with ErrClosed or the store's error.
//
// While storage that copies share does not answer, Close gives writes under way up after three
// seconds: they were not acknowledged, and may or may not be there.
func (db *DB) Close() error {
	if r, ok := db.store.(store.Replica); ok {
		r.Stop(closePatience) // who holds the lock may wait for it
	}
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return ErrClosed
	}
	db.closed = true
	end := db.closeIndexes()
	db.mu.Unlock() // for what the store still tells the database
	err := db.store.Close()
	return errors.Join(end(), err)
}

// indexPatience is how long indexes may take to close before the store is closed.
const indexPatience = 2 * time.Second

func (db *DB) closeIndexes() (end func() error) {
	var open []*posting.Index
	for _, ix := range db.opened {
		if ix != nil {
			open = append(open, ix.lists)
		}
	}
	patience := indexPatience
	if _, ok := db.store.(store.Replica); ok {
		patience += closePatience // which ends what waits for storage
	}
	return posting.CloseAll(open, patience)
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

// ReadOnly reports whether the database takes no writes: it was opened for reading only, or another
// copy of its store leads (package store/ship).
func (db *DB) ReadOnly() bool { return db.opts.ReadOnly || db.following.Load() }

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
	if err := db.readCatalog(); err != nil {
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
			return nil, errors.Join(err, db.closeIndexes()())
		}
	}
	if err := db.finishDropping(ctx); err != nil {
		return nil, errors.Join(err, db.closeIndexes()())
	}
	db.publish()
	if err := db.watch(); err != nil {
		return nil, errors.Join(err, db.closeIndexes()())
	}
	return db, nil
}

func (db *DB) openIndex(c *schema.Index) (*Index, error) {
	config := posting.Config{ID: c.ID, Memory: db.memory, DeltaBytes: db.opts.DeltaBytes, NoSync: db.opts.NoSync,
		SyncEvery: db.opts.SyncEvery, CommitDelay: db.opts.CommitDelay, CommitSiblings: db.opts.CommitSiblings,
		ReadOnly: db.opts.ReadOnly, Follow: db.following.Load(), Epoch: db.epoch.Load(), Logger: db.opts.Logger,
		Retention: posting.Retention{Entries: db.opts.LogEntries, Bytes: db.opts.LogBytes, Age: db.opts.LogAge}}
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

// Index is one universe of records with its fields. Safe for concurrent use.
type Index struct {
	name   string
	lists  *posting.Index
	memory int64  // Options.MemoryBytes
	above  uint64 // its first commit has the next number
	schema atomic.Pointer[schema.Schema]
	note   atomic.Pointer[[]byte]
}

func newIndex(c *schema.Index, lists *posting.Index, memory int64) *Index {
	ix := &Index{name: c.Name, lists: lists, memory: memory, above: c.Above}
	ix.note.Store(&c.Note)
	ix.schema.Store(schema.New(c.Fields))
	return ix
}

// Name returns the name of the index.
func (ix *Index) Name() string { return ix.name }

// Fields returns the fields in the order of their declaration, each relation followed by its
// inverse.
func (ix *Index) Fields() []Field {
	kept := ix.schema.Load().Fields()
	fields := make([]Field, len(kept))
	for i, f := range kept {
		fields[i] = fieldOf(f.Field)
	}
	return fields
}

// field finds a field by name.
func (ix *Index) field(name string) (*schema.Bound, error) {
	s := ix.schema.Load()
	if f := s.Named(name); f != nil {
		return f, nil
	}
	return nil, unknownField(s, name)
}

// unknownField returns the error of a field that there is not.
func unknownField(s *schema.Schema, name string) error {
	return &UnknownError{What: "field", Name: name, Suggestion: s.Suggest(name)}
}
