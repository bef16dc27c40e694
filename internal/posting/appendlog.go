// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"time"

	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// A group of commits shares one batch of the store, and one sync. It is bounded so that none waits
// long for the others.
const (
	groupEntries = store.MaxOps - 24
	groupBytes   = 8 << 20
)

// appendLog writes the commits of a group to the log. With SyncEvery it adds them to the commits
// that are to be written soon. After an error none of the group is kept. The caller holds w.mu.
func (w *writer) appendLog(p *wal.Pending) error {
	if w.config.SyncEvery <= 0 {
		err := w.writeGroup(p)
		if err == nil {
			return nil
		}
		if isUnchanged(err) {
			w.rollback() // the store has changed nothing, and takes writes again when there is room
			return err
		}
		return w.fail(err)
	}
	if w.unsynced.Count()+p.Count() > groupEntries || w.unsynced.Size()+p.Size() > groupBytes || w.overdue {
		if err := w.writeUnsynced(); err != nil {
			w.rollback()
			return err
		}
	}
	if w.unsynced.Count() == 0 {
		time.AfterFunc(w.config.SyncEvery, func() { wake(w.logDue) })
	}
	w.unsynced.Append(p)
	return nil
}

// writeGroup writes the commits of a group to the log. The processor has no part in a sync:
// meanwhile their edits, which nobody sees yet, are sorted into the delta.
func (w *writer) writeGroup(p *wal.Pending) error {
	if w.config.NoSync {
		return w.writeLog(p, false)
	}
	written := make(chan error, 1)
	go func() { written <- w.writeLog(p, true) }()
	w.active.Arrange()
	return <-written
}

// writeLog writes commits to the log, all of them or none. Whoever holds w.mu waits for it.
func (w *writer) writeLog(p *wal.Pending, sync bool) error {
	var b store.Batch
	p.Put(&b, w.source.ID)
	err := w.source.Store.Apply(&b, sync)
	if err == nil {
		w.changes.bytes.Add(int64(b.Size()))
	}
	return err
}

// writeUnsynced writes the commits that wait, synced. When the disk is full they go on waiting, and
// new commits are refused until they are written. The caller holds w.mu.
func (w *writer) writeUnsynced() error {
	if w.unsynced.Count() == 0 {
		return nil
	}
	if w.failure != nil {
		return w.failure
	}
	err := w.writeLog(&w.unsynced, true)
	w.overdue = err != nil
	switch {
	case err == nil:
		w.unsynced = wal.Pending{}
		return nil
	case isUnchanged(err):
		return err
	}
	return w.fail(err)
}

// writeUnsyncedWhenDue writes log entries when their time has come, until the index is closed. The
// committer could not: it may be waiting for a flush, for longer than the time.
func (w *writer) writeUnsyncedWhenDue() {
	for {
		select {
		case <-w.stopping.Done():
			return
		case <-w.logDue:
			w.unsyncedDue()
		}
	}
}

// unsyncedDue writes the entries whose time has come. On a full disk it tries again later.
func (w *writer) unsyncedDue() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.writeUnsynced(); err != nil && w.failure == nil {
		w.log.Warn("no room to write the log; trying again", "error", err)
		time.AfterFunc(w.config.pause, func() { wake(w.logDue) })
	}
}
