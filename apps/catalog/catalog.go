// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/uproar-db/uproar"
)

// Catalog is the records of one schema, under a name. The name is an alias of the index that has
// them, so that all of them can be replaced at once (Replace). Safe for concurrent use.
type Catalog struct {
	db     *uproar.DB
	name   string
	layout atomic.Pointer[layout] // of the index that the name meant last
}

// note is what is kept with the index of a catalog.
type note struct {
	Catalog *Schema `json:"catalog"`
}

// Open returns the catalog of a name. Errors: ErrUnknownCatalog, and ErrSchema for an index that is
// no catalog.
func Open(db *uproar.DB, name string) (*Catalog, error) {
	c := &Catalog{db: db, name: name}
	_, err := c.current()
	return c, err
}

// List returns the names of the catalogs of a database, in no order.
func List(db *uproar.DB) (names []string) {
	for name := range db.Aliases() {
		if _, err := Open(db, name); err == nil {
			names = append(names, name)
		}
	}
	return names
}

// Name returns the name of the catalog.
func (c *Catalog) Name() string { return c.name }

// Schema returns the schema of the records, which must not be changed.
func (c *Catalog) Schema() (*Schema, error) {
	l, err := c.current()
	if err != nil {
		return nil, err
	}
	return l.schema, nil
}

// Index returns the index that has the records now.
func (c *Catalog) Index() (*uproar.Index, error) {
	l, err := c.current()
	if err != nil {
		return nil, err
	}
	return l.index, nil
}

// current returns the layout of the index that the name means.
func (c *Catalog) current() (*layout, error) {
	index, err := c.db.Index(c.name)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return nil, fmt.Errorf("%w %q", ErrUnknownCatalog, c.name)
	}
	if err != nil {
		return nil, err
	}
	if l := c.layout.Load(); l != nil && l.index == index {
		return l, nil
	}
	schema, err := schemaOf(index, c.name)
	if err != nil {
		return nil, err
	}
	if err := schema.Check(); err != nil {
		return nil, err
	}
	l := newLayout(schema, index)
	c.layout.Store(l)
	return l, nil
}

// schemaOf returns the schema that is noted with an index, which is known by a name. Errors:
// ErrSchema for an index that is no catalog.
func schemaOf(index *uproar.Index, name string) (*Schema, error) {
	var n note
	if err := json.Unmarshal(index.Note(), &n); err != nil || n.Catalog == nil {
		return nil, fmt.Errorf("%w: index %q is no catalog", ErrSchema, name)
	}
	return n.Catalog, nil
}

// Snapshot is one state of a catalog: every question to it sees the same records. It is a small
// value, safe for concurrent use, and is to be closed.
type Snapshot struct {
	layout *layout
	snap   uproar.Snapshot
}

// Snapshot returns the current state. It takes no lock. Errors: ErrUnknownCatalog, ErrSchema.
func (c *Catalog) Snapshot() (Snapshot, error) {
	l, err := c.current()
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{l, l.index.Snapshot()}, nil
}

// Close lets go of the snapshot.
func (s Snapshot) Close() { s.snap.Close() }

// Schema returns the schema of the records of the snapshot, which must not be changed.
func (s Snapshot) Schema() *Schema { return s.layout.schema }

// Sequence returns the number of the last write in the snapshot.
func (s Snapshot) Sequence() uint64 { return s.snap.Sequence() }

// Ask calls fn with a snapshot for questions that end with ctx (uproar.Snapshot.Under), which it
// closes. If all records are replaced meanwhile and those of the snapshot are gone, it is called
// again with the new ones. Errors: those of Snapshot, and fn's.
func (c *Catalog) Ask(ctx context.Context, fn func(Snapshot) error) error {
	for {
		s, err := c.Snapshot()
		if err != nil {
			return err
		}
		s.snap = s.snap.Under(ctx)
		err = fn(s)
		s.Close()
		if !errors.Is(err, uproar.ErrClosed) {
			return err
		}
		if l, gone := c.current(); gone != nil || l == s.layout {
			return err
		}
	}
}

// ID returns the ID of a record. Errors: ErrUnknownRecord, or those of reading.
func (s Snapshot) ID(key string) (uint64, error) { return s.snap.ID(key) }

// Key returns the key of a record. Errors: ErrUnknownRecord, or those of reading.
func (s Snapshot) Key(id uint64) (string, error) { return s.snap.Key(id) }

// AppendKey appends the key of a record that is known to exist. Errors: those of reading.
func (s Snapshot) AppendKey(dst []byte, id uint64) ([]byte, error) {
	return s.snap.AppendKey(dst, id)
}

// Keys returns the keys of records that are known to exist. Errors: those of reading.
func (s Snapshot) Keys(ids []uint64) ([]string, error) { return s.snap.KeysOf(ids) }
