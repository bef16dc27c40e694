// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pebblestore is the store on Pebble, a log-structured merge tree: for databases that are
// written much, and loaded in bulk.
//
// Every commit goes to a log and is synced; tables are written and merged in the background. Values
// lie in the tables with their keys: each is written again whenever its table is merged, and Keys
// reads the values that it passes.
//
// What is ours: concurrent batches share a commit and its sync; a failed commit is not seen by
// readers; a full or broken disk, and damage, are errors, where the engine would end the process
// (disk.go); commits that are lost are noticed (mark.go); closing is bounded, whatever the disk
// does. docs/design/store.md gives the reasons.
package pebblestore

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
)

// FileName is the name of the file in the folder of a store that tells whose it is, is locked while
// the store is open, and has the mark of the last commit.
const FileName = "uproar.pebble"

// Store is a store in a folder. It fulfils store.Store, store.Sizer, store.Compacter and
// store.Pacer, and is safe for concurrent use.
//
// Every batch is synced before Apply returns, asked or not: the engine keeps in the process what it
// is not to sync, so that a killed process would lose it. Concurrent calls of Apply share a sync.
type Store struct {
	db       *pebble.DB
	dir      string
	folder   os.FileInfo // of dir, when it was opened
	readOnly bool
	memory   int64
	log      *logger
	disk     *disk
	locked   *os.File

	room func(dir string) int64 // free bytes; tests replace it

	// gate is held for reading by every call, and for writing by Close.
	gate    sync.RWMutex
	closed  bool
	closing atomic.Bool
	ending  chan struct{} // closed by Close: Compact and Await are to end

	queue   chan *commit                  // batches that wait to be committed
	work    sync.WaitGroup                // goroutines of ours that call the engine and may begin a new log
	looked  atomic.Int64                  // when the folder was last looked at, in nanoseconds
	trouble atomic.Pointer[error]         // the last flush has failed with it, and is tried again
	stuck   atomic.Pointer[error]         // the last merge has failed with it, for no lack of room
	stalled atomic.Pointer[chan struct{}] // writers wait for flushes or merges until it is closed

	mu     sync.Mutex
	before *pebble.Snapshot // the state before the commit under way; nil while there is none
	failed atomic.Pointer[error]
	broken chan struct{}                   // closed when failed is set
	frozen atomic.Pointer[pebble.Snapshot] // what readers see after a commit has failed
}

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// Logger is told what the engine does: errors, and its many remarks at the debug level. Nil:
	// nobody is told.
	Logger *slog.Logger

	// ReadOnly opens the store for reading only; several processes may have it open so, but none
	// for writing meanwhile. It takes a store that was not closed properly as well, and changes
	// nothing in its folder.
	ReadOnly bool

	// Memory is what the shares of the engine are measured by, in bytes. A sixteenth of it, and 1
	// to 64 MiB, is the size of a memtable, of which there are up to three, and of the memory for
	// blocks that were read, at least 2 MiB. A batch larger than half a memtable comes on top while
	// it is written. Default: 128 MiB.
	Memory int64
}

// enter lets a call in. If it returns nil the caller must call s.gate.RUnlock.
func (s *Store) enter() error {
	s.gate.RLock()
	if s.closed {
		s.gate.RUnlock()
		return store.ErrClosed
	}
	return nil
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
func (s *Store) Sync() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	return s.failure()
}

// Size implements store.Sizer: all of it is Tree.
func (s *Store) Size() (size store.Size, err error) {
	if err := s.enter(); err != nil {
		return size, err
	}
	defer s.gate.RUnlock()
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return size, fmt.Errorf("pebblestore: size of %s: %w", s.dir, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it was deleted since
			size.Tree += info.Size()
		}
	}
	return size, nil
}

var _ interface {
	store.Store
	store.Sizer
	store.Compacter
	store.Pacer
} = (*Store)(nil)
