// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/badgerstore"
)

// openDatabase opens the database in a folder, for the whole process to close. With create, an empty or missing folder becomes a database;
// without, it is an error.
func openDatabase(ctx context.Context, dir string, create bool, opts *uproar.Options) (*uproar.DB, error) {
	if err := checkFolder(dir, create); err != nil {
		return nil, err
	}
	engine, err := badgerstore.Open(dir, &badgerstore.Options{Logger: opts.Logger})
	if errors.Is(err, store.ErrLocked) {
		return nil, &adviceError{fmt.Errorf("the database in %s is open in another process: %w", dir, store.ErrLocked),
			"stop that process, or ask it over HTTP if it is a server"}
	}
	if err != nil {
		return nil, err
	}
	db, err := uproar.Open(ctx, engine, opts)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", dir, err), engine.Close())
	}
	return db, nil
}

// checkFolder refuses folders that hold something else: the store would put its files among them.
func checkFolder(dir string, create bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
		return nil
	case err == nil && len(entries) == 0 && create:
		return nil
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return advise("uproar import graph --dir "+dir+" FILE", "there is no database in %s", dir)
	case err != nil:
		return err
	}
	// Every store has a MANIFEST, but for one whose making was cut off between these two.
	ours := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "MANIFEST" || e.Name() == "LOCK" })
	if !ours {
		return advise("a folder that does not exist yet, or an empty one", "%s is no database, and not empty: it has %s", dir, entries[0].Name())
	}
	return nil
}

// closing closes a database at the end of a command, and adds its error to the command's.
func closing(db *uproar.DB, err *error) { *err = errors.Join(*err, db.Close()) }
