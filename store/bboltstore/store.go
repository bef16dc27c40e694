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
// it is mapped, and pages and entries when they are read (page.go, tree.go), so that a changed bit
// is [store.ErrCorrupt] and not another answer; commits that are lost are noticed (mark.go);
// closing is bounded, whatever the disk does; the file is made smaller when asked, under its
// readers; the mapping reaches far beyond the end of the file, so that a growing file need not wait
// for its readers. docs/design/store.md gives the reasons.
package bboltstore

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// FileName is the name of the file in the folder of a store.
const FileName = "uproar.bolt"

// entries is the bucket that holds all entries.
var entries = []byte("entries")

// Store is a store in a folder with one file. It fulfils store.Store, store.Sizer, store.Spacer,
// store.Compacter and store.Verifier, and is safe for concurrent use.
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
	salvage  bool
	lost     error                    // what a salvage passes over when it opens the file
	room     func(dir string) int64   // free bytes; tests replace it
	reached  func(at milestone) error // tests watch Compact and Open by it, and have them fail

	line       *groupcommit.Line[[]change]
	mark       *os.File      // nil when there is none
	turn       sync.Mutex    // of who writes
	compacting chan struct{} // holds a token while Compact is at work

	before *bbolt.Tx // the state before the commit under way; nil while there is none
}

// How long Close waits for the calls in progress, and for all.
const (
	callsPatience = 2500 * time.Millisecond
	closePatience = 4000 * time.Millisecond
)

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// ReadOnly opens the store for reading only; several processes may have it open so, but none
	// for writing meanwhile. It takes a store that was not closed properly as well, and a file that
	// may not be written.
	ReadOnly bool

	// Salvage opens a damaged store for reading only: what cannot be read is an error where it is
	// met, and not of Open. What is there may be older than what was acknowledged: see Store.Lost.
	Salvage bool
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
func (s *Store) Sync() error {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	return s.line.Failure()
}

// Size implements store.Sizer: all of it is Tree.
func (s *Store) Size() (store.Size, error) {
	if err := s.line.Enter(false); err != nil {
		return store.Size{}, err
	}
	defer s.line.Leave()
	info, err := os.Stat(s.path)
	if err != nil {
		return store.Size{}, fmt.Errorf("bboltstore: size of %s: %w", s.dir, err)
	}
	return store.Size{Tree: allocated(info)}, nil
}

// Close implements store.Store. It waits for the calls in progress, and ends a Compact among them.
// Then it writes the root twice, so that one damaged page cannot take back a commit. It takes at
// most 5 seconds, whatever the disk does: in time it gives the engine up, everything that was
// acknowledged being on the disk. The lock is kept until a Get, a Scan or a Compact has ended.
func (s *Store) Close() error {
	ended, err := s.line.End(callsPatience)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		<-ended
		s.turn.Lock() // a commit or Compact that was given up may be in it
		done <- s.closeEngine()
	}()
	select {
	case err = <-done:
	case <-time.After(closePatience):
		_ = s.line.Fail(groupcommit.ErrLate)
		// When the disk answers, bbolt goes on, but can write no more: its file is closed.
		release, closing := closeLocked(s.engine.Load().file)
		err = errors.Join(groupcommit.ErrLate, closing, s.closeMark())
		reading := true
		select {
		case <-ended:
			reading = len(s.compacting) > 0
		default:
		}
		if reading { // another must not write what is still read, or put its file below the copy
			go func() {
				<-done
				release()
			}()
		} else {
			release()
		}
	}
	if err != nil {
		return fmt.Errorf("bboltstore: close %s: %s, but %w", s.dir, groupcommit.Acknowledged(err), err)
	}
	return nil
}

// closeEngine writes the root twice and closes an engine that is not in use.
func (s *Store) closeEngine() error {
	e := s.engine.Load()
	err := s.line.Failure()
	if err == nil && !s.readOnly && e.stopped() == nil {
		err = shield(nil, func() error { return s.settleEnd(e) })
	}
	return errors.Join(err, e.close(), s.closeMark())
}

// settleEnd writes the root twice, if anything was committed. The mark is on the disk before.
func (s *Store) settleEnd(e *engine) error {
	if same, err := alike(e.file); same || err != nil {
		return err
	}
	if err := s.mark.Sync(); err != nil {
		return err
	}
	if err := s.reached(closeBegun); err != nil {
		return err
	}
	if err := twice(e.file, 0); err != nil {
		return err
	}
	return s.reached(closeWhole)
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Sizer     = (*Store)(nil)
	_ store.Spacer    = (*Store)(nil)
	_ store.Compacter = (*Store)(nil)
	_ store.Verifier  = (*Store)(nil)
)
