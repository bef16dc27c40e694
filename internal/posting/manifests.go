// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// commitManifest commits a change of the manifest and publishes it: all its records but the last
// are written first, and count only once the last is there. entry is the log entry that goes with
// a bulk load, nil without one. The caller has the others wait.
func (ix *Index) commitManifest(out *merge.PageBatch, change *format.ManifestChange, entry *wal.Entry,
	publish func(*reader.Version)) error {
	if err := out.Flush(); err != nil {
		return ix.abandon(out, err)
	}
	old := ix.State.Load().Version
	next, err := old.Apply(change, ix.generation.Load())
	if err != nil {
		return ix.abandon(out, err)
	}
	records := change.Records(next.Generation)
	last := ix.record + uint64(len(records))
	if err := ix.putRecords(records[:len(records)-1], ix.record); err != nil {
		return ix.abandon(out, err)
	}
	key := format.AppendManifestKey(nil, ix.ID, last)
	ix.write.Lock()
	defer ix.write.Unlock()
	if ix.failure != nil {
		return ix.failure
	}
	if ix.stopping.Err() != nil {
		return model.ErrClosed
	}
	if err := ix.writeUnsynced(); err != nil {
		return ix.abandon(out, err)
	}
	if entry != nil {
		if err := ix.rebaseLoad(next); err != nil {
			return ix.abandon(out, err)
		}
	}
	var b store.Batch
	b.Put(key, records[len(records)-1].Encode(key))
	logged := -b.Size()
	if entry != nil {
		entry.Installed = last
		var p wal.Pending
		if err := p.Add(ix.sequence+1, entry, entry.AppendSections(nil)); err != nil {
			return ix.abandon(out, err)
		}
		p.Put(&b, ix.ID)
	}
	logged += b.Size()
	if err := ix.Store.Apply(&b, !ix.config.NoSync); err != nil {
		if errors.Is(err, store.ErrFull) {
			return ix.abandon(out, err) // nothing has changed; the next change takes the same numbers
		}
		ix.fail(err)
		return ix.failure
	}
	if entry != nil {
		ix.sequence++
		ix.logBytes.Add(int64(logged))
	}
	ix.record = last
	if ix.oldest == 0 {
		ix.oldest = 1
	}
	ix.churn += len(change.Dropped) + len(change.Added)
	publish(ix.versions.Add(next, change.Dropped))
	if old.Users.Add(-1) == 0 {
		ix.Collect()
	}
	ix.relieved.Broadcast()
	return nil
}

// putRecords stores manifest records with the numbers after one, each in a batch of its own,
// unsynced.
func (ix *Index) putRecords(records []*format.ManifestRecord, after uint64) error {
	for i, r := range records {
		key := format.AppendManifestKey(nil, ix.ID, after+1+uint64(i))
		var b store.Batch
		b.Put(key, r.Encode(key))
		if err := ix.Store.Apply(&b, false); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint writes the whole manifest when the changes since the last time hold more pages than it
// does, and deletes the records before.
func (ix *Index) checkpoint() error {
	m := ix.State.Load().Version.Manifest
	if ix.churn <= m.Count()+64 {
		return nil
	}
	records := m.Checkpoint()
	if err := ix.putRecords(records, ix.record); err != nil {
		return err
	}
	if err := ix.Store.Sync(); err != nil {
		return err
	}
	var old [][]byte
	for n := ix.oldest; n <= ix.record; n++ {
		old = append(old, format.AppendManifestKey(nil, ix.ID, n))
	}
	begin := ix.record + 1
	ix.record, ix.churn = ix.record+uint64(len(records)), 0
	if err := reader.RemoveKeys(ix.Store, old); err != nil {
		return err // the next checkpoint deletes them
	}
	ix.oldest = begin
	return nil
}

// lockMerges waits until no flush or load is making a manifest and has the others wait, until
// release. Errors: ctx's, or ErrClosed.
func (ix *Index) lockMerges(ctx context.Context) (release func(), err error) {
	select {
	case ix.merging <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-ix.stopping.Done():
		return nil, model.ErrClosed
	}
	if ix.stopping.Err() != nil {
		<-ix.merging
		return nil, model.ErrClosed
	}
	return func() { <-ix.merging }, nil
}

// merger returns a merger of edits into the pages of a manifest.
func (ix *Index) merger(ctx context.Context, base *format.Manifest) *merge.Merger {
	return merge.New(ctx, ix.Source, base, func() uint64 { return ix.generation.Add(1) - 1 })
}

// mergeDriver returns a driver of merges, the first of which is into the pages of a manifest.
func (ix *Index) mergeDriver(base *format.Manifest) *merge.Driver {
	return &merge.Driver{Merger: ix.merger, Generation: ix.generation.Load, Abandon: ix.abandon, Base: base,
		Out: merge.PageBatch{Store: ix.Store}}
}

// abandon has the pages of a flush or load that did not come to its end deleted, without waiting
// for that, and returns why.
func (ix *Index) abandon(out *merge.PageBatch, err error) error {
	out.Batch.Reset()
	out.Kept = nil
	keys := make([][]byte, len(out.Added))
	for i := range out.Added {
		keys[i] = format.AppendPageKey(nil, ix.ID, &out.Added[i])
	}
	ix.versions.Discard(keys...)
	ix.Collect()
	return err
}
