// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
	"github.com/uproar-db/uproar/store/pebblestore/internal/inspect"
)

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store
// alone.
//
// Opening reads the list of tables, and the log of a store that was not closed, as much as
// memtables hold: once to see that no commit is missing, before a file changes, once to replay it.
//
// Errors: store.ErrLocked when another user has it open, store.ErrFull when the disk has no room
// for it, store.ErrCorrupt when a file that is needed is missing, not Pebble's, or damaged, or
// commits are missing that were acknowledged; else the file system's.
func Open(dir string, opts *Options) (*Store, error) {
	opts = cmp.Or(opts, new(Options))
	s := newStore(dir, opts)
	err := s.open()
	if opts.Salvage && errors.Is(err, store.ErrCorrupt) {
		manifest, lost, failed := s.files().Rebuild(!s.mark.Closed())
		lost = errors.Join(err, lost)
		s, err = newStore(dir, opts), failed
		if s.lost = lost; err == nil {
			s.salvaged.Manifest = manifest
			s.disk.FS, s.rebuilt = s.salvaged, true
			err = s.open()
		}
	}
	if err != nil {
		return nil, openError(dir, s.options.ReadOnly, err)
	}
	return s, nil
}

// newStore returns a store that is to be opened.
func newStore(dir string, opts *Options) *Store {
	s := &Store{dir: dir, options: *opts}
	o := &s.options
	o.ReadOnly = o.ReadOnly || o.Salvage
	o.Memory = cmp.Or(o.Memory, 128<<20)
	o.BlockCache = cmp.Or(o.BlockCache, max(o.Memory/16, 2<<20))
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	s.line = groupcommit.New[*pebble.Batch]("pebblestore", o.ReadOnly, func() { s.frozen.Store(s.before) })
	s.disk = disk.New(s.line.Fail, func() error { return groupcommit.Moved(s.locked, s.locked.Name()) }, o.Logger)
	s.disk.Listed = s.mark.List
	if s.salvaged = (inspect.Salvaged{FS: vfs.Default, Mended: new(inspect.Mended)}); o.Salvage {
		s.disk.FS = s.salvaged
	}
	return s
}

func (s *Store) open() (err error) {
	if !s.options.ReadOnly {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
	}
	if s.locked, err = s.openFile(); err != nil {
		return err
	}
	if err = s.openLocked(); err != nil {
		s.disk.GiveUp()
		return errors.Join(err, s.locked.Close())
	}
	s.disk.Opened()
	if !s.options.ReadOnly {
		s.work.Go(func() { s.line.Run(s.commit) })
		s.work.Go(s.watch)
	}
	return nil
}

// openFile opens the file that has the mark. It makes one in a folder that has no files of the
// engine. For a salvage of a store without it the folder stands in its place, which has no mark.
func (s *Store) openFile() (*os.File, error) {
	path, flags := filepath.Join(s.dir, FileName), os.O_RDONLY
	if !s.options.ReadOnly {
		flags = os.O_RDWR
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	names, failed := vfs.Default.List(s.dir)
	if failed != nil {
		return nil, failed
	}
	missing := fmt.Errorf("%w: %s is missing, which tells whether commits are. Try: restore a backup, or uproar salvage; "+
		"or make an empty file of that name, to go on with what there is", store.ErrCorrupt, FileName)
	switch fresh := !slices.ContainsFunc(names, disk.IsEngine); {
	case fresh && s.options.ReadOnly:
		return nil, err
	case fresh:
		return os.OpenFile(path, flags|os.O_CREATE, 0o600)
	case !s.options.Salvage:
		return nil, missing
	}
	s.lost = errors.Join(s.lost, missing)
	return os.Open(s.dir)
}

// openLocked looks at the files before the engine does, removes those that are passing, and
// opens the engine.
func (s *Store) openLocked() error {
	if free, err := descriptor.Lock(s.locked, s.options.ReadOnly); err != nil || !free {
		return cmp.Or(err, store.ErrLocked)
	}
	names, err := vfs.Default.List(s.dir)
	if err == nil {
		err = s.files().CheckLog()
	}
	if s.options.Salvage && errors.Is(err, store.ErrCorrupt) {
		s.lost, err = errors.Join(s.lost, err), nil
	}
	exists := s.mark.Begin(s.locked).Log > 0
	if err == nil && !s.rebuilt {
		err = s.files().CheckManifest()
	}
	for _, name := range names {
		exists = exists || disk.TableNumber(name) > 0 || s.options.Salvage && disk.IsEngine(name)
		if err == nil && !s.options.ReadOnly && disk.IsPassing(name) {
			err = os.Remove(filepath.Join(s.dir, name))
		}
	}
	if err == nil {
		err = s.disk.Expect(s.dir)
	}
	if err != nil {
		return err
	}
	return s.openEngine(exists)
}

// openEngine opens the engine. It may stop where it does not return, which is given up.
func (s *Store) openEngine(exists bool) (err error) {
	opened := disk.Start(func() (err error) {
		s.db, err = pebble.Open(s.dir, s.settings(exists))
		return err
	})
	select {
	case err = <-opened:
	case <-s.line.Broken():
		select {
		case <-opened:
		case <-time.After(openPatience):
		}
	}
	var system syscall.Errno
	switch {
	case s.line.Cause() != nil:
		return s.line.Cause()
	case errors.Is(err, pebble.ErrDBDoesNotExist) && !exists:
		return fmt.Errorf("its making was cut off: %w", fs.ErrNotExist)
	case err == nil, errors.Is(err, store.ErrCorrupt), errors.As(err, &system) && system != syscall.ENOENT:
		return err
	}
	// What is there is not what the engine has left.
	return fmt.Errorf("%w: %s. Try: restore a backup, or uproar salvage", store.ErrCorrupt, disk.FirstLine(err.Error()))
}

// memTable returns the size of a memtable.
func (s *Store) memTable() uint64 { return uint64(min(max(s.options.Memory/16, 1<<20), 64<<20)) }

// settings returns the options of the engine.
func (s *Store) settings(exists bool) *pebble.Options {
	o := s.disk.Options(s.memTable(), s.options.BlockCache, profiles[s.options.Compression])
	o.ReadOnly, o.DisableConsistencyCheck = s.options.ReadOnly, s.options.Salvage
	o.ErrorIfNotExists = s.options.ReadOnly || exists
	return o
}

// files returns the files of the store.
func (s *Store) files() *inspect.Files {
	return &inspect.Files{Dir: s.dir, Mark: s.locked, FS: s.disk.FS, Read: s.settings(true).MakeReaderOptions()}
}

// openError says what to do about the engine's error.
func openError(dir string, readOnly bool, err error) error {
	advice := ""
	switch {
	case errors.Is(err, store.ErrLocked), !descriptor.Locks && strings.Contains(err.Error(), "lock"):
		err, advice = store.ErrLocked, ". Try: end the program that has it open, or choose another folder"
	case groupcommit.IsFull(err):
		err = groupcommit.Full(err)
	case !readOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		advice = ". Try: another user, or open it for reading only"
	}
	return fmt.Errorf("pebblestore: open %s: %w%s", dir, disk.Error(err), advice)
}
