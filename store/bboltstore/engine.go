// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"os"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// engine is bbolt with a file open. A store has one at a time; Compact replaces it.
type engine struct {
	db     *bbolt.DB
	file   *os.File // bbolt's own
	mapped int64    // bytes that were mapped at opening, at least; 0 when not known

	// Readers hold use for reading. Who closes the engine, after the store has another, takes it
	// once for writing.
	use sync.RWMutex

	known known

	frozen  atomic.Pointer[bbolt.Tx] // after a failed commit: the state before it, which all readers see
	wrecked atomic.Pointer[error]    // bbolt stopped while it held its locks: it is not called any more
}

// acquire returns the engine of the store for reading, without waiting for anything. The caller
// must call use.RUnlock.
func (s *Store) acquire() *engine {
	for {
		if e := s.engine.Load(); e.use.TryRLock() {
			return e
		} // else it was replaced since
	}
}

// stopped returns the error of an engine that cannot be called any more.
func (e *engine) stopped() error {
	if err := e.wrecked.Load(); err != nil {
		return *err
	}
	return nil
}

// begin begins a transaction. When bbolt stops there, because the file was cut short under its
// feet, it does so holding its locks: whoever called it again would wait for ever.
func (e *engine) begin(writable bool) (tx *bbolt.Tx, err error) {
	if err := e.stopped(); err != nil {
		return nil, err
	}
	began := false
	err = shield(nil, func() (err error) {
		tx, err = e.db.Begin(writable)
		began = true
		return err
	})
	if !began {
		e.wrecked.CompareAndSwap(nil, &err)
	}
	return tx, err
}

// view calls fn with the latest state.
func (e *engine) view(theirs *bool, fn func(t *tree) error) error {
	tx := e.frozen.Load()
	if tx == nil {
		var err error
		if tx, err = e.begin(false); err != nil {
			return err
		}
		defer tx.Rollback()
	}
	return shield(theirs, func() error {
		t, err := e.treeOf(tx)
		if err != nil {
			return err
		}
		return fn(t)
	})
}

// state returns the number of the state that a reader would see now; -1 when there is none.
func (e *engine) state() int {
	tx, err := e.begin(false)
	if err != nil {
		return -1
	}
	defer tx.Rollback()
	return tx.ID()
}

// close closes an engine that nobody uses any more, and gives up its lock.
func (e *engine) close() error {
	if e.wrecked.Load() != nil {
		return e.file.Close() // the mapping stays until the process ends
	}
	var err error
	if tx := e.frozen.Load(); tx != nil {
		err = tx.Rollback()
	}
	if closing := e.db.Close(); err == nil {
		err = closing
	}
	return err
}
