// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// manifests makes the manifests of an index, one at a time: of flushes, loads and dropped fields.
type manifests struct {
	*env
	writer     *writer
	changes    *changeLog
	versions   versions.Versions
	generation atomic.Uint64 // of the next page
	session    session

	merging chan struct{} // holds one token while a flush or load makes a new manifest; guards what follows
	record  uint64        // number of the newest manifest record
	oldest  uint64        // number of the oldest manifest record
	churn   int           // pages named by changes since the checkpoint
}

// newManifests returns the manifests of an index that has one stored.
func newManifests(w *writer, stored *manifest.Stored) *manifests {
	ms := &manifests{env: w.env, writer: w, changes: w.changes, merging: make(chan struct{}, 1),
		versions: versions.Versions{Store: w.source.Store, Index: w.source.ID, Memory: w.source.Memory},
		record:   stored.Last, oldest: stored.First, churn: stored.Churn}
	ms.generation.Store(stored.Manifest.Generation)
	return ms
}

// lockMerges waits until no flush or load is making a manifest and has the others wait, until
// release. Errors: ctx's, or ErrClosed.
func (ms *manifests) lockMerges(ctx context.Context) (release func(), err error) {
	select {
	case ms.merging <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-ms.stopping.Done():
		return nil, model.ErrClosed
	}
	if ms.stopping.Err() != nil {
		<-ms.merging
		return nil, model.ErrClosed
	}
	return func() { <-ms.merging }, nil
}

// commitManifest commits a change of the manifest and publishes it: all its records but the last
// are written first, and count only once the last is there. entry is the log entry that goes with
// a bulk load, nil without one. Commits go on while a change without an entry is written: the
// storage may be far away. The caller has the others wait.
func (ms *manifests) commitManifest(out *merge.PageBatch, change *format.ManifestChange, entry *wal.Entry,
	publish func(*versions.Version)) error {
	w := ms.writer
	if err := out.Flush(); err != nil {
		return ms.abandon(out, err)
	}
	old := ms.source.State.Load().Version
	next, err := old.Apply(change, ms.generation.Load())
	if err != nil {
		return ms.abandon(out, err)
	}
	records := change.Records(next.Generation)
	last := ms.record + uint64(len(records))
	if err := ms.putRecords(records[:len(records)-1], ms.record); err != nil {
		return ms.abandon(out, err)
	}
	key := format.AppendManifestKey(nil, ms.source.ID, last)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failure != nil {
		return w.failure
	}
	if ms.stopping.Err() != nil {
		return model.ErrClosed
	}
	if ms.following.Load() {
		return ms.abandon(out, model.ErrReadOnly)
	}
	if err := w.writeUnsynced(); err != nil {
		return ms.abandon(out, err)
	}
	if entry != nil {
		if err := w.rebaseLoad(next); err != nil {
			return ms.abandon(out, err)
		}
	}
	var b store.Batch
	b.Put(key, records[len(records)-1].Encode(key))
	logged := -b.Size()
	if entry != nil {
		entry.Installed = last
		var p wal.Pending
		if err := p.Add(w.sequence+1, entry, entry.AppendSections(nil)); err != nil {
			return ms.abandon(out, err)
		}
		p.Put(&b, ms.source.ID)
	}
	logged += b.Size()
	if entry == nil {
		w.mu.Unlock()
	}
	err = ms.source.Store.Apply(&b, !ms.config.NoSync)
	if entry == nil {
		w.mu.Lock()
	}
	switch {
	case isUnchanged(err):
		return ms.abandon(out, err) // the next change takes the same numbers
	case err != nil:
		return w.fail(err)
	case w.failure != nil:
		return w.failure // a commit has failed meanwhile; the next opening finds the manifest
	}
	if entry != nil {
		w.sequence++
		ms.changes.bytes.Add(int64(logged))
	}
	ms.record = last
	if ms.oldest == 0 {
		ms.oldest = 1
	}
	ms.churn += len(change.Dropped) + len(change.Added)
	publish(ms.versions.Add(next, change.Dropped))
	if old.Users.Add(-1) == 0 {
		ms.source.Collect()
	}
	w.flushEnded.Broadcast()
	return nil
}

// putRecords stores manifest records with the numbers after one, each in a batch of its own,
// unsynced.
func (ms *manifests) putRecords(records []*format.ManifestRecord, after uint64) error {
	for i, r := range records {
		key := format.AppendManifestKey(nil, ms.source.ID, after+1+uint64(i))
		var b store.Batch
		b.Put(key, r.Encode(key))
		if err := ms.source.Store.Apply(&b, false); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint rewrites the manifest when the changes since the last time outnumber its pages. It
// then deletes the records before.
func (ms *manifests) checkpoint() error {
	m := ms.source.State.Load().Version.Manifest
	if ms.churn <= m.Count()+64 {
		return nil
	}
	records := m.Checkpoint()
	if err := ms.putRecords(records, ms.record); err != nil {
		return err
	}
	if err := ms.source.Store.Sync(); err != nil {
		return err
	}
	var old [][]byte
	for n := ms.oldest; n <= ms.record; n++ {
		old = append(old, format.AppendManifestKey(nil, ms.source.ID, n))
	}
	begin := ms.record + 1
	ms.record, ms.churn = ms.record+uint64(len(records)), 0
	if err := versions.RemoveKeys(ms.source.Store, old); err != nil {
		return err // the next checkpoint deletes them
	}
	ms.oldest = begin
	return nil
}

// merger returns a merger of edits into the pages of a manifest.
func (ms *manifests) merger(ctx context.Context, base *format.Manifest) *merge.Merger {
	return merge.New(ctx, ms.source, base, func() uint64 { return ms.generation.Add(1) - 1 })
}

// mergeDriver returns a driver of merges; base is the manifest that the first one merges into.
func (ms *manifests) mergeDriver(base *format.Manifest) *merge.Driver {
	loads := func(ctx context.Context, base *format.Manifest) *merge.Merger {
		m := ms.merger(ctx, base)
		m.Out.Ingests = true
		return m
	}
	return &merge.Driver{Merger: loads, Generation: ms.generation.Load, Abandon: ms.abandon, Base: base,
		Out: merge.PageBatch{Store: ms.source.Store}}
}

// abandon deletes the pages of an unfinished flush or load, in the background, and returns why.
func (ms *manifests) abandon(out *merge.PageBatch, err error) error {
	out.Batch.Reset()
	keys := make([][]byte, len(out.Added))
	for i := range out.Added {
		keys[i] = format.AppendPageKey(nil, ms.source.ID, &out.Added[i])
	}
	ms.versions.Discard(keys...)
	ms.source.Collect()
	return err
}
