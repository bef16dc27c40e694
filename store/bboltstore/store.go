// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package bboltstore is the store in one file: bbolt, for databases that are read much and written
// little, and for processes with little memory.
//
// bbolt keeps a B+ tree in a memory-mapped file and copies on write: a reader holds on to the state
// that it began with, and nothing needs to be replayed, merged or collected. The price is paid by
// writers: each commit rewrites the pages on the path to every entry and waits twice for the disk.
// Use pebblestore where writes are many.
//
// What is ours: concurrent batches share a commit; every commit is synced; a file is checked before
// it is mapped, and what bbolt makes of damage found later (a panic, a fault in the mapping) is
// returned as [store.ErrCorrupt]; the file is made smaller when asked, under its readers; the
// mapping reaches far beyond the end of the file, so that a growing file need not wait for its
// readers. docs/design/store.md gives the reasons.
package bboltstore

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// FileName is the name of the file in the folder of a store.
const FileName = "uproar.bolt"

// entries is the bucket that holds all entries.
var entries = []byte("entries")

// Store is a store in a folder with one file. It fulfils store.Store, store.Sizer and
// store.Compacter, and is safe for concurrent use.
//
// Every batch is synced before Apply returns, asked or not. bbolt could leave that out (NoSync),
// but then the disk may write a new root before the pages that it points to, and new content over
// pages that the last synced root still needs: a power cut could take the whole file, not only the
// latest batches. Concurrent calls of Apply share one commit.
//
// A Scan or Get that lasts keeps the pages of its state from being used again: the file grows
// meanwhile. The room of what was deleted or replaced is used for what is written later; only
// Compact makes the file smaller.
type Store struct {
	engine   atomic.Pointer[engine] // replaced by who has the turn of writes
	dir      string
	path     string // of the file, once it is open without symbolic links
	readOnly bool
	room     func(dir string) int64   // free bytes; tests replace it
	reached  func(at milestone) error // tests watch Compact and Open by it, and have them fail

	// gate is held for reading by every call, and for writing by Close.
	gate    sync.RWMutex
	closed  bool
	closing atomic.Bool // Close waits: Compact is to end

	writes     commits
	compacting chan struct{} // holds a token while Compact is at work
}

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// ReadOnly opens the store for reading only; several processes may have it open so, but none
	// for writing meanwhile. It takes a store that was not closed properly as well, and a file that
	// may not be written.
	ReadOnly bool
}

// enter lets a call in. If it returns nil the caller must call s.gate.RUnlock.
func (s *Store) enter() error {
	s.gate.RLock()
	err := error(store.ErrClosed)
	if !s.closed {
		err = s.engine.Load().stopped()
	}
	if err != nil {
		s.gate.RUnlock()
	}
	return err
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
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
	info, err := os.Stat(s.path)
	if err != nil {
		return store.Size{}, fmt.Errorf("bboltstore: size of %s: %w", s.dir, err)
	}
	return store.Size{Tree: allocated(info)}, nil
}

// Close implements store.Store. It waits for the calls in progress, ends a Compact among them, and
// has nothing to write.
func (s *Store) Close() error {
	s.closing.Store(true)
	s.gate.Lock()
	defer s.gate.Unlock()
	if s.closed {
		return store.ErrClosed
	}
	s.closed = true
	if err := s.engine.Load().close(); err != nil {
		return fmt.Errorf("bboltstore: close %s: %w", s.dir, err)
	}
	return nil
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Sizer     = (*Store)(nil)
	_ store.Compacter = (*Store)(nil)
)
