// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

const (
	// reserve is the room on the disk that no batch may use up, beside that of the memtables: for
	// tables that are merged.
	reserve = 64 << 20

	// leastFiles is how many more files the disk must take: for a log, a manifest, and the tables
	// that are written at a time. Without them the engine waits, and a batch with it.
	leastFiles = 16

	entryBytes   = 16                      // what the engine adds to an entry of a batch, at most
	openPatience = 1000 * time.Millisecond // for an engine that was opened in vain to end
	stuckPoll    = 100 * time.Millisecond  // how often Compact asks whether merges fail
	watchEvery   = 500 * time.Millisecond  // how often it is looked for files that are missing

	// How long after its beginning Close waits for the calls in progress, for the newest entries to
	// be written to a table, and for the engine to end.
	callsPatience = 1000 * time.Millisecond
	flushPatience = 1500 * time.Millisecond
	patience      = 4500 * time.Millisecond
)

// Apply implements store.Store.
func (s *Store) Apply(b *store.Batch, _ bool) error {
	if err := s.line.Enter(true); err != nil {
		return err
	}
	defer s.line.Leave()
	if err := b.Check(); err != nil || b.Len() == 0 {
		return err
	}
	if err := s.canWrite(uint64(b.Size())); err != nil {
		return err
	}
	batch := s.db.NewBatchWithSize(b.Size() + b.Len()*entryBytes)
	for op := range b.Ops() {
		if op.Delete {
			_ = batch.Delete(op.Key, nil) // only a batch that was committed returns an error
		} else {
			_ = batch.Set(op.Key, op.Value, nil)
		}
	}
	return s.line.Commit(batch, batch.Len())
}

// Sync implements store.Store. Every batch whose Apply has returned is on the disk already, so that
// it only tells whether one failed.
func (s *Store) Sync() error {
	if err := s.line.Enter(!s.options.ReadOnly); err != nil {
		return err
	}
	s.line.Leave()
	return nil
}

// Space implements store.Spacer. What the system does not tell is without bound.
func (s *Store) Space() (space store.Space, err error) {
	if err := s.line.Enter(false); err != nil {
		return space, err
	}
	defer s.line.Leave()
	return s.space(0)
}

// space looks at the disk, and fails while a batch of so many bytes would not be taken.
func (s *Store) space(batch uint64) (store.Space, error) {
	space := store.Space{Free: math.MaxUint64, Reserve: reserve + 2*s.memTable(), Files: math.MaxUint64}
	if bytes, files, err := s.disk.Space(s.dir); err == nil {
		space.Free, space.Files = bytes, files
	}
	trouble, want := s.disk.Trouble(), batch+space.Reserve
	switch {
	case s.options.ReadOnly:
		return space, nil
	case space.Free < want:
		return space, fmt.Errorf("pebblestore: %w: %d MB free at %s, want %d MB for the batch and to work in. Try: make "+
			"room on that disk", store.ErrFull, space.Free>>20, s.dir, want>>20)
	case space.Files < leastFiles:
		return space, fmt.Errorf("pebblestore: %w: the disk of %s takes %d more files, want %d. Try: delete files on that "+
			"disk", store.ErrFull, s.dir, space.Files, leastFiles)
	case trouble != nil:
		return space, s.writeError("a table cannot be written, which is tried again", trouble)
	}
	return space, s.look()
}

// canWrite fails while a batch of so many bytes would not be taken.
func (s *Store) canWrite(batch uint64) error {
	_, err := s.space(batch)
	return err
}

// look fails when the folder was moved or deleted.
func (s *Store) look() error { return s.line.Look(map[string]*os.File{s.locked.Name(): s.locked}) }

// start calls fn, which calls the engine and may stop where it does not answer, on a goroutine that
// Close waits for, and sends its error.
func (s *Store) start(fn func() error) <-chan error {
	s.work.Add(1)
	return disk.Start(func() error {
		defer s.work.Done()
		return fn()
	})
}

// watch looks once in watchEvery whether the files are there until the store is closed, and less
// often where looking takes long. When one is missing, writing ends.
func (s *Store) watch() {
	watch := disk.Watch{Disk: s.disk, Dir: s.dir}
	for pause := watchEvery; ; {
		select {
		case <-s.line.Ending():
			return
		case <-s.line.Broken():
			return
		case <-time.After(pause):
		}
		began := time.Now()
		if err := cmp.Or(s.look(), watch.Look()); err != nil {
			s.options.Logger.Error("nothing is written any more", "dir", s.dir, "error", err)
			_ = s.line.Fail(err)
			return
		}
		pause = max(watchEvery, 20*time.Since(began))
	}
}

// writeError is the error of a call that has changed nothing.
func (s *Store) writeError(what string, err error) error {
	if groupcommit.IsFull(err) {
		return fmt.Errorf("pebblestore: %s: %s: %w", s.dir, what, groupcommit.Full(err))
	}
	return fmt.Errorf("pebblestore: %s: %s: %w. Try: look after the disk", s.dir, what, disk.Error(err))
}

// commit commits batches as one. They are seen before they are synced; when that fails, readers go
// on with the state before.
func (s *Store) commit(group []*groupcommit.Waiting[*pebble.Batch]) {
	var err error
	defer func() {
		if err != nil {
			_ = s.line.Fail(fmt.Errorf("commit of %d batches: %w", len(group), disk.Error(err)))
		}
	}()
	defer disk.Shield(new(bool), &err)
	before := s.db.NewSnapshot()
	if !s.line.UnlessFailed(func() { s.before = before }) {
		return
	}
	all := group[0].Batch
	for _, w := range group[1:] {
		err = cmp.Or(err, all.Apply(w.Batch, nil))
	}
	if err == nil {
		err = s.db.Apply(all, pebble.Sync)
	}
	if err == nil {
		err = s.mark.Commit(s.disk.SyncedLog(), uint64(all.SeqNum())+uint64(all.Count()))
	}
	if err == nil && s.line.UnlessFailed(func() {
		s.before = nil
		for _, w := range group {
			_ = w.Batch.Close()
			w.Finish(nil)
		}
	}) {
		err = before.Close()
	}
}

// Close implements store.Store. It waits for the calls in progress, ends a Compact among them, and
// writes the newest entries to a table when there is room, so that nothing is to be replayed. It
// takes at most 5 seconds, whatever the disk does.
//
// After a failure, and when the disk does not answer, the engine is given up: everything that was
// acknowledged is in the log, and the engine does not change a file any more. What it has in memory
// stays until the process ends.
func (s *Store) Close() error {
	began, late := time.Now(), time.After(patience)
	ended, err := s.line.End(callsPatience)
	if err != nil {
		return err
	}
	err = groupcommit.ErrLate
	select {
	case <-ended:
		closed := disk.Start(func() error { return s.closeEngine(began) })
		select {
		case err = <-closed:
		case <-s.line.Broken():
			err = s.line.Failure()
		case <-late:
		}
	case <-late: // somebody reads who gets no answer
	}
	s.disk.GiveUp()
	if err = errors.Join(err, s.locked.Close()); err != nil {
		return fmt.Errorf("pebblestore: close %s: %s, but %w", s.dir, groupcommit.Acknowledged(err), err)
	}
	return nil
}

// closeEngine flushes and closes the engine, unless it has failed. It must not be closed while it
// is about to begin a new log.
func (s *Store) closeEngine(began time.Time) error {
	if err := s.line.Failure(); err != nil {
		return err
	}
	s.work.Wait()
	whole := false // the tables have all
	if !s.options.ReadOnly && s.canWrite(0) == nil {
		flushed, err := s.db.AsyncFlush()
		if err != nil {
			return err
		}
		select {
		case <-flushed:
			whole = true
		case <-time.After(time.Until(began.Add(flushPatience))): // it is replayed
		}
	}
	s.disk.End()
	err := s.db.Close()
	if err == nil && whole {
		err = errors.Join(s.mark.Commit(0, 0), s.locked.Sync())
	}
	return err
}
