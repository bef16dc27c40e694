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
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// lockPatience is how long a lock is waited for where bbolt takes it.
const lockPatience = 300 * time.Millisecond

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store
// alone.
//
// Opening reads and checks the branch pages of the tree and the list of free pages, some hundredths
// of the file at most. There is nothing to replay, however the store was left.
//
// Errors: store.ErrLocked when another user has it open, store.ErrFull when the disk has no room
// for it, store.ErrCorrupt when the file is not bbolt's, cut short or damaged, or lacks commits
// that were acknowledged, or the file system's.
func Open(dir string, opts *Options) (*Store, error) {
	if opts == nil {
		opts = new(Options)
	}
	s := newStore(dir, opts)
	if err := s.open(); err != nil {
		return nil, openError(dir, s.readOnly, err)
	}
	return s, nil
}

// newStore returns a store that is to be opened.
func newStore(dir string, opts *Options) *Store {
	s := &Store{dir: dir, path: filepath.Join(dir, FileName), readOnly: opts.ReadOnly || opts.Salvage,
		salvage: opts.Salvage, room: diskRoom, compacting: make(chan struct{}, 1),
		reached: func(milestone) error { return nil }}
	s.line = groupcommit.New[[]change]("bboltstore", s.readOnly, func() { s.engine.Load().frozen.Store(s.before) })
	return s
}

func (s *Store) open() error {
	if !s.readOnly {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
	}
	if real, err := filepath.EvalSymlinks(s.path); err == nil { // other files lie beside the real one
		s.path = real
	}
	if err := s.openMark(); err != nil {
		return err
	}
	e, err := s.openCurrent()
	if err != nil {
		return errors.Join(err, s.closeMark())
	}
	s.engine.Store(e)
	if s.readOnly {
		return nil
	}
	if err = shield(nil, s.makeBucket); err == nil {
		err = s.removeCopy()
	}
	if err != nil {
		return errors.Join(err, e.close(), s.closeMark())
	}
	go s.line.Run(s.commit)
	return nil
}

// openCurrent opens the file that has the store's name when it is locked: between opening and
// locking Compact may have put another in its place.
func (s *Store) openCurrent() (*engine, error) {
	const attempts = 100 // each is lost to a whole Compact that ended just then
	for range attempts {
		size := int64(0)
		if info, err := os.Stat(s.path); err == nil {
			size = info.Size()
		}
		e, err := openEngine(s.path, s.readOnly, size, s.settle)
		if err != nil {
			return nil, err
		}
		err = s.reached(fileOpened)
		same, gone := groupcommit.IsAt(e.file, s.path)
		if err = errors.Join(err, gone); same && err == nil {
			return e, nil
		}
		if err = errors.Join(err, e.close()); err != nil {
			return nil, err
		}
	}
	return nil, store.ErrLocked
}

// openEngine opens a file that has, or will have, about size bytes. Settle looks at its roots,
// and what is wrong with it, before anybody uses them.
func openEngine(path string, readOnly bool, size int64, settle func(*os.File, []meta, error) error) (*engine, error) {
	e := &engine{mapped: reach(size)}
	err := e.open(path, readOnly, settle)
	if err != nil && e.mapped > 0 && e.file != nil && !errors.Is(err, store.ErrCorrupt) &&
		!errors.Is(err, bbolterrors.ErrTimeout) {
		e.mapped = 0 // perhaps the process may not have that many addresses
		err = e.open(path, readOnly, settle)
	}
	return e, err
}

// reach returns how far a file is mapped: far beyond its end where addresses are plenty, which
// costs addresses only. Then it can grow without its mapping being moved, for which bbolt waits for
// all readers and has new ones wait; and a damaged page, which can point 12 GB beyond itself,
// points to nothing but the mapping. On Windows the file would be made as large.
func reach(size int64) int64 {
	if strconv.IntSize < 64 || runtime.GOOS == "windows" {
		return 0
	}
	return 4*size + 64<<30
}

func (e *engine) open(path string, readOnly bool, settle func(*os.File, []meta, error) error) error {
	e.file = nil
	options := &bbolt.Options{
		Timeout:         lockPatience,
		PageSize:        pageSize,
		ReadOnly:        readOnly,
		FreelistType:    bbolt.FreelistMapType,
		InitialMmapSize: int(e.mapped),
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(path, flag, mode)
			if err != nil {
				return nil, err
			}
			free, err := descriptor.Lock(f, readOnly) // the same lock that bbolt is about to take
			if err == nil && !free {
				err = store.ErrLocked
			}
			if err == nil {
				roots, damage := inspect(f, readOnly)
				err = settle(f, roots, damage)
			}
			if err != nil {
				return nil, errors.Join(err, f.Close())
			}
			e.file = f
			return f, nil
		},
	}
	err := shield(nil, func() (err error) {
		e.db, err = bbolt.Open(path, 0o600, options)
		return err
	})
	if err != nil && e.file != nil {
		_ = e.file.Close() // bbolt may have stopped half-way
	}
	return err
}

// makeBucket makes the bucket of entries in a new store.
func (s *Store) makeBucket() error {
	made := false
	err := s.engine.Load().view(nil, func(t *tree) error {
		made = t.root != 0
		return nil
	})
	if made || err != nil {
		return err
	}
	err = s.engine.Load().db.Update(func(tx *bbolt.Tx) error {
		bucket, err := tx.CreateBucket(entries)
		if err == nil {
			err = bucket.Put([]byte(firstKey), sealed([]byte(firstKey), make([]byte, firstValue)))
		}
		if err == nil {
			err = bucket.Put([]byte(lastKey), sealed([]byte(lastKey), nil))
		}
		return err
	})
	return errors.Join(err, descriptor.SyncFolder(filepath.Dir(s.path)))
}

// openError says what to do about the engine's error.
func openError(dir string, readOnly bool, err error) error {
	switch {
	case errors.Is(err, store.ErrLocked), errors.Is(err, bbolterrors.ErrTimeout):
		return fmt.Errorf("bboltstore: open %s: %w. Try: end the program that has it open, or choose another folder",
			dir, store.ErrLocked)
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrChecksum),
		errors.Is(err, bbolterrors.ErrVersionMismatch):
		return fmt.Errorf("bboltstore: open %s: %w: %w. Try: restore a backup", dir, store.ErrCorrupt, err)
	case errors.Is(err, store.ErrCorrupt) && !strings.Contains(err.Error(), "Try:"):
		return fmt.Errorf("bboltstore: open %s: %w. Try: restore a backup", dir, err)
	case groupcommit.IsFull(err):
		return fmt.Errorf("bboltstore: open %s: %w", dir, groupcommit.Full(err))
	case !readOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return fmt.Errorf("bboltstore: open %s for writing: %w. Try: another user, or open it for reading only", dir,
			err)
	case readOnly:
		return fmt.Errorf("bboltstore: open %s for reading: %w", dir, err)
	}
	return fmt.Errorf("bboltstore: open %s: %w", dir, err)
}
