// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/uproar-db/uproar/store"
)

// format is the version of the engine's files. It is raised by hand only: older programs do not
// open a store of a newer one. From this one on, a log tells what was synced, so that damage to it
// is not taken for its end.
const format = pebble.FormatWALSyncChunks

// made is what FileName has in a store with a log.
const made = "A store of Uproar's on Pebble.\n"

// optionsPrefix is how names of files begin in which the engine notes its options.
const optionsPrefix = "OPTIONS-"

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store
// alone.
//
// Opening reads the list of tables, and replays the log of a store that was not closed: as much as
// memtables hold.
//
// Errors: store.ErrLocked when another user has it open, store.ErrFull when the disk has no room
// for it, store.ErrCorrupt when a file that is needed is missing, not Pebble's, or damaged, or the
// file system's.
func Open(dir string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = new(Options)
	}
	s := newStore(dir, opts)
	if err := s.open(opts); err != nil {
		return nil, openError(dir, opts.ReadOnly, err)
	}
	return s, nil
}

// newStore returns a store that is to be opened.
func newStore(dir string, opts *Options) *Store {
	s := &Store{dir: dir, readOnly: opts.ReadOnly, room: diskRoom, inodes: filesRoom, ending: make(chan struct{})}
	s.log = &logger{to: opts.Logger, fail: s.fail}
	if s.log.to == nil {
		s.log.to = slog.New(slog.DiscardHandler)
	}
	s.disk = newDisk(s.fail)
	s.disk.opening.Store(true)
	s.writes.start()
	return s
}

func (s *Store) open(opts *Options) (err error) {
	flags := os.O_RDONLY
	if !s.readOnly {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
		flags = os.O_RDWR | os.O_CREATE
	}
	if s.locked, err = os.OpenFile(filepath.Join(s.dir, FileName), flags, 0o600); err != nil {
		return err
	}
	err = lock(s.locked, s.readOnly)
	if err == nil {
		s.folder, err = os.Stat(s.dir)
	}
	if err == nil {
		err = s.prepare()
	}
	if err == nil && !s.readOnly {
		err = s.mark("")
	}
	if err == nil {
		err = s.openEngine(opts)
	}
	if err == nil && !s.readOnly {
		err = s.mark(made)
	}
	if err != nil {
		s.disk.dead.Store(true)
		return errors.Join(err, s.locked.Close())
	}
	s.disk.opening.Store(false)
	if !s.readOnly {
		s.work.Go(s.commit)
	}
	return nil
}

// prepare looks at the files before the engine does: a log that is missing would be an older state
// to it. It removes the files that disk.List hides.
func (s *Store) prepare() error {
	begun, err := s.locked.Stat()
	if err != nil {
		return err
	}
	names, err := os.ReadDir(s.dir)
	logs := 0
	for _, e := range names {
		if filepath.Ext(e.Name()) == ".log" {
			logs++
		}
		if strings.HasPrefix(e.Name(), optionsPrefix) && !s.readOnly {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, e.Name())))
		}
	}
	if err == nil && logs == 0 && begun.Size() > 0 {
		return fmt.Errorf("%w: the log is missing. Try: restore a backup", store.ErrCorrupt)
	}
	return err
}

// mark notes in the file that is locked whether the store has a log, as it has but while it is
// being opened for writing.
func (s *Store) mark(text string) error {
	err := s.locked.Truncate(0)
	if err == nil {
		_, err = s.locked.WriteAt([]byte(text), 0)
	}
	if err == nil {
		err = s.locked.Sync()
	}
	return err
}

// openEngine opens the engine. It may stop where it does not return, which is given up.
func (s *Store) openEngine(opts *Options) (err error) {
	opened := start(func() (err error) {
		s.db, err = pebble.Open(s.dir, s.settings(opts))
		return err
	})
	select {
	case err = <-opened:
	case <-s.writes.broken:
		select {
		case <-opened:
		case <-time.After(patience):
		}
	}
	var system syscall.Errno
	switch failed := s.writes.failed.Load(); {
	case failed != nil:
		return *failed
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return fmt.Errorf("its making was cut off: %w", fs.ErrNotExist)
	case err == nil, errors.Is(err, store.ErrCorrupt), errors.As(err, &system) && system != syscall.ENOENT:
		return err
	}
	// What is there is not what the engine has left.
	return fmt.Errorf("%w: %s. Try: restore a backup", store.ErrCorrupt, firstLine(err.Error()))
}

// settings returns the options of the engine.
func (s *Store) settings(opts *Options) *pebble.Options {
	memory := opts.Memory
	if memory == 0 {
		memory = 128 << 20
	}
	s.memTable = min(max(memory/8, 4<<20), 64<<20)
	o := &pebble.Options{
		FS:                          s.disk,
		Logger:                      s.log,
		EventListener:               s.listener(),
		ReadOnly:                    s.readOnly,
		ErrorIfNotExists:            s.readOnly,
		FormatMajorVersion:          format,
		MemTableSize:                uint64(s.memTable),
		MemTableStopWritesThreshold: 2,
		CacheSize:                   max(memory/8, 8<<20),
		MaxOpenFiles:                256,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       24,
		LBaseMaxBytes:               64 << 20,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 8 << 10
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	return o
}

// openError says what to do about the engine's error.
func openError(dir string, readOnly bool, err error) error {
	switch {
	case errors.Is(err, store.ErrLocked), !locks && strings.Contains(err.Error(), "lock"):
		return fmt.Errorf("pebblestore: open %s: %w. Try: end the program that has it open, or choose another folder",
			dir, store.ErrLocked)
	case isFull(err):
		return fmt.Errorf("pebblestore: open %s: %w: %w. Try: make room on that disk, or more files that may be open",
			dir, store.ErrFull, err)
	case !readOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return fmt.Errorf("pebblestore: open %s for writing: %w. Try: another user, or open it for reading only", dir, err)
	case readOnly:
		return fmt.Errorf("pebblestore: open %s for reading: %w", dir, engineError(err))
	}
	return fmt.Errorf("pebblestore: open %s: %w", dir, engineError(err))
}
