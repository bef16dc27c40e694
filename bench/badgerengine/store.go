// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package badgerengine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/uproar-db/uproar/store"
)

const (
	threshold = 1 << 10 // values from here on are in the value log
	memTable  = 4 << 20
	vlogFile  = 64 << 20
)

// Store is a store.Store and a store.Sizer on Badger.
type Store struct {
	db        *badger.DB
	dir       string
	pad       int // values of this size to threshold are padded in a heavy batch
	gate      sync.RWMutex
	closed    bool
	committed atomic.Uint64

	mu    sync.Mutex
	queue []*commit
	turn  sync.Mutex
	err   error // of the first commit that failed, under turn

	written atomic.Int64 // bytes since the last collection
	collect chan struct{}
	work    sync.WaitGroup
}

// Open opens the store in a folder, or makes it. With small it is set up for many small entries,
// otherwise for pages.
func Open(dir string, small bool) (*Store, error) {
	o := badger.DefaultOptions(dir)
	o.Logger, o.MetricsEnabled, o.DetectConflicts = nil, false, false
	o.SyncWrites, o.VerifyValueChecksum, o.CompactL0OnClose = true, true, false
	o.ValueThreshold, o.ValueLogFileSize, o.MemTableSize = threshold, vlogFile, memTable
	o.NumLevelZeroTables, o.NumCompactors = 2, 2
	o.Compression, o.BlockCacheSize, o.IndexCacheSize = options.None, 0, 0
	if small {
		o.ValueThreshold, o.MemTableSize, o.NumMemtables = 64, 16<<20, 4
		o.NumLevelZeroTables, o.NumLevelZeroTablesStall = 8, 40
		o.BaseLevelSize, o.BaseTableSize, o.TableSizeMultiplier = 128<<20, 1<<20, 4
	}
	db, err := badger.OpenManaged(o)
	if err != nil {
		return nil, err
	}
	s := &Store{db: db, dir: dir, pad: 64, collect: make(chan struct{}, 1)}
	s.committed.Store(db.MaxVersion())
	s.work.Go(s.collectOn)
	return s, nil
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

// engineKey escapes keys that Badger would take for its own.
func engineKey(key []byte) []byte {
	if len(key) == 0 || key[0] != '!' {
		return key
	}
	return append([]byte{'!'}, key...)
}

// callerKey is the inverse of engineKey; false means that the key is Badger's, or filler.
func callerKey(key []byte) ([]byte, bool) {
	if key[0] != '!' {
		return key, len(key) <= store.MaxKey
	}
	return key[1:], len(key) > 1 && key[1] == '!'
}

// show calls fn with a value. Collection may have moved it: then the error is errMoved.
func show(item *badger.Item, fn func([]byte) error) error {
	return item.Value(func(value []byte) error {
		if len(value) == 0 && item.ValueSize() > 0 {
			return errMoved
		}
		if item.UserMeta() == 1 {
			value = value[:int(value[threshold])|int(value[threshold+1])<<8]
		}
		return fn(value)
	})
}

var errMoved = errors.New("badgerengine: the value cannot be read")

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) (err error) {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	if len(key) == 0 {
		return store.ErrEmptyKey
	}
	for range 3 {
		txn := s.db.NewTransactionAt(s.committed.Load(), false)
		item, err := txn.Get(engineKey(key))
		if errors.Is(err, badger.ErrKeyNotFound) {
			return store.ErrNotFound
		}
		if err != nil {
			return err
		}
		if err = show(item, fn); err != errMoved {
			return err
		}
	}
	return fmt.Errorf("%w: %w", store.ErrCorrupt, errMoved)
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	return s.walk(prefix, start, func(key []byte, item *badger.Item) error {
		return show(item, func(value []byte) error { return fn(key, value) })
	})
}

// Keys implements store.Store.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.walk(prefix, start, func(key []byte, _ *badger.Item) error { return fn(key) })
}

func (s *Store) walk(prefix, start []byte, fn func(key []byte, item *badger.Item) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.gate.RUnlock()
	txn := s.db.NewTransactionAt(s.committed.Load(), false)
	defer txn.Discard()
	// Badger deletes no file while an iterator is open, but counts a new one late: the first is
	// open before the second looks.
	guard := txn.NewKeyIterator([]byte{'!'}, badger.IteratorOptions{})
	defer guard.Close()
	it := txn.NewIterator(badger.IteratorOptions{Prefix: engineKey(prefix)})
	defer it.Close()
	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	for it.Seek(engineKey(start)); it.Valid(); it.Next() {
		key, ours := callerKey(it.Item().Key())
		if !ours {
			continue
		}
		if err := fn(key, it.Item()); errors.Is(err, store.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Sync implements store.Store: each batch is synced before Apply returns.
func (s *Store) Sync() error {
	err := s.enter()
	if err == nil {
		s.gate.RUnlock()
	}
	return err
}

// Size implements store.Sizer: what the files take, which have holes.
func (s *Store) Size() (size store.Size, err error) {
	if err := s.enter(); err != nil {
		return size, err
	}
	defer s.gate.RUnlock()
	files, err := os.ReadDir(s.dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil { // else it was deleted since
			size.Tree += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
	}
	return size, err
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.gate.Lock()
	closed := s.closed
	s.closed = true
	s.gate.Unlock()
	if closed {
		return store.ErrClosed
	}
	close(s.collect)
	s.work.Wait()
	return s.db.Close()
}
