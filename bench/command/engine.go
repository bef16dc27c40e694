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
)

// Engine is the flag that chooses the engine of a database.
type Engine struct {
	Store string `enum:"badger,bbolt" default:"badger" help:"Engine of the database: badger or bbolt (${default})."`
}

// Open opens the database in a folder, or makes it.
func (e *Engine) Open(ctx context.Context, dir string, opts *uproar.Options) (*uproar.DB, error) {
	var s store.Store
	var err error
	if e.Store == "bbolt" {
		s, err = bboltstore.Open(dir, nil)
	} else {
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
