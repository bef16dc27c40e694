// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package badgerstore is the store on disk that Uproar uses by default: Badger, set up for values
// of tens of kilobytes.
//
// What is Badger's business and what is ours: Badger keeps keys and small values in a
// log-structured tree, and large values in a value log, so that rewriting the tree does not rewrite
// pages. We number the commits (Badger's "managed mode"), so that reading waits for nothing; merge
// concurrent batches into one synced transaction; hold Badger to the promises of [store.Store]
// where it would rather log an error than return it; and reclaim space. docs/design/store.md gives
// the reasons, and what in Badger's code they rest on.
package badgerstore

import (
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

// Store is a store in a folder of files. It fulfils store.Store, store.Sizer, store.Compacter and
// store.Pacer, and is safe for concurrent use.
//
// Every batch is synced before Apply returns, asked or not: Badger moves values between files in
// the background and deletes the old ones, which is only safe when nothing waits unsynced.
// Concurrent calls of Apply share one sync. A batch of one small entry takes a few syncs of the
// disk, one of megabytes as long as the disk takes to write it once.
type Store struct {
	db       *badger.DB
	dir      string
	readOnly bool

	threshold threshold
	log       *logger
	room      func(dir string) int64 // free bytes
	inodes    func(dir string) int64 // how many files can be made

	gate  gate           // passed by every call
	scans sync.WaitGroup // scans that have left the gate

	// committed is the timestamp that readers read at: everything up to it is whole and on the
	// disk.
	committed atomic.Uint64
	writes    commits
	numbers   numbers
	house     housekeeping
}

// Options say how a store is opened. Nil means the zero Options.
type Options struct {
	// Logger is told what the engine does: warnings and errors, and its many remarks at the debug
	// level. Nil: nobody is told.
	Logger *slog.Logger

	// ReadOnly opens the store for reading only; several processes may have it open so. That needs
	// a store that was closed properly.
	ReadOnly bool

	// Compression compresses the tables of the tree: keys, and values below 1 KB. Values of pages
	// are in the value log, as they are. Default: NoCompression, which serves pages best.
	Compression Compression

	// BlockCache is the memory for uncompressed blocks of the tree, in bytes. Default: none without
	// compression, where blocks are read from the mapped files, 32 MiB with it.
	BlockCache int64

	// SmallEntries sets the engine up for many millions of small entries in random order instead of
	// pages. It then merges them less often and writes fewer bytes:
	//
	//   - Values from 64 bytes on go to the value log, so that only keys are merged from level to
	//     level.
	//   - Memtables and levels are larger, so that keys are merged less often.
	//   - More files gather at level 0 before writers wait.
	//
	// It takes some 300 MB of memory while writing, reading a value of 64 bytes to 1 KB takes a
	// second access, and a kill leaves more to be replayed. It is a choice of each opening: a
	// folder may be opened with it and without it.
	SmallEntries bool

	// MemTable is the size, in bytes, at which the newest entries are moved from memory to a table.
	// At least 4 MiB. Larger ones are merged less often, take several times as much memory, and
	// tell housekeeping later what is garbage. Default: 4 MiB, with SmallEntries 16 MiB.
	MemTable int64

	// QuietAfter is how long nothing must have been written for the last garbage to be collected.
	// While much is written, garbage is collected as it gathers, whatever the time. Default 5 s.
	QuietAfter time.Duration

	// For tests; nil: the system is asked.
	room   func(dir string) int64 // free bytes of the disk of a folder
	inodes func(dir string) int64 // how many files can be made there
}

// Compression is how the tables of the tree are compressed.
type Compression uint8

// The kinds of compression.
const (
	NoCompression Compression = iota
	Snappy
	Zstd
)

// check fails for options that cannot be.
func (o *Options) check() error {
	if o.Compression > Zstd || o.BlockCache < 0 || o.QuietAfter < 0 || o.MemTable != 0 &&
		(o.MemTable < memTableSize || o.MemTable > 1<<30) {
		return fmt.Errorf("badgerstore: got compression %d, block cache %d, quiet after %v and memtable %d, want a "+
			"compression of at most %d, 0 or more, and a memtable of %d to %d: %w",
			o.Compression, o.BlockCache, o.QuietAfter, o.MemTable, Zstd, memTableSize, 1<<30, fs.ErrInvalid)
	}
	return nil
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Sizer     = (*Store)(nil)
	_ store.Compacter = (*Store)(nil)
	_ store.Pacer     = (*Store)(nil)
)
