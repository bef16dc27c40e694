// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bboltstore is the store in one file: bbolt, for databases that are read much and written little, and for processes with little memory.
//
// bbolt keeps a B+ tree in a memory-mapped file and copies on write: a reader holds on to the state that it began with, and nothing needs to be
// replayed, merged or collected. The price is paid by writers: each commit rewrites the pages on the path to every entry and waits twice for the
// disk. Use badgerstore where writes are many.
//
// What is ours: concurrent batches share a commit; every commit is synced; a file is checked before it is mapped, and what bbolt makes of damage
// found later (a panic, a fault in the mapping) is returned as [store.ErrCorrupt]; the mapping reaches far beyond the end of the file, so that
// a growing file need not wait for its readers. docs/design/store.md gives the reasons.
package bboltstore

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/store"
)

// FileName is the name of the file in the folder of a store.
const FileName = "uproar.bolt"

// entries is the bucket that holds all entries.
var entries = []byte("entries")

// Store is a store in a folder with one file. It fulfils store.Store and store.Sizer, and is safe for concurrent use.
//
// Every batch is synced before Apply returns, asked or not. bbolt could leave that out (NoSync), but then the disk may write a new root before the
// pages that it points to, and new content over pages that the last synced root still needs: a power cut could take the whole file, not only the
// latest batches. Concurrent calls of Apply share one commit.
//
// A Scan or Get that lasts keeps the pages of its state from being used again: the file grows meanwhile. The file never shrinks; the room of
// what was deleted or replaced is used for what is written later.
type Store struct {
	db       *bbolt.DB
	file     *os.File // bbolt's own
	dir      string
	readOnly bool
	mapped   int64                  // bytes that were mapped at opening, at least; 0 when not known
	room     func(dir string) int64 // free bytes; tests replace it

	// gate is held for reading by every call, and for writing by Close.
	gate   sync.RWMutex
	closed bool

	writes  commits
	frozen  atomic.Pointer[bbolt.Tx] // after a failed commit: the state before it, which all readers see
	wrecked atomic.Pointer[error]    // bbolt stopped while it held its locks: it is not called any more
}

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// ReadOnly opens the store for reading only; several processes may have it open so, but none for writing meanwhile. It takes a store that was
	// not closed properly as well, and a file that may not be written.
	ReadOnly bool
}

// enter lets a call in. If it returns nil the caller must call s.gate.RUnlock.
func (s *Store) enter() error {
	s.gate.RLock()
	err := error(store.ErrClosed)
	if !s.closed {
		err = s.stopped()
	}
	if err != nil {
		s.gate.RUnlock()
	}
	return err
}

// stopped returns the error of an engine that cannot be called any more.
func (s *Store) stopped() error {
	if err := s.wrecked.Load(); err != nil {
		return *err
	}
	return nil
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that it only tells whether one failed.
func (s *Store) Sync() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	return s.writes.failure()
}

// Size implements store.Sizer: all of it is Tree.
func (s *Store) Size() (store.Size, error) {
	if err := s.enter(); err != nil {
		return store.Size{}, err
	}
	defer s.gate.RUnlock()
	info, err := os.Stat(filepath.Join(s.dir, FileName))
	if err != nil {
		return store.Size{}, fmt.Errorf("bboltstore: size of %s: %w", s.dir, err)
	}
	return store.Size{Tree: allocated(info)}, nil
}

// Close implements store.Store. It waits for the calls in progress, and has nothing to write.
func (s *Store) Close() error {
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return store.ErrClosed
	}
	s.closed = true
	var err error
	if s.wrecked.Load() != nil {
		err = s.file.Close() // gives up the lock; the mapping stays until the process ends
	} else {
		if tx := s.frozen.Load(); tx != nil {
			err = tx.Rollback()
		}
		if closing := s.db.Close(); err == nil {
			err = closing
		}
	}
	if err != nil {
		return fmt.Errorf("bboltstore: close %s: %w", s.dir, err)
	}
	return nil
}

var (
	_ store.Store = (*Store)(nil)
	_ store.Sizer = (*Store)(nil)
)
