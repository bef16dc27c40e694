// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

const (
	// copySuffix is what the name of the copy that Compact makes has after that of the file.
	copySuffix = ".compact"

	// copyBytes and copyEntries bound a transaction of the copy, and so what is in memory.
	copyBytes   = 4 << 20
	copyEntries = 1 << 14
)

// milestone is a point of Compact or Open for tests. A process may be killed at it, another may
// act, or what comes next may fail.
type milestone int

const (
	copyBegun    milestone = iota // the copy is there, and empty
	copyPart                      // a transaction of the copy is committed
	copyWhole                     // the copy has all entries and is on the disk
	copyRenamed                   // the copy is in the place of the file; the folder is not synced
	fileOpened                    // by Open: the file is locked, and may not have the name any more
	commitBegun                   // the pages of a commit are about to be written
	commitSynced                  // they and the root are on the disk; the mark does not say so
	closeBegun                    // by Close: the mark is on the disk
	closeWhole                    // and both roots are alike
)

// Compact implements store.Compacter. It copies all entries into a new file, in order and without
// gaps, and puts it into the place of the old one. That needs room on the disk for both. Reads go
// on meanwhile and see no difference; writes wait until the copy is made. Compact returns when all
// reads of the old file have ended, because the disk has its room only then. So the functions given
// to Get and Scan must not call it.
//
// Until the copy is whole and on the disk the store is as it was. When ctx is done, or an error
// met, before that, or the process is killed, the copy is removed, at the latest by the next Open.
//
// Errors, with nothing changed: ErrClosed, also when Close is called meanwhile, ErrReadOnly,
// ErrFull, ErrCorrupt, errors.ErrUnsupported on Windows, where an open file cannot be replaced,
// ctx's, or the file system's. An error in syncing the folder afterwards has all later writes fail,
// as a failed commit has: the system may have either file after a power cut.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.line.Enter(true); err != nil {
		return err
	}
	defer s.line.Leave()
	if runtime.GOOS == "windows" {
		return fmt.Errorf("bboltstore: compact %s: %w: an open file cannot be replaced", s.dir, errors.ErrUnsupported)
	}
	select {
	case s.compacting <- struct{}{}:
	case <-s.line.Ending():
		return store.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-s.compacting }()
		old, err := s.replace(ctx)
		if old != nil {
			old.use.Lock() // its readers have ended, and nobody begins: the store has another
			err = errors.Join(err, old.close())
		}
		done <- err
	}()
	var err error
	select {
	case err = <-done:
	case <-s.line.Broken(): // perhaps by Close
		return cmp.Or(s.interrupted(ctx), s.line.Failure())
	}
	switch {
	case err == nil, errors.Is(err, store.ErrClosed), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	}
	return fmt.Errorf("bboltstore: compact %s: %w", s.dir, err)
}

// replace makes a copy and puts it into the place of the file, while writers wait. It returns the
// old engine if it is replaced, also with an error.
func (s *Store) replace(ctx context.Context) (old *engine, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.line.Failure(); err != nil {
		return nil, err
	}
	if err := s.interrupted(ctx); err != nil {
		return nil, err
	}
	old = s.engine.Load()
	next, err := s.copy(ctx, old)
	if err != nil {
		return nil, errors.Join(err, s.removeCopy())
	}
	if err = os.Rename(s.path+copySuffix, s.path); err != nil {
		// A file system behind a network may have done it all the same.
		if there, statErr := groupcommit.IsAt(next.file, s.path); !there && statErr == nil {
			return nil, errors.Join(err, next.close(), s.removeCopy())
		}
	}
	s.engine.Store(next)
	if err == nil {
		err = s.reached(copyRenamed)
	}
	if err == nil {
		err = descriptor.SyncFolder(filepath.Dir(s.path))
	}
	if err != nil {
		return old, s.line.Fail(err)
	}
	return old, nil
}

// copy makes a copy of an engine's entries, synced, and returns it open and locked.
func (s *Store) copy(ctx context.Context, from *engine) (_ *engine, err error) {
	if err := s.removeCopy(); err != nil {
		return nil, err
	}
	info, err := from.file.Stat()
	if err != nil {
		return nil, err
	}
	trust := func(_ *os.File, _ []meta, err error) error { return err }
	next, err := openEngine(s.path+copySuffix, false, info.Size(), trust)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, next.close())
		}
	}()
	if err := keepOwner(next.file, info); err != nil {
		return nil, fmt.Errorf("owner and permissions of the copy: %w", err)
	}
	if err := s.reached(copyBegun); err != nil {
		return nil, err
	}
	next.db.NoSync = true // nobody relies on the copy until all of it is synced
	if err := s.copyEntries(ctx, from, next); err != nil {
		return nil, err
	}
	next.db.NoSync = false
	if err := next.file.Sync(); err != nil {
		return nil, err
	}
	// Commits go on counting from those of the old file.
	if err := twice(next.file, uint64(from.state())+1); err != nil {
		return nil, err
	}
	if err := s.reached(copyWhole); err != nil {
		return nil, err
	}
	return next, s.interrupted(ctx)
}

// interrupted returns why Compact is to end.
func (s *Store) interrupted(ctx context.Context) error {
	select {
	case <-s.line.Ending():
		return store.ErrClosed
	default:
		return ctx.Err()
	}
}

// copyEntries copies all entries.
func (s *Store) copyEntries(ctx context.Context, from, to *engine) error {
	c := &copier{s: s, to: to}
	err := from.view(nil, func(t *tree) error {
		c.sum = t.sum
		return nil
	})
	if err == nil {
		err = c.begin()
	}
	if err == nil {
		err = c.put([]byte(firstKey), sealed([]byte(firstKey), make([]byte, firstValue)))
	}
	if err == nil {
		err = from.verify(func(key, stored []byte) error {
			if err := s.interrupted(ctx); err != nil {
				return err
			}
			return c.put(key, stored)
		})
	}
	if err == nil {
		err = c.put([]byte(lastKey), sealed([]byte(lastKey), nil))
	}
	if err == nil {
		err = c.commit()
	}
	if err != nil && c.tx != nil {
		if stuck := shield(nil, c.tx.Rollback); stuck != nil && !errors.Is(stuck, bbolterrors.ErrTxClosed) {
			to.wrecked.CompareAndSwap(nil, &stuck)
		}
	}
	return err
}

// copier writes entries to a copy, in transactions of bounded size.
type copier struct {
	s     *Store
	to    *engine
	tx    *bbolt.Tx
	size  int64
	count int
	sum   uint64 // of the weights of all entries
}

// begin begins a transaction.
func (c *copier) begin() error {
	if free := c.s.room(filepath.Dir(c.s.path)); free < copyBytes+reserve {
		return fmt.Errorf("%w: %d MB free at %s, the copy needs more. Try: make room on that disk", store.ErrFull,
			free>>20, c.s.dir)
	}
	var err error
	if c.tx, err = c.to.begin(true); err != nil {
		return err
	}
	c.size, c.count = 0, 0
	bucket, err := c.tx.CreateBucketIfNotExists(entries)
	if err == nil {
		err = bucket.SetSequence(c.sum)
	}
	return err
}

// put copies an entry, as it is stored. bbolt keeps the value, which lies in the mapping of the old
// file, until the transaction ends; that file is closed later.
func (c *copier) put(key, value []byte) error {
	if c.count == copyEntries || c.count > 0 && c.size+int64(len(value)) > copyBytes {
		if err := c.commit(); err != nil {
			return err
		}
		if err := c.s.reached(copyPart); err != nil {
			return err
		}
		if err := c.begin(); err != nil {
			return err
		}
	}
	c.size += int64(len(key) + len(value))
	c.count++
	bucket := c.tx.Bucket(entries)
	bucket.FillPercent = fill
	return bucket.Put(key, value)
}

// commit commits the transaction.
func (c *copier) commit() error { return shield(nil, c.tx.Commit) }

// removeCopy removes what a Compact that did not come to its end left behind.
func (s *Store) removeCopy() error {
	if err := os.Remove(s.path + copySuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
