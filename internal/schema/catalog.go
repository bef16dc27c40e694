// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

// The database's own entries in the store (docs/format/keys.md).
var (
	headerKey  = []byte{0x00}
	catalogKey = []byte{0x01}
	copyKey    = []byte{0x06} // far from the catalog, behind all pages
)

const (
	magicDatabase = 0xB9
	headerVersion = 1
	catalogTag    = 2
)

// CatalogVersion is the version of catalogs that this program writes and reads.
const CatalogVersion = 1

// Errors of opening.
var (
	// ErrNotDatabase is returned for a store that holds something else.
	ErrNotDatabase = errors.New("uproar: not a database of Uproar")

	// ErrRestoring is returned for a store into which a database was not restored to the end.
	ErrRestoring = errors.New("uproar: the database was not restored to the end")
)

// Catalog says which indexes there are, and which fields they have. It is stored as JSON
// (docs/format/keys.md). Not for concurrent use.
type Catalog struct {
	Version int     `json:"version"`
	Indexes []Index `json:"indexes"`

	Aliases  map[string]string `json:"aliases,omitempty"`  // name of the index that each stands for
	LastID   uint32            `json:"lastId,omitempty"`   // the greatest ID of an index that was dropped
	Last     uint64            `json:"last,omitempty"`     // the greatest number of a commit of such an index
	Dropping []uint32          `json:"dropping,omitempty"` // may have left entries in the store
}

// Index is what the catalog has of an index.
type Index struct {
	ID         uint32        `json:"id"`
	Name       string        `json:"name"`
	Secret     string        `json:"secret"` // 32 hex digits
	ShardWidth uint64        `json:"shardWidth"`
	Fields     []StoredField `json:"fields"`
	Note       []byte        `json:"note,omitempty"`    // base64
	Loading    bool          `json:"loading,omitempty"` // nobody sees it before its first load ends
	Above      uint64        `json:"above,omitempty"`   // its first commit has the next number
}

// StoredField is what the catalog has of a field. A relation has two of them.
type StoredField struct {
	ID      uint32 `json:"id"`
	Name    string `json:"name"`
	Type    Type   `json:"type"`
	Inverse uint32 `json:"inverse,omitempty"`
	Derived bool   `json:"derived,omitempty"`
	Format  Format `json:"format,omitempty"`
	Scale   int    `json:"scale,omitempty"`
	Column  Column `json:"column,omitempty"`
	Dropped bool   `json:"dropped,omitempty"` // its name is free, its number is not
}

// Read checks the header and reads the catalog. An empty store becomes a database, unless it
// is only to be read.
//
// Errors: ErrNotDatabase, ErrRestoring, model.ErrCorrupt, model.ErrVersion, or the store's.
func Read(s store.Store, readOnly bool) (*Catalog, error) {
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
	c, err := ReadCatalog(s)
	if errors.Is(err, store.ErrNotFound) {
		err = fmt.Errorf("%w: catalog: got a header without it, want both", model.ErrCorrupt)
	}
	return c, err
}

// CheckNoCopy returns store.ErrCopy for a store that is a copy of a log. Errors: the store's.
func CheckNoCopy(s store.Store) error {
	err := s.Get([]byte(store.PositionKey), func([]byte) error { return store.ErrCopy })
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// ReadCatalog reads the catalog without a look at the header: for who salvages a damaged database.
// Errors: store.ErrNotFound, and those of Read.
func ReadCatalog(s store.Store) (*Catalog, error) { return readCatalog(s, catalogKey) }

// ReadCopy is ReadCatalog of the copy, which a database has once this version has changed the
// catalog.
func ReadCopy(s store.Store) (*Catalog, error) { return readCatalog(s, copyKey) }

func readCatalog(s store.Store, key []byte) (c *Catalog, err error) {
	err = s.Get(key, func(value []byte) error {
		c, err = parseCatalog(key, value)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// CatalogKey returns the key under which a store has its catalog.
func CatalogKey() []byte { return bytes.Clone(catalogKey) }

// ParseCatalog returns the catalog of an entry under CatalogKey. Errors: those of Read.
func ParseCatalog(value []byte) (*Catalog, error) { return parseCatalog(catalogKey, value) }

func parseCatalog(key, value []byte) (*Catalog, error) {
	body, err := unseal("catalog", key, catalogTag, value)
	if err != nil {
		return nil, err
	}
	c := new(Catalog)
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("%w: catalog: %w", model.ErrCorrupt, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%w: catalog: got more than one JSON object", model.ErrCorrupt)
	}
	if c.Version != CatalogVersion {
		return nil, fmt.Errorf("%w: catalog: got %d, want %d", model.ErrVersion, c.Version, CatalogVersion)
	}
	return c, c.Check()
}

func newCatalog(s store.Store, readOnly bool) (*Catalog, error) {
	switch from, err := ReadOrigin(s); {
	case err != nil:
		return nil, err
	case from.State == Restoring:
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
	c := Empty()
	return c, c.Write(s)
}

// Empty returns the catalog of a database without indexes.
func Empty() *Catalog { return &Catalog{Version: CatalogVersion} }

// Sum returns the checksum of the stored catalog: another one after each change of it. It is 0
// without a catalog. Errors: model.ErrCorrupt, or the store's.
func Sum(s store.Store) (sum uint32, err error) {
	err = s.Get(catalogKey, func(value []byte) error {
		if len(value) < seal.HeaderLen {
			return fmt.Errorf("%w: catalog: got %d bytes, want at least %d", model.ErrCorrupt, len(value),
				seal.HeaderLen)
		}
		sum, _ = seal.Check(catalogKey, value)
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	return sum, err
}

// Difference returns the fields that a later entry of the same index has and this one has not, and
// the numbers of those that were dropped since.
func (x *Index) Difference(later *Index) (added []StoredField, dropped []uint32) {
	known := make(map[uint32]bool, len(x.Fields)) // whether it was dropped
	for _, f := range x.Fields {
		known[f.ID] = f.Dropped
	}
	for _, f := range later.Fields {
		gone, ok := known[f.ID]
		if !ok {
			added = append(added, f)
		}
		if f.Dropped && !gone {
			dropped = append(dropped, f.ID)
		}
	}
	return added, dropped
}

// Verify reads the header, the catalog and its copy. Errors: those of Read.
func Verify(s store.Store) error {
	_, err := Read(s, true)
	if _, damaged := ReadCopy(s); damaged != nil && !errors.Is(damaged, store.ErrNotFound) {
		err = errors.Join(err, fmt.Errorf("the copy of the catalog: %w", damaged))
	}
	return err
}

// HasHeader reports whether a store holds a database. Errors: the store's.
func HasHeader(s store.Store) (bool, error) {
	err := s.Get(headerKey, func([]byte) error { return nil })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Write stores header and catalog, synced. Errors: see Failed.
func (c *Catalog) Write(s store.Store) error {
	var b store.Batch
	if err := c.put(&b); err != nil {
		return err
	}
	return Failed(s.Apply(&b, true))
}

// Failed returns an error of a store that writes. One that does not say that nothing has changed is
// model.ErrFailed as well.
func Failed(err error) error {
	for _, known := range [...]error{nil, store.ErrFull, store.ErrReadOnly, store.ErrClosed, store.ErrTooLarge} {
		if errors.Is(err, known) {
			return err // nothing has changed
		}
	}
	return fmt.Errorf("%w: %w", model.ErrFailed, err)
}

// put adds header and catalog to a batch.
func (c *Catalog) put(b *store.Batch) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	b.Put(headerKey, sealed(headerKey, headerVersion, nil))
	b.Put(catalogKey, sealed(catalogKey, catalogTag, body))
	b.Put(copyKey, sealed(copyKey, catalogTag, body))
	return nil
}
