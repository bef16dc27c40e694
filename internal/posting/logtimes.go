// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// LogTimes returns the commit times of the oldest and the newest entry in the log. They have
// millisecond precision and come from the clock of the committing machine; if it was set back, the
// oldest may be the later one. Both are zero when the log is empty. With SyncEvery, LogTimes first
// writes what waits to be written. It is safe for concurrent use.
//
// Cost: two reads of the store. Errors: ErrClosed, ErrCorrupt, ErrFailed, or the store's.
func (ix *Index) LogTimes() (oldest, newest time.Time, err error) {
	if ix.source.Closed.Load() {
		return oldest, newest, model.ErrClosed
	}
	ix.writer.mu.Lock()
	last, err := ix.writer.sequence, ix.writer.writeUnsynced()
	ix.writer.mu.Unlock()
	if err != nil {
		return oldest, newest, err
	}
	if oldest, err = ix.changes.timeFrom(0); err == nil {
		newest, err = ix.changes.timeFrom(last)
	}
	return oldest, newest, err
}
