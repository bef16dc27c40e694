// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/uproar-db/uproar/store"
)

// patience is how long a lock is waited for where bbolt takes it.
const patience = 300 * time.Millisecond

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store alone.
//
// Opening reads and checks the branch pages of the tree and the list of free pages, some hundredths of the file at most. There is nothing to
// replay, however the store was left.
//
// Errors: store.ErrLocked when another user has it open, store.ErrCorrupt when the file is not bbolt's, cut short or damaged, or the file system's.
func Open(dir string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = new(Options)
	}
	s := &Store{dir: dir, readOnly: opts.ReadOnly, room: diskRoom}
	if err := s.open(filepath.Join(dir, FileName)); err != nil {
		return nil, openError(dir, opts.ReadOnly, err)
	}
	return s, nil
}

func (s *Store) open(path string) error {
	if !s.readOnly {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
	}
	var size int64
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	s.mapped = reach(size)
	err := s.openMapped(path)
	if err != nil && s.mapped > 0 && s.file != nil && !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, bbolterrors.ErrTimeout) {
		s.mapped = 0 // perhaps the process may not have that many addresses
		err = s.openMapped(path)
	}
	if err != nil || s.readOnly {
		return err
	}
	if err := shield(nil, s.makeBucket); err != nil {
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// reach returns how far a file is mapped: far beyond its end where addresses are plenty, which costs addresses only. Then it can grow without its
// mapping being moved, for which bbolt waits for all readers and has new ones wait; and a damaged page, which can point 12 GB beyond itself, points to
// nothing but the mapping. On Windows the file would be made as large.
func reach(size int64) int64 {
	if strconv.IntSize < 64 || runtime.GOOS == "windows" {
		return 0
	}
	return 4*size + 64<<30
}

func (s *Store) openMapped(path string) error {
	s.file = nil
	options := &bbolt.Options{
		Timeout:         patience,
		ReadOnly:        s.readOnly,
		FreelistType:    bbolt.FreelistMapType,
		InitialMmapSize: int(s.mapped),
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(path, flag, mode)
			if err != nil {
				return nil, err
			}
			err = lock(f, s.readOnly)
			if err == nil {
				err = inspect(f, s.readOnly)
			}
			if err != nil {
				return nil, errors.Join(err, f.Close())
			}
			s.file = f
			return f, nil
		},
	}
	err := shield(nil, func() (err error) {
		s.db, err = bbolt.Open(path, 0o600, options)
		return err
	})
	if err != nil && s.file != nil {
		_ = s.file.Close() // bbolt may have stopped half-way
	}
	return err
}

// makeBucket makes the bucket of entries in a new store.
func (s *Store) makeBucket() error {
	there := false
	err := s.db.View(func(tx *bbolt.Tx) error {
		there = tx.Bucket(entries) != nil
		return nil
	})
	if there || err != nil {
		return err
	}
	err = s.db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket(entries)
		return err
	})
	return errors.Join(err, syncFolder(s.dir))
}

// openError says what to do about the engine's error.
func openError(dir string, readOnly bool, err error) error {
	switch {
	case errors.Is(err, store.ErrLocked), errors.Is(err, bbolterrors.ErrTimeout):
		return fmt.Errorf("bboltstore: open %s: %w. Try: end the program that has it open, or choose another folder", dir, store.ErrLocked)
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrChecksum), errors.Is(err, bbolterrors.ErrVersionMismatch):
		return fmt.Errorf("bboltstore: open %s: %w: %w", dir, store.ErrCorrupt, err)
	case !readOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return fmt.Errorf("bboltstore: open %s for writing: %w. Try: another user, or open it for reading only", dir, err)
	case readOnly:
		return fmt.Errorf("bboltstore: open %s for reading: %w", dir, err)
	}
	return fmt.Errorf("bboltstore: open %s: %w", dir, err)
}
