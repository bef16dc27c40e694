// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/store"
)

// beginEpoch has pages get generations of an epoch, and returns the first of them. No page may be
// under way.
func (ms *manifests) beginEpoch(epoch uint64) (first uint64, err error) {
	if epoch > format.MaxEpoch {
		return 0, fmt.Errorf("%w: got epoch %d, want at most %d", model.ErrInvalid, epoch, uint64(format.MaxEpoch))
	}
	first = max(ms.generation.Load(), epoch<<format.EpochShift)
	ms.generation.Store(first)
	return first, nil
}

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
	news, err := manifest.ReadNews(ix.source.Store, ix.source.ID, old.Manifest, ms.record)
	if err != nil {
		return err
	}
	next, dropped := news.Manifest, news.Dropped
	ms.record, ms.churn = news.Whole, ms.churn+news.Churn
	pages, err := ix.changes.dropEntries(deleted)
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

// dropEntries takes note that another process has deleted log entries, and deletes them here. It
// returns the keys of pages among those it is given.
func (l *changeLog) dropEntries(deleted [][]byte) (pages [][]byte, err error) {
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
	return pages, versions.RemoveKeys(l.source.Store, entries)
}

// Lead has the index take writes, after another process did: the caller has called Refresh for all
// that it wrote. Pages that an unfinished flush of the other left behind are deleted in the
// background. Errors: those of Refresh.
func (ix *Index) Lead(epoch uint64) error {
	release, err := ix.manifests.lockMerges(context.Background())
	if err != nil {
		return err
	}
	defer release()
	if err := ix.refresh(nil); err != nil {
		return err
	}
	first, err := ix.manifests.beginEpoch(epoch)
	if err != nil {
		return err
	}
	snap := ix.Snapshot() // its pages stay while it is held
	ix.workers.Go(func() {
		defer snap.Close()
		if err := ix.manifests.collectOrphans(snap.St.Version.Manifest, first); err != nil && ix.stopping.Err() == nil {
			ix.log.Error("looking for pages that an interrupted flush left behind", "error", err)
		}
	})
	ix.writer.mu.Lock()
	defer ix.writer.mu.Unlock()
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
