// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// LogTimes returns when the oldest and the newest entry of the log that are kept were committed, to
// the millisecond, by the clock of whoever committed them: a clock that was set back may make the
// oldest the later one. Both are zero when the log is empty. With SyncEvery, what waits to be
// written is written first. Safe for concurrent use.
//
// Cost: two reads of the store. Errors: ErrClosed, ErrCorrupt, ErrFailed, or the store's.
func (ix *Index) LogTimes() (oldest, newest time.Time, err error) {
	if ix.Closed.Load() {
		return oldest, newest, model.ErrClosed
	}
	ix.write.Lock()
	last, err := ix.sequence, ix.writeUnsynced()
	ix.write.Unlock()
	if err != nil {
		return oldest, newest, err
	}
	if oldest, err = ix.timeFrom(0); err == nil {
		newest, err = ix.timeFrom(last)
	}
	return oldest, newest, err
}

// timeFrom returns the time of the first commit from a number on: the one with that number may be
// trimmed meanwhile.
func (ix *Index) timeFrom(number uint64) (t time.Time, err error) {
	err = ix.Store.Scan(format.AppendIndexPrefix(nil, format.KindLog, ix.ID), format.AppendLogKey(nil, ix.ID, number),
		func(key, value []byte) error {
			if len(key) != format.LogKeyLen {
				return model.Corrupt("log", "got a key of %d bytes, want %d", len(key), format.LogKeyLen)
			}
			f, err := wal.Open(key, value)
			if err != nil {
				return err
			}
			f.Skip(number)
			f.Raw()
			t = time.UnixMilli(int64(f.Time))
			return store.ErrStop
		})
	return t, err
}
