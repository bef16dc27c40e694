// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"bytes"

	"github.com/uproar-db/uproar/store"
)

// Ingest writes entries past the log of a store that has the power to. The zero value has no store.
// It is not safe for concurrent use.
type Ingest struct {
	store store.Ingester
	under store.Ingestion // nil: none is under way
	last  []byte          // the key before
}

// NewIngest returns an Ingest into a store; ok is false when the store takes batches only.
func NewIngest(s store.Store) (i Ingest, ok bool) {
	i.store, ok = s.(store.Ingester)
	return i, ok
}

// Put writes an entry. What was put before may be visible afterwards: entries that are not in the
// order of their keys begin another ingestion.
func (i *Ingest) Put(key, value []byte) (err error) {
	if i.under != nil && bytes.Compare(key, i.last) <= 0 {
		if err := i.Commit(); err != nil {
			return err
		}
	}
	if i.under == nil {
		if i.under, err = i.store.Ingest(); err != nil {
			return err
		}
	}
	i.last = append(i.last[:0], key...)
	return i.under.Put(key, value)
}

// Commit makes all entries visible and durable.
func (i *Ingest) Commit() error {
	if i.under == nil {
		return nil
	}
	err := i.under.Commit()
	i.Abort()
	return err
}

// Abort drops the entries that were not committed.
func (i *Ingest) Abort() {
	if i.under != nil {
		i.under.Abort()
		i.under = nil
	}
}
