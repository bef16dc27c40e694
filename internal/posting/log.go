// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
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

// changeLog is the log of an index in the store, as far as it is kept. Safe for concurrent use.
type changeLog struct {
	*env
	oldest atomic.Uint64 // the first commit that is kept
	bytes  atomic.Int64  // of all entries
	whole  uint64        // the first commit behind a gap that opening has found; 0: it found none
	pins   logPins       // entries that are being copied
	recent delta.Recent  // guarded by writer.mu
}

// scan calls fn with what the store has of the log from a key on, in order; nil: all of it.
func (l *changeLog) scan(start []byte, fn func(key, value []byte) error) error {
	return l.source.Store.Scan(format.AppendIndexPrefix(nil, format.KindLog, l.source.ID), start, fn)
}

// read reads some entries of the log without a gap between them. It starts with the entry that has
// the commit, or else with the next one that is kept. It returns none at the end of the log.
func (l *changeLog) read(from uint64) (frames []*wal.Frame, err error) {
	size := 0
	err = l.scan(format.AppendLogKey(nil, l.source.ID, from), func(key, value []byte) error {
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

// findOldest finds the first commit that is kept; the one after those in pages, if none is.
func (l *changeLog) findOldest(flushed uint64) error {
	oldest := flushed + 1
	err := l.scan(format.AppendLogKey(nil, l.source.ID, l.whole), func(key, value []byte) error {
		if len(key) != format.LogKeyLen {
			return model.Corrupt("log", "got a key of %d bytes, want %d", len(key), format.LogKeyLen)
		}
		oldest = format.NumberOfKey(key)
		if f, err := wal.Open(key, value); err == nil {
			oldest = f.First // whoever reads a damaged entry is told
		}
		return store.ErrStop
	})
	l.oldest.Store(oldest) // once: followers read meanwhile
	return err
}

// tail returns the checksum of the log entry that ends with a commit, 0 when it is not kept.
func (l *changeLog) tail(sequence uint64) (sum uint32, err error) {
	key := format.AppendLogKey(nil, l.source.ID, sequence)
	err = l.source.Store.Get(key, func(value []byte) error {
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
func (l *changeLog) timeFrom(number uint64) (t time.Time, err error) {
	err = l.scan(format.AppendLogKey(nil, l.source.ID, number), func(key, value []byte) error {
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

// measure adds up the log at opening. It does not read again what the last session has added up.
// Of a copy of a store it returns the keys that are to be deleted: of entries before a gap in what
// is in pages. The copy that leads has deleted them, and this process ended before it did so too.
func (l *changeLog) measure(flushed uint64, last format.Session) (left [][]byte, err error) {
	size, next := int64(last.LogBytes), uint64(0)
	start := []byte(nil)
	if last.Sequence > 0 {
		start = format.AppendLogKey(nil, l.source.ID, last.Sequence+1)
	}
	err = l.scan(start, func(key, value []byte) error {
		if l.config.copied() && len(key) == format.LogKeyLen && next <= flushed {
			f, err := wal.Open(key, value) // whoever reads a damaged entry is told
			if err == nil && next > 0 && f.First > next {
				size, l.whole = 0, f.First
			}
			next = format.NumberOfKey(key) + 1
		}
		size += int64(len(key) + len(value))
		return nil
	})
	if err == nil && 0 < next && next <= flushed {
		size, l.whole = 0, flushed+1 // all that are there are left over
	}
	l.bytes.Store(size)
	if err != nil || l.whole == 0 {
		return nil, err
	}
	err = l.scan(nil, func(key, _ []byte) error {
		if format.NumberOfKey(key) >= l.whole {
			return store.ErrStop
		}
		left = append(left, bytes.Clone(key))
		return nil
	})
	return left, err
}
