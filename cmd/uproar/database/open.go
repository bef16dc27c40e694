// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// Engines of databases on disk.
const (
	Detect = "detect" // that of the folder, DefaultEngine for a new one
	Bbolt  = "bbolt"
	Pebble = "pebble"
)

// DefaultEngine is the engine of a new database.
const DefaultEngine = Pebble

// EngineFlag is the flag that chooses the engine.
type EngineFlag struct {
	Store string `enum:"detect,bbolt,pebble" default:"detect" help:"Engine: bbolt, one file; pebble, for many writes; or detect: that of the folder, ${engine} for a new one (${default})."`
}

// ReadOnlyFlag is the flag of commands that can do without writing.
type ReadOnlyFlag struct {
	ReadOnly bool `help:"Only read: nothing in the folder changes, and other processes may read it."`
}

// OpenDir is Open for a command that can do without writing. A copy that has a log, and is opened
// without it, is only read.
func (f *ReadOnlyFlag) OpenDir(ctx context.Context, dir, engineName string, create bool) (*uproar.DB, error) {
	db, err := Open(ctx, dir, engineName, create, &uproar.Options{ReadOnly: f.ReadOnly})
	if errors.Is(err, store.ErrCopy) && !create {
		return Open(ctx, dir, engineName, false, &uproar.Options{ReadOnly: true})
	}
	return db, err
}

// Open opens the database in a folder, for the whole process to close. With create, an empty or
// missing folder becomes a database of the engine; without, it is an error, as is a database of
// another engine.
func Open(ctx context.Context, dir, engineName string, create bool, opts *uproar.Options) (*uproar.DB, error) {
	engine, err := OpenStore(dir, engineName, create && !opts.ReadOnly, opts)
	if err != nil {
		return nil, err
	}
	if !create {
		if err := Begun(dir, engine); err != nil {
			return nil, errors.Join(err, engine.Close())
		}
	}
	db, err := uproar.Open(ctx, engine, opts)
	if errors.Is(err, uproar.ErrRestoring) {
		err = &terminal.AdviceError{Err: err, Try: "uproar restore --dir " + dir + " FILE..., which begins anew"}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", dir, err), engine.Close())
	}
	return db, nil
}

// Begun fails for a store without a single entry. A command that was killed at its very beginning
// leaves one. Opening it would make a database of it, and nothing could be restored into it any
// more.
func Begun(dir string, engine store.Store) error {
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
	return terminal.Advise("uproar help import", "there is no database in %s", dir)
}

// OpenStore opens the store in a folder, as Open does.
func OpenStore(dir, engineName string, create bool, opts *uproar.Options) (store.Store, error) {
	found, err := EngineOf(dir, create)
	if err != nil {
		return nil, err
	}
	switch {
	case found == "":
		found = engineName
	case engineName != Detect && engineName != found:
		return nil, terminal.Advise("--store="+found+", or without --store",
			"the database in %s is one of %s, not of %s",
			dir, found, engineName)
	}
	if found == Detect {
		found = DefaultEngine
	}
	var engine store.Store
	switch found {
	case Bbolt:
		engine, err = bboltstore.Open(dir, &bboltstore.Options{ReadOnly: opts.ReadOnly})
	default:
		engine, err = pebblestore.Open(dir, &pebblestore.Options{Logger: opts.Logger, ReadOnly: opts.ReadOnly,
			Memory: opts.MemoryBytes})
	}
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, &terminal.AdviceError{
			Err: fmt.Errorf("the database in %s is open in another process: %w", dir, store.ErrLocked),
			Try: "stop that process, or ask it over HTTP if it is a server"}
	case !opts.ReadOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return nil, &terminal.AdviceError{
			Err: fmt.Errorf("the database in %s cannot be written: %w", dir, errors.Unwrap(err)),
			Try: "--read-only, where the command has it, or another user"}
	}
	return engine, err
}

// EngineOf returns the engine of the database in a folder, "" for a folder that is to become one.
// It refuses folders that hold something else: the store would put its files among them.
func EngineOf(dir string, create bool) (string, error) {
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
			return "", terminal.Advise("restore a backup that the version which wrote it has made",
				"%s is a database of Badger's, which this version does not open", dir)
		case strings.HasPrefix(name, bboltstore.FileName): // the mark comes first
			return Bbolt, nil
		case name == pebblestore.FileName, strings.HasPrefix(name, "MANIFEST-"), strings.HasPrefix(name, "marker."):
			return Pebble, nil // which tells that a file is missing
		case name == "CURRENT":
			return "", foreign(dir, name) // an older Pebble, or another engine that has manifests
		}
	}
	return "", foreign(dir, entries[0].Name())
}

// foreign is the error about a folder of something else.
func foreign(dir, name string) error {
	return terminal.Advise("a folder that does not exist yet, or an empty one",
		"%s is no database, and not empty: it has %s", dir, name)
}

// Closing closes a database at the end of a command, and adds its error to the command's.
func Closing(db *uproar.DB, err *error) { *err = errors.Join(*err, db.Close()) }
