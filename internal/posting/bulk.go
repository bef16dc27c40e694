// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Load begins a bulk load that takes about the given bytes of memory. Three eighths are for edits;
// further edits are sorted in temporary files (os.TempDir). Five eighths are for the keys it meets,
// see Trim. progress, if not nil, receives during Commit how many edits are merged, and of how
// many. The load ends with ctx. Errors: ErrLoading, when another load runs; ErrMemory; ErrClosed.
func (ix *Index) Load(ctx context.Context, bytes int64, progress func(done, total int)) (*load.Loader, error) {
	if ix.readOnly() {
		return nil, model.ErrReadOnly
	}
	if ix.source.Closed.Load() {
		return nil, model.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ix.loading.CompareAndSwap(false, true) {
		return nil, model.ErrLoading
	}
	ix.writer.mu.Lock()
	ix.writer.deleted = new(mutable.Bitmap)
	ix.writer.mu.Unlock()
	ctx, stop := ix.withClosing(ctx)
	h := &host{index: ix, stop: stop}
	l, err := load.New(ctx, h, ix.source, bytes, progress)
	if err != nil {
		h.End(nil)
	}
	return l, err
}

// host is an index, as a load sees it.
type host struct {
	index *Index
	stop  func() // of watching the index close
}

func (h *host) AssignKeys(ctx context.Context, keys []model.SpaceKey) (ids []uint64, err error) {
	ids, _, err = h.index.committer.commit(ctx, &Batch{keys: keys})
	return ids, err
}

func (h *host) Begin(ctx context.Context, over bool) (w *merge.Driver, deleted *mutable.Bitmap, release func(),
	err error) {
	if release, err = h.index.manifests.lockMerges(ctx); err != nil {
		return nil, nil, nil, err
	}
	writer := h.index.writer
	writer.mu.Lock()
	writer.overload = over
	writer.mu.Unlock()
	if err := errors.Join(h.index.flusher.flushFrozen(ctx), h.index.manifests.mayLeave()); err != nil {
		release()
		return nil, nil, nil, err
	}
	w = h.index.manifests.mergeDriver(h.index.source.State.Load().Version.Manifest)
	writer.mu.Lock()
	defer writer.mu.Unlock()
	return w, writer.deleted.Clone(), release, nil
}

func (h *host) Reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error) {
	return h.index.flusher.reserve(ctx, space, n, limit)
}

func (h *host) Pause(space uint32) (named *delta.NewKeys, resume func()) {
	w := h.index.writer
	resume = w.pause()
	return w.active.Spaces[space], resume
}

func (h *host) CommitManifest(w *merge.Driver, entry *wal.Entry) (sequence uint64, err error) {
	ix, start := h.index, time.Now()
	base := ix.source.State.Load().Version
	change := &format.ManifestChange{Flushed: base.Flushed, Next: base.Next, Dropped: w.Out.Dropped,
		Added: w.Out.Added}
	err = ix.manifests.commitManifest(&w.Out, change, entry, func(v *versions.Version) {
		ix.writer.publish(v, ix.source.State.Load().Frozen)
		sequence = ix.writer.sequence
	})
	if err != nil || entry == nil {
		return sequence, err
	}
	ix.log.Info("loaded", "sequence", sequence, "pages", len(change.Added), "took",
		start.Sub(time.UnixMilli(int64(entry.Time))))
	if err := ix.manifests.checkpoint(); err != nil {
		ix.log.Warn("no checkpoint of the manifest; the next flush tries again", "error", err)
	}
	return sequence, nil
}

func (h *host) End(err error) {
	h.stop()
	if err != nil {
		h.index.log.Warn("a temporary file stays behind", "error", err)
	}
	w := h.index.writer
	w.mu.Lock()
	w.deleted, w.overload = nil, false
	w.mu.Unlock()
	h.index.loading.Store(false)
	wake(h.index.flushDue)
}
