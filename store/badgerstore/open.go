// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/uproar-db/uproar/store"
)

const (
	valueLogFileSize = 64 << 20
	levelZeroTables  = 2
	compressedCache  = 32 << 20 // Badger takes no compression without a cache of blocks

	// With Options.SmallEntries.
	entriesMemTable        = 16 << 20
	entriesMemTables       = 4
	entriesLevelZeroTables = 8
	entriesLevelZeroStall  = 40
	entriesBaseLevel       = 128 << 20
	entriesTable           = 1 << 20 // in the first level below level 0
	entriesTableGrowth     = 4       // times, from level to level
)

// engineOptions are Badger's settings; docs/design/store.md gives the reasons.
func engineOptions(dir string, opts *Options, fileSize int64, log *logger) badger.Options {
	o := badger.DefaultOptions(dir)
	o.Logger = log
	o.ReadOnly = opts.ReadOnly
	o.MetricsEnabled = false
	o.DetectConflicts = false // batches read nothing

	o.SyncWrites = true
	// without it, a value whose lengths are damaged is never let go of, and closing waits for it
	o.VerifyValueChecksum = true
	o.CompactL0OnClose = false // closing takes no longer than it must

	o.ValueThreshold = valueThreshold
	o.ValueLogFileSize = fileSize
	o.MemTableSize = max(memTableSize, opts.MemTable)
	o.NumLevelZeroTables = levelZeroTables
	o.NumCompactors = 2 // the fewest that Badger takes
	// No caches by default: without compression, blocks and indexes are read from the mapped files
	// as they are, and pages are cached by our callers.
	o.Compression = options.CompressionType(opts.Compression)
	o.BlockCacheSize = opts.BlockCache
	if opts.Compression != NoCompression && opts.BlockCache == 0 {
		o.BlockCacheSize = compressedCache
	}
	o.IndexCacheSize = 0
	if opts.SmallEntries {
		o.ValueThreshold = padFrom
		o.MemTableSize = max(memTableSize, cmp.Or(opts.MemTable, entriesMemTable))
		o.NumMemtables = entriesMemTables
		o.NumLevelZeroTables = entriesLevelZeroTables
		o.NumLevelZeroTablesStall = entriesLevelZeroStall
		o.BaseLevelSize = entriesBaseLevel
		o.BaseTableSize = entriesTable
		o.TableSizeMultiplier = entriesTableGrowth
	}
	return o
}

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store
// alone.
//
// Opening replays at most some tens of megabytes, however the store was left. Where a batch was
// torn, or the newest file of large values is damaged, all tables are read as well, which takes a
// second or two for each gigabyte of keys and small values.
//
// Errors: store.ErrLocked when another user has it open, store.ErrFull when the disk has too little
// room to open it for writing, or the process can open too few files (syscall.EMFILE then),
// store.ErrCorrupt when the engine finds its files damaged, fs.ErrInvalid for options that cannot
// be, or the file system's.
func Open(dir string, opts *Options) (*Store, error) {
	return openStore(dir, opts, valueLogFileSize)
}

// openStore is Open with value-log files of some size, for tests that want many small ones.
func openStore(dir string, opts *Options, fileSize int64) (*Store, error) {
	if opts == nil {
		opts = new(Options)
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	room, inodes := opts.room, opts.inodes
	if room == nil {
		room = diskRoom
	}
	if inodes == nil {
		inodes = filesRoom
	}
	if opts.ReadOnly {
		if info, err := os.Stat(dir); err != nil {
			return nil, fmt.Errorf("badgerstore: open %s for reading: %w", dir, err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("badgerstore: open %s for reading: %w: it is no folder", dir, fs.ErrInvalid)
		}
	} else if err := errors.Join(writable(dir), repair(dir)); err != nil {
		return nil, openError(dir, opts.ReadOnly, err)
	}
	s := &Store{dir: dir, readOnly: opts.ReadOnly, log: newLogger(opts.Logger), room: room, inodes: inodes}
	s.log.check = func(file uint32) error { return checkWhole(s.house.ctx, dir, file) }
	engine := engineOptions(dir, opts, fileSize, s.log)
	if err := checkDescriptorsToOpen(engine, inodes); err != nil {
		return nil, fmt.Errorf("badgerstore: open %s: %w", dir, err)
	}
	if err := checkLocked(dir, opts.ReadOnly, s.log); err != nil {
		return nil, openError(dir, opts.ReadOnly, err)
	}
	if !opts.ReadOnly {
		if err := checkRoomToOpen(dir, room); err != nil {
			return nil, fmt.Errorf("badgerstore: open %s for writing: %w", dir, err)
		}
	}
	db, err := openReplayed(engine)
	if err != nil {
		return nil, openError(dir, opts.ReadOnly, err)
	}
	if err := s.log.damaged(); err != nil {
		return nil, errors.Join(fmt.Errorf("badgerstore: open %s: %w: %w", dir, store.ErrCorrupt, err), db.Close())
	}
	if !s.readOnly {
		// before anything is written to the files that Badger has added
		if err := s.numbers.start(dir, fileSize); err != nil {
			return nil, errors.Join(openError(dir, false, err), db.Close())
		}
	}
	s.db, s.threshold = db, threshold(db.Opts().ValueThreshold)
	s.committed.Store(db.MaxVersion())
	s.house.pace.start(db.Opts().ValueLogFileSize)
	if !s.readOnly {
		db.SetDiscardTs(s.committed.Load())
		s.writes.start(s)
		s.house.start(s, opts.QuietAfter)
	}
	return s, nil
}

// ProbeName is the name of a file that Open makes and removes at once, to see whether it may. A
// process that is killed in between leaves it behind, in a folder that may have no other file yet;
// the next Open removes it.
const ProbeName = "LOCK.probe"

// writable fails when no files can be made in a folder, which it makes: Badger's own words for that
// tell little.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	probe := filepath.Join(dir, ProbeName)
	f, err := os.OpenFile(probe, os.O_WRONLY|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrPermission) && os.Remove(probe) == nil { // one of another user was left behind
		f, err = os.OpenFile(probe, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	if err != nil {
		return err
	}
	removed := os.Remove(probe)
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil // by another process that was opening it
	}
	return errors.Join(f.Close(), removed)
}
