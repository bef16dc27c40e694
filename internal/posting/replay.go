// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// replay applies the log entries after the manifest to the active delta.
func (ix *Index) replay() error {
	prefix := format.AppendIndexPrefix(nil, format.KindLog, ix.ID)
	flushed := ix.sequence
	ix.logOldest.Store(flushed + 1)
	err := ix.Store.Scan(prefix, nil, func(key, value []byte) error {
		if len(key) != format.LogKeyLen {
			return model.Corrupt("log", "got a key of %d bytes, want %d", len(key), format.LogKeyLen)
		}
		oldest := format.NumberOfKey(key)
		if f, err := wal.Open(key, value); err == nil {
			oldest = f.First // a damaged entry is told to those who read it
		}
		ix.logOldest.Store(oldest)
		return store.ErrStop
	})
	if err != nil {
		return err
	}
	for {
		frames, err := ix.readLog(ix.sequence + 1)
		if err != nil || len(frames) == 0 {
			return err
		}
		for _, f := range frames {
			if f.First != ix.sequence+1 {
				return model.Corrupt("log", "got entry %d after %d, want %d", f.First, ix.sequence, ix.sequence+1)
			}
			if err := ix.replayFrame(f); err != nil {
				return err
			}
		}
	}
}

// replayFrame applies the commits of a frame.
func (ix *Index) replayFrame(f *wal.Frame) error {
	ix.active.Logged += int64(len(f.Key) + len(f.Value))
	for {
		entry, err := f.Decode()
		if entry == nil || err != nil {
			return err
		}
		if err := ix.follow(entry); err != nil {
			return err
		}
		if err := ix.apply(entry); err != nil {
			return err
		}
	}
}
