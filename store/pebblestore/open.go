// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
)

// format is the version of the engine's files. It is raised by hand only: older programs do not
// open a store of a newer one. From this one on, a log tells what was synced, so that damage to it
// is not taken for its end.
const format = pebble.FormatWALSyncChunks

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

// diskRoom returns the bytes that are free on the disk of dir; as much as there can be when the
// system does not tell.
func diskRoom(dir string) int64 {
	usage, err := vfs.Default.GetDiskUsage(dir)
	if err != nil {
		return math.MaxInt64
	}
	return int64(min(usage.AvailBytes, math.MaxInt64))
}

// newStore returns a store that is to be opened.
func newStore(dir string, opts *Options) *Store {
	s := &Store{dir: dir, readOnly: opts.ReadOnly, room: diskRoom, ending: make(chan struct{})}
	s.log = &logger{to: cmp.Or(opts.Logger, slog.New(slog.DiscardHandler)), fail: s.fail}
	s.disk = &disk{FS: vfs.Default, fail: s.fail, fault: func(string, string) error { return nil }}
	s.disk.opening.Store(true)
	s.writes.queue = make(chan *commit, queueLength)
	s.writes.stop, s.writes.broken = make(chan struct{}), make(chan struct{})
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
	if err == nil {
		err = s.openEngine(opts)
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

// prepare looks at the files before the engine does, to which a missing log would be an older
// state, and removes those that disk.List hides. The engine writes its options when it has a log.
func (s *Store) prepare() error {
	names, err := os.ReadDir(s.dir)
	log, options := false, false
	for _, e := range names {
		log = log || filepath.Ext(e.Name()) == ".log"
		options = options || strings.HasPrefix(e.Name(), optionsPrefix)
	}
	if options && !log {
		return fmt.Errorf("%w: the log is missing. Try: restore a backup", store.ErrCorrupt)
	}
	for _, e := range names {
		if strings.HasPrefix(e.Name(), optionsPrefix) && !s.readOnly {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, e.Name())))
		}
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
	memory := cmp.Or(opts.Memory, 128<<20)
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
