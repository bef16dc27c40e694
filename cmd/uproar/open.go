// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// Engines of databases on disk.
const (
	engineDetect = "detect" // that of the folder, engineDefault for a new one
	engineBbolt  = "bbolt"
	enginePebble = "pebble"
)

// engineDefault is the engine of a new database.
const engineDefault = enginePebble

// engineFlag is the flag that chooses the engine.
type engineFlag struct {
	Store string `enum:"detect,bbolt,pebble" default:"detect" help:"Engine: bbolt, one file; pebble, for many writes; or detect: that of the folder, ${engine} for a new one (${default})."`
}

// readOnlyFlag is the flag of commands that can do without writing.
type readOnlyFlag struct {
	ReadOnly bool `help:"Only read: nothing in the folder changes, and other processes may read it."`
}

// options returns the options for a database that is asked, and not written to.
func (f *readOnlyFlag) options() *uproar.Options { return &uproar.Options{ReadOnly: f.ReadOnly} }

// openDatabase opens the database in a folder, for the whole process to close. With create, an
// empty or missing folder becomes a database of the engine; without, it is an error, as is a
// database of another engine.
func openDatabase(ctx context.Context, dir, engineName string, create bool, opts *uproar.Options) (*uproar.DB, error) {
	engine, err := openStore(dir, engineName, create && !opts.ReadOnly, opts)
	if err != nil {
		return nil, err
	}
	if !create {
		if err := begun(dir, engine); err != nil {
			return nil, errors.Join(err, engine.Close())
		}
	}
	db, err := uproar.Open(ctx, engine, opts)
	if errors.Is(err, uproar.ErrRestoring) {
		err = &adviceError{err, "uproar restore --dir " + dir + " FILE..., which begins anew"}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", dir, err), engine.Close())
	}
	return db, nil
}

// begun fails for a store without a single entry. A command that was killed at its very beginning
// leaves one. Opening it would make a database of it, and nothing could be restored into it any
// more.
func begun(dir string, engine store.Store) error {
	empty := true
	err := engine.Keys(nil, nil, func([]byte) error {
		empty = false
		return store.ErrStop
	})
	if err == nil && empty {
		err = noDatabase(dir)
	}
	return err
}

// noDatabase is the error about a folder without a database.
func noDatabase(dir string) error {
	return advise("uproar help import", "there is no database in %s", dir)
}

// openStore opens the store in a folder, as openDatabase does.
func openStore(dir, engineName string, create bool, opts *uproar.Options) (store.Store, error) {
	found, err := engineOf(dir, create)
	if err != nil {
		return nil, err
	}
	switch {
	case found == "":
		found = engineName
	case engineName != engineDetect && engineName != found:
		return nil, advise("--store="+found+", or without --store", "the database in %s is one of %s, not of %s", dir,
			found, engineName)
	}
	if found == engineDetect {
		found = engineDefault
	}
	var engine store.Store
	switch found {
	case engineBbolt:
		engine, err = bboltstore.Open(dir, &bboltstore.Options{ReadOnly: opts.ReadOnly})
	default:
		engine, err = pebblestore.Open(dir, &pebblestore.Options{Logger: opts.Logger, ReadOnly: opts.ReadOnly,
			Memory: opts.MemoryBytes})
	}
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, &adviceError{fmt.Errorf("the database in %s is open in another process: %w", dir, store.ErrLocked),
			"stop that process, or ask it over HTTP if it is a server"}
	case !opts.ReadOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return nil, &adviceError{fmt.Errorf("the database in %s cannot be written: %w", dir, errors.Unwrap(err)),
			"--read-only, where the command has it, or another user"}
	}
	return engine, err
}

// engineOf returns the engine of the database in a folder, "" for a folder that is to become one.
// It refuses folders that hold something else: the store would put its files among them.
func engineOf(dir string, create bool) (string, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && create:
		return "", nil
	case err == nil && len(entries) == 0 && create:
		return "", nil
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return "", noDatabase(dir)
	case err != nil:
		return "", err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case name == "KEYREGISTRY", strings.HasSuffix(name, ".vlog"):
			return "", advise("restore a backup that the version which wrote it has made",
				"%s is a database of Badger's, which this version does not open", dir)
		case name == bboltstore.FileName:
			return engineBbolt, nil
		case name == pebblestore.FileName:
			return enginePebble, nil
		}
	}
	return "", advise("a folder that does not exist yet, or an empty one",
		"%s is no database, and not empty: it has %s", dir, entries[0].Name())
}

// closing closes a database at the end of a command, and adds its error to the command's.
func closing(db *uproar.DB, err *error) { *err = errors.Join(*err, db.Close()) }
