// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// OpenDamaged opens the store in a folder for reading, although it is damaged. lost tells of
// commits that are missing. The caller closes the store.
func OpenDamaged(dir string, memory int64) (s store.Store, lost, err error) {
	var opened interface {
		store.Store
		Lost() error
	}
	found, err := EngineOf(dir, false)
	switch {
	case err != nil:
		return nil, nil, err
	case found == Bbolt:
		opened, err = bboltstore.Open(dir, &bboltstore.Options{Salvage: true})
	default:
		opened, err = pebblestore.Open(dir, &pebblestore.Options{Salvage: true, Memory: memory})
	}
	if err != nil {
		return nil, nil, err
	}
	return opened, opened.Lost(), nil
}
