// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pebblestore is the store on Pebble, a log-structured merge tree: for databases that are
// written much, and loaded in bulk. Every commit goes to a log and is synced; tables are written
// and merged in the background. Values lie in the tables with their keys: each is written again
// whenever its table is merged, and Keys reads the values that it passes.
//
// What is ours: concurrent batches share a commit and its sync; a failed commit is not seen by
// readers; a full or broken disk, and damage, are errors, where the engine would end the process
// (internal/disk); commits that are lost are noticed (internal/inspect); closing is bounded,
// whatever the disk does. docs/design/store.md gives the reasons.
package pebblestore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
	"github.com/uproar-db/uproar/store/pebblestore/internal/inspect"
)

// FileName is the name of the file in the folder of a store that tells whose it is, is locked while
// the store is open, and has the mark of the last commit.
const FileName = "uproar.pebble"

// Store is a store in a folder. It fulfils store.Store, store.Sizer, store.Spacer, store.Compacter,
// store.Pacer, store.Ingester and store.Verifier, and is safe for concurrent use.
//
// Every batch is synced before Apply returns, asked or not: the engine keeps in the process what it
// is not to sync, so that a killed process would lose it.
type Store struct {
	db      *pebble.DB
	dir     string
	options Options // with what they leave open
	disk    *disk.Disk
	locked  *os.File // FileName
	mark    inspect.Marker

	salvaged inspect.Salvaged // what a salvage reads
	rebuilt  bool             // a salvage has made its manifest
	lost     error            // see Lost
	line     *groupcommit.Line[*pebble.Batch]
	work     sync.WaitGroup // goroutines of ours that call the engine and may begin a new log

	ingestions atomic.Uint64 // how many were begun

	before *pebble.Snapshot                // the state before the commit under way; nil while there is none
	frozen atomic.Pointer[pebble.Snapshot] // what readers see after a commit has failed
}

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// Logger is told of errors, and at the debug level what the engine does. Nil: nobody is told.
	Logger *slog.Logger

	// ReadOnly opens the store for reading only; several processes may have it open so, but none
	// for writing meanwhile. It takes a store that was not closed properly as well, and changes
	// nothing in its folder.
	ReadOnly bool

	// Salvage opens a damaged store for reading only. Single bits that have flipped are put right:
	// see Mended. What cannot be read is left out: what is behind the damage to a log, the entries
	// of a missing table. Without a manifest all tables are read, and the logs of a store that was
	// not closed. What is found may be older than what was acknowledged: see Lost.
	Salvage bool

	// Memory is what the shares of the engine are measured by, in bytes. A sixteenth of it, and 1
	// to 64 MiB, is the size of a memtable, of which there are up to three, and of the memory for
	// blocks that were read, at least 2 MiB. A batch larger than half a memtable comes on top while
	// it is written. Default: 128 MiB.
	Memory int64

	// BlockCache is the memory for blocks that were read, in bytes; filters lie in it. Default: the
	// share of Memory.
	BlockCache int64

	// Compression is what tables are compressed with from now on. Those that are there stay as they
	// are until they are merged.
	Compression Compression
}

// Compression is a way to compress tables.
type Compression int

// The compressions. Pages are compressed already, as sets are: nothing is gained for databases.
const (
	NoCompression Compression = iota
	Snappy
	Zstd
)

var profiles = [...]*block.CompressionProfile{block.NoCompression, block.SnappyCompression, block.ZstdCompression}

// state returns what readers see: the latest state, or after a failed commit the one before it.
func (s *Store) state() pebble.Reader {
	if before := s.frozen.Load(); before != nil {
		return before
	}
	if s.rebuilt {
		return inspect.Scanning{Reader: s.db}
	}
	return s.db
}

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) (err error) {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	theirs := false
	defer disk.Shield(&theirs, &err)
	value, closer, err := s.state().Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("pebblestore: get %.64q: %w", key, disk.Error(err))
	}
	defer closer.Close()
	theirs = true
	return fn(value)
}

// Keys implements store.Store. The blocks that it passes are read with the values in them.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.Scan(prefix, start, func(key, _ []byte) error { return fn(key) })
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) (err error) {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	bounds := pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)}
	if bytes.Compare(start, prefix) > 0 {
		bounds.LowerBound = start
	}
	if len(bounds.LowerBound) == 0 {
		bounds.LowerBound = nil // the engine's checks in builds with -race take no empty bound
	}
	if bounds.UpperBound != nil && bytes.Compare(bounds.LowerBound, bounds.UpperBound) >= 0 {
		return nil
	}
	theirs, passed := false, []byte(nil)
	defer disk.Shield(&theirs, &err)
	it, err := s.state().NewIter(&bounds)
	if err == nil {
		defer it.Close() // its error is that of Error
		for ok := it.First(); ok && err == nil; ok = err == nil && it.Next() {
			var value []byte
			if value, err = it.ValueAndErr(); err != nil {
				break
			}
			if s.rebuilt { // a key may lie in several tables, and in the log, under one number
				if bytes.Equal(passed, it.Key()) {
					continue
				}
				passed = append(passed[:0], it.Key()...)
			}
			theirs = true
			if result := fn(it.Key(), value); errors.Is(result, store.ErrStop) {
				return nil
			} else if result != nil {
				return result
			}
			theirs = false
		}
		err = cmp.Or(err, it.Error())
	}
	if err != nil {
		return fmt.Errorf("pebblestore: scan of %.64q: %w", prefix, disk.Error(err))
	}
	return nil
}

// after returns the least key behind all that have a prefix, nil when there is none.
func after(prefix []byte) []byte {
	end := bytes.TrimRight(prefix, "\xff")
	if len(end) == 0 {
		return nil
	}
	end = bytes.Clone(end)
	end[len(end)-1]++
	return end
}

// Size implements store.Sizer: all of it is Tree.
func (s *Store) Size() (size store.Size, err error) {
	if err := s.line.Enter(false); err != nil {
		return size, err
	}
	defer s.line.Leave()
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

// Compact implements store.Compacter: it merges all tables, and removes the logs whose entries they
// have. The disk needs room for what a merge writes beside what it reads.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.line.Enter(true); err != nil {
		return err
	}
	defer s.line.Leave()
	s.disk.Retry()
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	log := s.disk.NewestLog()        // those before it are of memtables that are flushed first
	merged := s.start(func() error { // which may wait where no context is heard
		if err := s.db.Compact(own, nil, bytes.Repeat([]byte{0xff}, store.MaxKey+1), false); err != nil {
			return err
		}
		return s.disk.DropLogs(s.dir, log)
	})
	for ctx.Err() == nil {
		var err error
		select {
		case err = <-merged:
			if err == nil {
				return nil
			}
		case <-s.line.Ending():
			return store.ErrClosed
		case <-s.line.Broken():
			return s.line.Failure()
		case <-ctx.Done():
		case <-time.After(stuckPoll): // another merge may be in the way, which fails again and again
			err = s.disk.Stuck()
		}
		if err != nil && ctx.Err() == nil {
			return s.writeError("tables cannot be merged", err)
		}
	}
	return ctx.Err()
}

// Await implements store.Pacer: writers wait while a memtable cannot be flushed, or too many tables
// are to be merged. It does not wait for a store that has failed or is closed, which Apply tells.
func (s *Store) Await(ctx context.Context) error {
	if ended := s.disk.Stall(); ended != nil {
		select {
		case <-ended:
		case <-s.line.Ending():
		case <-s.line.Broken():
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Verify implements store.Verifier: it reads the mark, the log up to the last commit, the manifest,
// and every block of every table.
func (s *Store) Verify(ctx context.Context) (err error) {
	if err := s.line.Enter(false); err != nil {
		return err
	}
	defer s.line.Leave()
	defer disk.Shield(new(bool), &err)
	return s.files().Verify(ctx, s.db)
}

// Lost tells of commits that were acknowledged and are not there, of a store that was opened with
// Options.Salvage. nil: none was noticed.
func (s *Store) Lost() error { return s.lost }

// Mended implements store.Mender.
func (s *Store) Mended() (bits []store.Bit, more bool) { return s.salvaged.Mended.Bits() }
