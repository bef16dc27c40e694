// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// replica is a database, as its store tells it what other copies do.
type replica struct{ *DB }

var _ store.Watcher = replica{}

// watch has the store tell what other copies do, if it is one of several.
func (db *DB) watch() error {
	r, ok := db.store.(store.Replica)
	if !ok {
		return nil
	}
	if epoch, leads := r.Watch(replica{db}); leads == db.following.Load() || epoch != db.epoch.Load() {
		return fmt.Errorf("uproar: the role of the store has changed while it was opened: %w", store.ErrUnavailable)
	}
	return nil
}

// readCatalog reads the catalog, and finds out whether another copy of the store leads. A copy that
// follows may be empty yet.
func (db *DB) readCatalog() (err error) {
	r, copied := db.store.(store.Replica)
	if !copied && !db.opts.ReadOnly {
		if err := schema.CheckNoCopy(db.store); err != nil {
			return err
		}
	}
	if copied {
		if db.opts.NoSync || db.opts.SyncEvery > 0 { // what is acknowledged must be there after a takeover
			return invalid("options: got NoSync or SyncEvery for a store of several copies, want neither")
		}
		epoch, leads := r.Leads()
		db.following.Store(!leads)
		db.epoch.Store(epoch)
		if db.catalogSum, err = schema.Sum(db.store); err != nil {
			return err
		}
		if db.catalogSum == 0 && db.following.Load() {
			db.catalog = schema.Empty()
			return nil
		}
	}
	db.catalog, err = schema.Read(db.store, db.ReadOnly())
	return err
}

// Keeps implements store.Watcher.
func (r replica) Keeps(key []byte) bool { return format.DefersDeletions(key) }

// Applied implements store.Watcher: what another copy has written becomes visible.
func (r replica) Applied(kept [][]byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return store.ErrClosed
	}
	if err := r.followCatalog(); err != nil {
		return err
	}
	deleted := make(map[uint32][][]byte)
	for _, key := range kept {
		index, _ := format.IndexOfKey(key)
		deleted[index] = append(deleted[index], key)
	}
	for name, ix := range r.opened {
		id := r.catalog.Entry(name).ID
		if err := ix.lists.Refresh(deleted[id]); err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
		delete(deleted, id)
	}
	for _, keys := range deleted { // of indexes that nobody sees
		if err := posting.RemoveKeys(r.store, keys); err != nil {
			return err
		}
	}
	return nil
}

// Lead implements store.Watcher: the database takes writes.
func (r replica) Lead(epoch uint64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return store.ErrClosed
	}
	r.epoch.Store(epoch)
	if _, err := schema.Read(r.store, false); err != nil { // which makes a database of an empty store
		return err
	}
	if err := r.followCatalog(); err != nil {
		return err
	}
	for name, ix := range r.opened {
		if err := ix.lists.Lead(epoch); err != nil {
			return fmt.Errorf("index %q: %w", name, err)
		}
	}
	r.following.Store(false)
	return r.finishDropping(context.Background())
}

// Follow implements store.Watcher: the database takes no writes any more.
func (r replica) Follow() error {
	r.following.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	var err error
	for _, ix := range r.opened {
		err = errors.Join(err, ix.lists.Follow())
	}
	r.catalogSum = 0 // a change of the catalog may have failed
	return err
}

// followCatalog opens, changes and closes indexes as the catalog in the store has them now. The
// caller holds db.mu.
func (db *DB) followCatalog() error {
	sum, err := schema.Sum(db.store)
	if err != nil || sum == db.catalogSum {
		return err
	}
	next, err := schema.Read(db.store, true)
	if err != nil {
		return err
	}
	next.DropLoading() // nobody sees those
	opened := make(map[string]*Index, len(next.Indexes))
	for i := range next.Indexes {
		entry := &next.Indexes[i]
		ix := db.opened[entry.Name]
		if old := db.catalog.Entry(entry.Name); ix != nil && old.ID == entry.ID {
			err = ix.followFields(old, entry)
		} else {
			ix, err = db.openIndex(entry)
		}
		if err != nil {
			return err
		}
		opened[entry.Name] = ix
	}
	before := maps.Clone(db.opened)
	db.catalog, db.catalogSum, db.opened = next, sum, opened
	db.publish()
	for name, ix := range before {
		if opened[name] != ix {
			err = errors.Join(err, ix.lists.Close())
		}
	}
	return err
}

// followFields declares and drops fields of an index as its entry in the catalog has them now.
func (ix *Index) followFields(old, entry *schema.Index) error {
	added, dropped := old.Difference(entry)
	kept, err := schema.PostingFields(added)
	if err != nil {
		return err
	}
	if err := ix.lists.AddFields(kept...); err != nil {
		return err
	}
	if len(added)+len(dropped) > 0 {
		ix.schema.Store(schema.New(entry.Fields)) // no new snapshot may know a field whose pages go
	}
	return ix.lists.DropFields(dropped...)
}
