// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// trim deletes flushed log entries, unless the retention keeps one of their commits or an export
// holds them.
func (l *changeLog) trim(flushed uint64) error {
	bounds, oldest := l.config.Retention, l.oldest.Load()
	left, freed := l.bytes.Load(), int64(0)
	last := l.pins.limit(flushed)
	limit := time.Now().Add(-bounds.Age)
	var old [][]byte
	err := l.scan(format.AppendLogKey(nil, l.source.ID, oldest), func(key, value []byte) error {
		if len(key) != format.LogKeyLen {
			return model.Corrupt("log", "got a key of %d bytes, want %d", len(key), format.LogKeyLen)
		}
		if format.NumberOfKey(key) > last {
			return store.ErrStop
		}
		beyond := bounds.Entries > 0 && flushed-format.NumberOfKey(key) >= bounds.Entries || bounds.Bytes > 0 &&
			left > bounds.Bytes
		if !beyond && bounds.Age > 0 {
			f, err := wal.Open(key, value)
			if err != nil {
				return err
			}
			f.Skip(f.Last + 1)
			beyond = time.UnixMilli(int64(f.Time)).Before(limit)
		}
		if !beyond {
			return store.ErrStop
		}
		size := int64(len(key) + len(value))
		left, freed = left-size, freed+size
		old = append(old, append([]byte(nil), key...))
		return nil
	})
	if err != nil || len(old) == 0 {
		return err
	}
	// Readers must learn that entries are gone before they miss them.
	l.oldest.Store(format.NumberOfKey(old[len(old)-1]) + 1)
	l.bytes.Add(-freed)
	return versions.RemoveKeys(l.source.Store, old)
}
