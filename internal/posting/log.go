// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// A part of the log that is read at once: the store must not be held while its commits are worked
// on, which may ask for pages.
const (
	logPartEntries = 256
	logPartBytes   = 1 << 20
)

// readLog reads some entries of the log, without a gap between them: from the one on that has a
// commit, or else from the next one that is there; none when there are no more.
func (ix *Index) readLog(from uint64) (frames []*wal.Frame, err error) {
	size := 0
	err = ix.Store.Scan(format.AppendIndexPrefix(nil, format.KindLog, ix.ID), format.AppendLogKey(nil, ix.ID, from),
		func(key, value []byte) error {
			if len(key) != format.LogKeyLen {
				return model.Corrupt("log", "got a key of %d bytes, want %d", len(key), format.LogKeyLen)
			}
			f, err := wal.Open(bytes.Clone(key), bytes.Clone(value))
			if err != nil {
				return err
			}
			if n := len(frames); n > 0 && f.First != frames[n-1].Last+1 {
				return model.Corrupt("log", "got entry %d after %d, want %d", f.First, frames[n-1].Last,
					frames[n-1].Last+1)
			}
			frames = append(frames, f)
			if size += len(key) + len(value); len(frames) == logPartEntries || size >= logPartBytes {
				return store.ErrStop
			}
			return nil
		})
	return frames, err
}

// tail returns the checksum of the log entry that ends with a commit, 0 when it is not kept.
func (ix *Index) tail(sequence uint64) (sum uint32, err error) {
	key := format.AppendLogKey(nil, ix.ID, sequence)
	err = ix.Store.Get(key, func(value []byte) error {
		f, err := wal.Open(key, value)
		if err != nil {
			return err
		}
		sum = f.Sum()
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return 0, nil
	}
	return sum, err
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

// measureLog adds up the log at opening.
func (ix *Index) measureLog() error {
	bytes := int64(0)
	err := ix.Store.Scan(format.AppendIndexPrefix(nil, format.KindLog, ix.ID), nil, func(key, value []byte) error {
		bytes += int64(len(key) + len(value))
		return nil
	})
	ix.logBytes.Store(bytes)
	return err
}
