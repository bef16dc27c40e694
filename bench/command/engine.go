// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/badgerstore"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// Engine is the flag that chooses the engine of a database.
type Engine struct {
	Store string `enum:"badger,bbolt,pebble" default:"badger" help:"Engine of the database: badger, bbolt or pebble (${default})."`
}

// Open opens the database in a folder, or makes it.
func (e *Engine) Open(ctx context.Context, dir string, opts *uproar.Options) (*uproar.DB, error) {
	var s store.Store
	var err error
	switch e.Store {
	case "bbolt":
		s, err = bboltstore.Open(dir, nil)
	case "pebble":
		s, err = pebblestore.Open(dir, &pebblestore.Options{Memory: opts.MemoryBytes})
	default:
		s, err = badgerstore.Open(dir, nil)
	}
	if err != nil {
		return nil, err
	}
	db, err := uproar.Open(ctx, s, opts)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return db, nil
}
