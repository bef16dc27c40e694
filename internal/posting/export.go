// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"sync"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/exported"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// Export is one state of an index, held so that its entries in the store can be copied: the pages
// of its manifest, and the log entries that are not in pages yet. The index is read and written
// meanwhile; until Close, pages that only the export can see stay on the disk, and so does the log
// after them. Safe for concurrent use.
type Export struct {
	ix   *Index
	snap reader.Snapshot
	pin  *logPin
	mark exported.Mark
	once sync.Once
}

// Export holds the current state. It takes no time that grows with the index, and the caller closes
// it. Errors: ErrClosed, ErrFailed, or the store's.
func (ix *Index) Export() (*Export, error) {
	if ix.source.Closed.Load() {
		return nil, model.ErrClosed
	}
	// The pin comes before the snapshot, so that no entry after it can go.
	e := &Export{ix: ix, pin: ix.changes.pins.add(ix.source.State.Load().Version.Flushed)}
	ix.writer.mu.Lock()
	err := ix.writer.writeUnsynced()
	e.snap = ix.Snapshot() // before more commits come: an export ends with a log entry, and not within one
	ix.writer.mu.Unlock()
	if err == nil {
		e.mark = exported.Mark{Sequence: e.snap.Sequence(), Flushed: e.snap.St.Version.Flushed,
			Generation: e.snap.St.Version.Generation}
		e.mark.Tail, err = ix.changes.tail(e.mark.Sequence)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Close lets go of the state. Closing an export again does nothing.
func (e *Export) Close() {
	e.once.Do(func() {
		e.snap.Close()
		e.ix.changes.pins.remove(e.pin)
	})
}

// Mark returns how far the export reaches.
func (e *Export) Mark() exported.Mark { return e.mark }

// Pages returns how many pages there are that an export with that generation had not, and their
// bytes. Cost: a walk over the manifest.
func (e *Export) Pages(generation uint64) (pages, bytes uint64) {
	e.snap.St.Version.All(func(r *format.Ref) {
		if r.Generation >= generation {
			pages, bytes = pages+1, bytes+uint64(r.Bytes)
		}
	})
	return pages, bytes
}

// CheckSince fails when the index has never been at a mark. The log entry at it is compared while
// it is kept: that finds a copy of the index that went its own way. Errors:
// exported.ErrOtherHistory, or the store's.
func (e *Export) CheckSince(since exported.Mark) error {
	if since.Sequence > e.mark.Sequence || since.Flushed > e.mark.Flushed || since.Generation > e.mark.Generation {
		return fmt.Errorf("%w: got commit %d, in pages up to %d, generation %d, want at most %d, %d and %d",
			exported.ErrOtherHistory, since.Sequence, since.Flushed,
			since.Generation, e.mark.Sequence, e.mark.Flushed, e.mark.Generation)
	}
	tail, err := e.ix.changes.tail(since.Sequence)
	if err == nil && tail != 0 && since.Tail != 0 && tail != since.Tail {
		return fmt.Errorf("%w: log entry %d: got checksum %08x, want %08x", exported.ErrOtherHistory, since.Sequence,
			since.Tail, tail)
	}
	return err
}

// Each calls fn with the entries of the export, as the store has them. It stops at the first error
// of fn and returns it. The order is:
//   - the whole manifest, as records from number 1
//   - the pages that an export with that generation does not have, in the order of the manifest
//   - the log entries after them
//
// Each verifies every checksum. key and value are valid until fn returns. Each holds no lock while
// fn runs, so fn may take its time.
//
// Errors: ErrCorrupt, ErrClosed, ctx's, fn's, or the store's.
func (e *Export) Each(ctx context.Context, generation uint64, fn func(key, value []byte) error) error {
	m := e.snap.St.Version.Manifest
	held := e.ix.source.Memory.ForBackup()
	defer held.Set(0)
	held.Set(int64(m.Count()) * int64(unsafe.Sizeof(format.Ref{})))
	for i, r := range m.Checkpoint() {
		key := format.AppendManifestKey(nil, e.ix.source.ID, 1+uint64(i))
		if err := fn(key, r.Encode(key)); err != nil {
			return err
		}
	}
	for _, field := range m.SortedFields() {
		for i := range m.Fields[field].Refs {
			if err := e.page(ctx, &m.Fields[field].Refs[i], generation, held, fn); err != nil {
				return err
			}
		}
	}
	return e.log(ctx, held, fn)
}

// page gives one page to fn, if it is new.
func (e *Export) page(ctx context.Context, r *format.Ref, generation uint64, held *memory.Account,
	fn func(key, value []byte) error) error {
	if r.Generation < generation {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.ix.source.Closed.Load() {
		return model.ErrClosed
	}
	held.Set(int64(r.Bytes))
	data, err := e.ix.source.Stored(r, nil)
	if err != nil {
		return err
	}
	if _, err := e.ix.source.Opened(r, data); err != nil {
		return err
	}
	return fn(format.AppendPageKey(nil, e.ix.source.ID, r), data)
}

// log gives the log entries after the pages to fn, part by part.
func (e *Export) log(ctx context.Context, held *memory.Account, fn func(key, value []byte) error) error {
	for next := e.mark.Flushed + 1; next <= e.mark.Sequence; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.ix.source.Closed.Load() {
			return model.ErrClosed
		}
		frames, err := e.ix.changes.read(next)
		if err != nil {
			return err
		}
		size := 0
		for _, f := range frames {
			size += len(f.Value)
		}
		held.Set(int64(size))
		if len(frames) == 0 || frames[0].First != next {
			return model.Corrupt("log", "got none that begins with commit %d, which is not in pages", next)
		}
		for _, f := range frames {
			if next > e.mark.Sequence {
				break
			}
			if err := fn(f.Key, f.Value); err != nil {
				return err
			}
			next = f.Last + 1
		}
	}
	return nil
}
