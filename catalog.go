// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// The database's own entries in the store (docs/format/keys.md).
var (
	headerKey  = []byte{0x00}
	catalogKey = []byte{0x01}
)

const (
	magicDatabase  = 0xB9
	headerVersion  = 1
	catalogTag     = 2
	catalogVersion = 1
)

// catalog says which indexes there are, and which fields they have.
type catalog struct {
	Version int            `json:"version"`
	Indexes []catalogIndex `json:"indexes"`

	Aliases  map[string]string `json:"aliases,omitempty"`  // name of the index that each stands for
	LastID   uint32            `json:"lastId,omitempty"`   // the greatest ID of an index that was dropped
	Dropping []uint32          `json:"dropping,omitempty"` // indexes of which something may be left in the store
}

type catalogIndex struct {
	ID         uint32         `json:"id"`
	Name       string         `json:"name"`
	Secret     string         `json:"secret"` // 32 hex digits
	ShardWidth uint64         `json:"shardWidth"`
	Fields     []catalogField `json:"fields"`
	Note       []byte         `json:"note,omitempty"`    // base64
	Loading    bool           `json:"loading,omitempty"` // nobody sees it before its first load ends
}

type catalogField struct {
	ID      uint32    `json:"id"`
	Name    string    `json:"name"`
	Type    FieldType `json:"type"`
	Inverse uint32    `json:"inverse,omitempty"`
	Derived bool      `json:"derived,omitempty"`
	Format  Format    `json:"format,omitempty"`
	Scale   int       `json:"scale,omitempty"`
	Column  Column    `json:"column,omitempty"`
	Dropped bool      `json:"dropped,omitempty"` // its name is free, its number is not
}

// readCatalog checks the header and reads the catalog. An empty store becomes a database, unless it
// is only to be read.
func readCatalog(s store.Store, readOnly bool) (*catalog, error) {
	err := s.Get(headerKey, func(value []byte) error {
		_, err := unseal("header", headerKey, headerVersion, value)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return newCatalog(s, readOnly)
	}
	if err != nil {
		return nil, err
	}
	c := new(catalog)
	err = s.Get(catalogKey, func(value []byte) error {
		body, err := unseal("catalog", catalogKey, catalogTag, value)
		if err != nil {
			return err
		}
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		if err := d.Decode(c); err != nil {
			return fmt.Errorf("%w: catalog: %w", ErrCorrupt, err)
		}
		if d.More() {
			return fmt.Errorf("%w: catalog: got more than one JSON object", ErrCorrupt)
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("%w: catalog: got a header without it, want both", ErrCorrupt)
	}
	if err != nil {
		return nil, err
	}
	if c.Version != catalogVersion {
		return nil, fmt.Errorf("%w: catalog: got %d, want %d", ErrVersion, c.Version, catalogVersion)
	}
	return c, c.check()
}

// check fails for a catalog that no version of this program can have written: names or IDs that
// occur twice, inverses that do not agree.
func (c *catalog) check() error {
	names, ids := map[string]bool{}, map[uint32]bool{}
	for _, id := range c.Dropping {
		if ids[id] = true; id > c.LastID {
			return fmt.Errorf("%w: catalog: got index %d being dropped, want at most %d", ErrCorrupt, id, c.LastID)
		}
	}
	for alias, name := range c.Aliases {
		if c.index(name) == nil || c.index(alias) != nil {
			return fmt.Errorf("%w: catalog: got alias %q of index %q, want a name of its own for one that there is",
				ErrCorrupt, alias, name)
		}
	}
	for _, x := range c.Indexes {
		if names[x.Name] || ids[x.ID] {
			return fmt.Errorf("%w: catalog: got two indexes of name %q or ID %d", ErrCorrupt, x.Name, x.ID)
		}
		names[x.Name], ids[x.ID] = true, true
		fields, byID := map[string]bool{}, map[uint32]catalogField{}
		for _, f := range x.Fields {
			if _, twice := byID[f.ID]; twice || fields[f.Name] && !f.Dropped {
				return fmt.Errorf("%w: catalog: index %q: got two fields of name %q or ID %d", ErrCorrupt, x.Name,
					f.Name, f.ID)
			}
			if f.ID < fieldStep || f.ID%fieldStep != 0 || f.ID >= savedField {
				return fmt.Errorf("%w: catalog: index %q: got field %q of number %d, want a multiple of %d above 0",
					ErrCorrupt, x.Name, f.Name, f.ID, fieldStep)
			}
			if f.Column != NoColumn && f.Type != Set && (f.Type != Single || f.Column != FastColumn) {
				return fmt.Errorf("%w: catalog: index %q: got field %q of type %q with a column, want none", ErrCorrupt,
					x.Name, f.Name, f.Type)
			}
			byID[f.ID] = f
			fields[f.Name] = fields[f.Name] || !f.Dropped
		}
		for _, f := range x.Fields {
			other, ok := byID[f.Inverse]
			if (f.Type == Relation) != (f.Inverse != 0) || f.Inverse != 0 &&
				(!ok || other.Inverse != f.ID || other.Derived == f.Derived) {
				return fmt.Errorf(
					"%w: catalog: index %q: got field %q of type %q with inverse %d, which does not agree", ErrCorrupt,
					x.Name, f.Name, f.Type, f.Inverse)
			}
		}
	}
	return nil
}

func newCatalog(s store.Store, readOnly bool) (*catalog, error) {
	switch from, err := readRestoreState(s); {
	case err != nil:
		return nil, err
	case from.State == restoring:
		return nil, ErrRestoring
	}
	err := s.Keys(nil, nil, func(key []byte) error {
		return fmt.Errorf("%w: got a store that begins with key %x, want an empty one or one with a header",
			ErrNotDatabase, key)
	})
	if err != nil {
		return nil, err
	}
	if readOnly {
		return nil, fmt.Errorf("%w: got an empty store, which is only to be read", ErrNotDatabase)
	}
	c := &catalog{Version: catalogVersion}
	return c, c.write(s)
}

// write stores header and catalog, synced.
func (c *catalog) write(s store.Store) error {
	var b store.Batch
	if err := c.put(&b); err != nil {
		return err
	}
	err := s.Apply(&b, true)
	for _, known := range [...]error{nil, store.ErrFull, store.ErrReadOnly, store.ErrClosed, store.ErrTooLarge} {
		if errors.Is(err, known) {
			return err // nothing has changed
		}
	}
	return fmt.Errorf("%w: %w", ErrFailed, err)
}

// put adds header and catalog to a batch.
func (c *catalog) put(b *store.Batch) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	b.Put(headerKey, sealed(headerKey, headerVersion, nil))
	b.Put(catalogKey, sealed(catalogKey, catalogTag, body))
	return nil
}

// config returns what package posting must know of an index.
func (c *catalogIndex) config(opts *Options, memory *memory.Bound) (posting.Config, error) {
	config := posting.Config{ID: c.ID, Memory: memory, DeltaBytes: opts.DeltaBytes, NoSync: opts.NoSync,
		SyncEvery: opts.SyncEvery, CommitDelay: opts.CommitDelay, CommitSiblings: opts.CommitSiblings,
		ReadOnly: opts.ReadOnly, Logger: opts.Logger,
		Retention: posting.Retention{Entries: opts.LogEntries, Bytes: opts.LogBytes, Age: opts.LogAge}}
	secret, err := hex.DecodeString(c.Secret)
	if err != nil || len(secret) != len(config.Secret) {
		return config, fmt.Errorf("%w: catalog: got secret of index %q of %d digits, want 32 hex digits", ErrCorrupt,
			c.Name, len(c.Secret))
	}
	if c.ShardWidth != 0 {
		return config, fmt.Errorf("%w: catalog: got index %q in shards of %d, want one shard", ErrVersion, c.Name,
			c.ShardWidth)
	}
	copy(config.Secret[:], secret)
	if config.Fields, err = postingFields(c.Fields); err != nil {
		return config, err
	}
	config.Fields = append(config.Fields, model.Field{ID: savedField})
	return config, nil
}

// postingFields returns what package posting must know of fields.
func postingFields(fields []catalogField) (out []model.Field, err error) {
	for _, f := range fields {
		kind := f.Type.kind()
		if kind < 0 {
			return nil, fmt.Errorf("%w: catalog: got field %q of type %q, want %q, %q, %q or %q", ErrVersion, f.Name,
				f.Type, Set, Relation, Single, Integer)
		}
		if err := (Field{Name: f.Name, Type: f.Type, Format: f.Format, Scale: f.Scale}).checkFormat(); err != nil {
			return nil, fmt.Errorf("%w: catalog: %w", ErrVersion, err)
		}
		column := f.Column.layout()
		if column < 0 {
			return nil, fmt.Errorf("%w: catalog: got field %q with column %q, want %q or %q", ErrVersion, f.Name,
				f.Column, FastColumn, SmallColumn)
		}
		field := model.Field{ID: f.ID, Inverse: f.Inverse, Derived: f.Derived, Kind: model.Kind(kind),
			Dropped: f.Dropped}
		if f.Type == Single {
			field.Fast = f.Column == FastColumn
		} else {
			field.Column = model.Column(column)
		}
		out = append(out, field)
	}
	return out, nil
}
