// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
)

// epochShift is where the epoch of a writer stands in the generations of its pages, so that no two
// writers give the same one.
const epochShift = 40

// maxEpoch is the greatest epoch of a writer.
const maxEpoch = 1<<(64-epochShift) - 2

// KeepsDeletions reports whether an entry may be in use when another process deletes it: snapshots
// see pages, and readers of the changes log entries. Refresh is told of such deletions.
func KeepsDeletions(key []byte) bool {
	return len(key) > 0 && (key[0] == format.KindPage || key[0] == format.KindLog)
}

// OwnerOf returns the number of the index that an entry under a key belongs to; ok is false for
// entries of the database.
func OwnerOf(key []byte) (index uint32, ok bool) { return format.IndexOfKey(key) }

// Refresh makes visible what another process has written to the store: manifests and log entries.
// deleted are keys of the index that the other has deleted, and that are still there: they go when
// no reader needs them. The index must follow. One call at a time. Cost: the new records and
// entries; after a flush or load of the other, the log since then.
//
// Errors: ErrCorrupt, ErrVersion, ErrClosed, or the store's.
func (ix *Index) Refresh(deleted [][]byte) error {
	release, err := ix.manifests.lockMerges(context.Background())
	if err != nil {
		return err
	}
	defer release()
	return ix.refresh(deleted)
}

// refresh is Refresh for a caller that has merges wait.
func (ix *Index) refresh(deleted [][]byte) error {
	ms, w := ix.manifests, ix.writer
	old := ix.source.State.Load().Version
	next, dropped, err := ms.readNews(old.Manifest)
	if err != nil {
		return err
	}
	pages, err := ix.changes.forget(deleted)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.sequence
	if next != nil {
		w.active, w.sequence = delta.New(next.Next), next.Flushed
		w.deletions++ // who looked up before does not know what the delta knew
	}
	if err := w.replay(); err != nil {
		return err
	}
	switch {
	case next != nil:
		w.publish(ms.versions.Add(next, dropped), nil)
		if old.Users.Add(-1) == 0 {
			ix.source.Collect()
		}
	case w.sequence != before:
		w.publish(old, ix.source.State.Load().Frozen)
	}
	if len(pages) > 0 {
		ms.versions.Release(pages)
		ix.source.Collect()
	}
	return nil
}

// readNews reads the manifest records after the newest that is known. It returns the manifest that
// they lead to and the pages that are no longer in it, or nil without a new one.
func (ms *manifests) readNews(old *format.Manifest) (next *format.Manifest, dropped []format.Ref, err error) {
	next = old
	var group []*format.ManifestRecord
	number, hole := ms.record, false
	prefix := format.AppendIndexPrefix(nil, format.KindManifest, ms.source.ID)
	start := format.AppendManifestKey(nil, ms.source.ID, ms.record+1)
	err = ms.source.Store.Scan(prefix, start, func(key, value []byte) error {
		r, err := format.DecodeManifestRecord(key, value)
		if err != nil {
			return err
		}
		if format.NumberOfKey(key) != number+1 {
			hole = true // what is missing was deleted after a checkpoint
			return store.ErrStop
		}
		number++
		if group = r.Join(group); uint64(len(group)) < r.Parts {
			return nil
		}
		if r.Kind == format.RecordChange {
			change := &format.ManifestChange{Flushed: r.Flushed, Next: r.Next}
			for _, part := range group {
				change.Added = append(change.Added, part.Added...)
				change.Dropped = append(change.Dropped, part.Dropped...)
			}
			if next, err = next.Apply(change, r.Generation); err != nil {
				return err
			}
			dropped = append(dropped, change.Dropped...)
			ms.churn += len(change.Added) + len(change.Dropped)
		} else {
			ms.churn = 0 // a checkpoint says what is known
		}
		ms.record, group = number, group[:0]
		return nil
	})
	if err != nil || !hole {
		if next == old {
			next = nil
		}
		return next, dropped, err
	}
	stored, err := readManifest(ms.source.Store, ms.source.ID)
	if err != nil {
		return nil, nil, err
	}
	ms.record, ms.oldest, ms.churn = stored.whole, stored.first, stored.churn
	return stored.manifest, format.Missing(old, stored.manifest), nil
}

// forget takes note that another process has deleted log entries, and deletes them here. It returns
// the keys of pages among those it is given.
func (l *changeLog) forget(deleted [][]byte) (pages [][]byte, err error) {
	var entries [][]byte
	for _, key := range deleted {
		if key[0] != format.KindLog {
			pages = append(pages, key)
			continue
		}
		entries = append(entries, key)
		if n := format.NumberOfKey(key) + 1; len(key) == format.LogKeyLen && n > l.oldest.Load() {
			l.oldest.Store(n) // before a reader misses the entry
		}
		err := l.source.Store.Get(key, func(value []byte) error {
			l.bytes.Add(-int64(len(key) + len(value)))
			return nil
		})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	return pages, reader.RemoveKeys(l.source.Store, entries)
}

// Lead has the index take writes, after another process did: the caller has called Refresh for all
// that it wrote. Pages that an unfinished flush of the other left behind are deleted in the
// background. Errors: those of Refresh.
func (ix *Index) Lead(epoch uint64) error {
	if epoch > maxEpoch {
		return fmt.Errorf("%w: got epoch %d, want at most %d", model.ErrInvalid, epoch, uint64(maxEpoch))
	}
	release, err := ix.manifests.lockMerges(context.Background())
	if err != nil {
		return err
	}
	defer release()
	if err := ix.refresh(nil); err != nil {
		return err
	}
	first := max(ix.manifests.generation.Load(), epoch<<epochShift)
	ix.manifests.generation.Store(first)
	snap := ix.Snapshot() // its pages stay while it is held
	ix.workers.Go(func() {
		defer snap.Close()
		if err := ix.manifests.collectOrphans(snap.St.Version.Manifest, first); err != nil && ix.stopping.Err() == nil {
			ix.log.Error("looking for pages that an interrupted flush left behind", "error", err)
		}
	})
	ix.following.Store(false)
	if ix.writer.active.Outgrows(ix.config.DeltaBytes) {
		wake(ix.flushDue)
	}
	return nil
}

// Follow has the index take no more writes, because another process writes the store: it calls
// Refresh from now on. What was not acknowledged is forgotten.
func (ix *Index) Follow() error {
	ix.following.Store(true)
	release, err := ix.manifests.lockMerges(context.Background()) // a flush has found that it may not write
	if err != nil {
		return err
	}
	defer release()
	w := ix.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rollback()
	if w.failure != nil {
		ix.source.Memory.Change(memory.Deltas, w.held)
		ix.source.Memory.Change(memory.Indexes, -w.held)
	}
	w.failure = nil
	w.stopped.Store(nil)
	w.full.Store(nil)
	w.flushEnded.Broadcast()
	return nil
}
