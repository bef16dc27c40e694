// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"time"

	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// appendLog writes the commits of a group to the log, or with SyncEvery puts them with those that
// are to be written soon. After an error none of the group is kept. The caller holds ix.write.
func (ix *Index) appendLog(g *group) error {
	if ix.config.SyncEvery <= 0 {
		err := ix.writeBeside(&g.Pending)
		if err == nil {
			return nil
		}
		if errors.Is(err, store.ErrFull) {
			ix.rollback() // the store has changed nothing, and takes writes again when there is room
			return err
		}
		ix.fail(err)
		return ix.failure
	}
	if ix.unsynced.Count()+g.Count() > groupEntries || ix.unsynced.Size()+g.Size() > groupBytes || ix.overdue {
		if err := ix.writeUnsynced(); err != nil {
			ix.rollback()
			return err
		}
	}
	if ix.unsynced.Count() == 0 {
		time.AfterFunc(ix.config.SyncEvery, func() { wake(ix.due) })
	}
	ix.unsynced.Append(&g.Pending)
	return nil
}

// writeBeside writes the commits of a group to the log. The processor has no part in a sync:
// meanwhile their edits, which nobody sees yet, are sorted into the delta.
func (ix *Index) writeBeside(p *wal.Pending) error {
	if ix.config.NoSync {
		return ix.writeLog(p, false)
	}
	written := make(chan error, 1)
	go func() { written <- ix.writeLog(p, true) }()
	ix.active.Arrange()
	return <-written
}

// writeLog writes commits to the log, all of them or none. Whoever holds ix.write waits for it.
func (ix *Index) writeLog(p *wal.Pending, sync bool) error {
	var b store.Batch
	p.Put(&b, ix.ID)
	err := ix.Store.Apply(&b, sync)
	if err == nil {
		ix.logBytes.Add(int64(b.Size()))
	}
	return err
}

// writeUnsynced writes the commits that wait, synced. When the disk is full they go on waiting, and
// new commits are refused until they are written. The caller holds ix.write.
func (ix *Index) writeUnsynced() error {
	if ix.unsynced.Count() == 0 {
		return nil
	}
	if ix.failure != nil {
		return ix.failure
	}
	err := ix.writeLog(&ix.unsynced, true)
	ix.overdue = err != nil
	switch {
	case err == nil:
		ix.unsynced = wal.Pending{}
		return nil
	case errors.Is(err, store.ErrFull):
		return err
	}
	ix.fail(err)
	return ix.failure
}

// writeUnsyncedWhenDue writes log entries when their time has come, until the index is closed. The
// committer could not: it may be waiting for a flush, for longer than the time.
func (ix *Index) writeUnsyncedWhenDue() {
	for {
		select {
		case <-ix.stopping.Done():
			return
		case <-ix.due:
			ix.unsyncedDue()
		}
	}
}

// unsyncedDue writes the entries whose time has come. On a full disk it tries again later.
func (ix *Index) unsyncedDue() {
	ix.write.Lock()
	defer ix.write.Unlock()
	if err := ix.writeUnsynced(); err != nil && ix.failure == nil {
		ix.log.Warn("no room to write the log; trying again", "error", err)
		time.AfterFunc(ix.config.pause, func() { wake(ix.due) })
	}
}
