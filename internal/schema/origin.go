// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// originKey is the entry that says where a database comes from (docs/format/keys.md). One that was
// not restored has none.
var originKey = []byte{0x05}

const originTag = 3

// States of an origin.
const (
	Restoring = "restoring" // an entry without a header beside it: the restore has not come to its end
	Restored  = "restored"
)

// Origin says where a restored database comes from.
type Origin struct {
	State string `json:"state"`
	// 32 hex digits, random: what is written from here on is another history than that of the
	// database that was backed up
	ID     string `json:"id"`
	Backup string `json:"backup,omitempty"` // ID of the last backup it was restored from
}

// encode returns the entry.
func (o *Origin) encode() ([]byte, error) {
	body, err := json.Marshal(o)
	return sealed(originKey, originTag, body), err
}

// IsOrigin reports whether a key of the store is that of the origin.
func IsOrigin(key []byte) bool { return string(key) == string(originKey) }

// Write stores the origin, synced. With a catalog it stores that and the header as well, which
// makes the store a database. Errors: the store's.
func (o *Origin) Write(s store.Store, c *Catalog) error {
	entry, err := o.encode()
	if err != nil {
		return err
	}
	var b store.Batch
	b.Put(originKey, entry)
	if c != nil {
		if err := c.put(&b); err != nil {
			return err
		}
	}
	return s.Apply(&b, true)
}

// ReadOrigin returns the origin in a store, and the zero one if there is none. Errors:
// model.ErrCorrupt, model.ErrVersion, or the store's.
func ReadOrigin(s store.Store) (o Origin, err error) {
	err = s.Get(originKey, func(value []byte) error {
		body, err := unseal("origin", originKey, originTag, value)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &o); err != nil {
			return fmt.Errorf("%w: origin: %w", model.ErrCorrupt, err)
		}
		if o.State != Restoring && o.State != Restored || o.ID == "" {
			return fmt.Errorf("%w: origin: got state %q of %q, want %q or %q", model.ErrCorrupt, o.State, o.ID,
				Restoring, Restored)
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return o, nil
	}
	return o, err
}
