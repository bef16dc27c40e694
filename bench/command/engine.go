// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// Engine is the flag that chooses the engine of a database.
type Engine struct {
	Store string `enum:"bbolt,pebble" default:"pebble" help:"Engine of the database: bbolt or pebble (${default})."`
}

// OpenStore opens the store in a folder, or makes it. The shares of the engine are measured by
// memory, in bytes; 0: its default.
func (e *Engine) OpenStore(dir string, memory int64) (store.Store, error) {
	if e.Store == "bbolt" {
		return bboltstore.Open(dir, nil)
	}
	return pebblestore.Open(dir, &pebblestore.Options{Memory: memory})
}

// Open opens the database in a folder, or makes it.
func (e *Engine) Open(ctx context.Context, dir string, opts *uproar.Options) (*uproar.DB, error) {
	s, err := e.OpenStore(dir, opts.MemoryBytes)
	if err != nil {
		return nil, err
	}
	db, err := uproar.Open(ctx, s, opts)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return db, nil
}

// Open opens the database in a folder with the default engine, or makes it.
func Open(ctx context.Context, dir string, opts *uproar.Options) (*uproar.DB, error) {
	return new(Engine).Open(ctx, dir, opts)
}
