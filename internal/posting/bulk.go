// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Load begins a bulk load that takes about the given bytes of memory. Three eighths are for edits;
// further edits are sorted in temporary files (os.TempDir). Five eighths are for the keys it meets,
// see Trim. progress, if not nil, receives during Commit how many edits are merged, and of how
// many. The load ends with ctx. Errors: ErrLoading, when another load runs; ErrMemory; ErrClosed.
func (ix *Index) Load(ctx context.Context, bytes int64, progress func(done, total int)) (*load.Loader, error) {
	if ix.config.ReadOnly {
		return nil, model.ErrReadOnly
	}
	if ix.Closed.Load() {
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
	h := &host{Index: ix, stop: stop}
	l, err := load.New(ctx, h, ix.Source, bytes, progress)
	if err != nil {
		h.End(nil)
	}
	return l, err
}

// host is an index, as a load sees it.
type host struct {
	*Index
	stop func() // of watching the index close
}

func (h *host) AssignKeys(ctx context.Context, keys []model.SpaceKey) (ids []uint64, err error) {
	ids, _, err = h.committer.commit(ctx, &Batch{keys: keys})
	return ids, err
}

func (h *host) Begin(ctx context.Context, over bool) (w *merge.Driver, deleted *mutable.Bitmap, release func(),
	err error) {
	if release, err = h.manifests.lockMerges(ctx); err != nil {
		return nil, nil, nil, err
	}
	h.writer.mu.Lock()
	h.writer.overload = over
	h.writer.mu.Unlock()
	if err := h.flusher.flushFrozen(ctx); err != nil {
		release()
		return nil, nil, nil, err
	}
	w = h.manifests.mergeDriver(h.State.Load().Version.Manifest)
	h.writer.mu.Lock()
	defer h.writer.mu.Unlock()
	return w, h.writer.deleted.Clone(), release, nil
}

func (h *host) Reserve(ctx context.Context, space uint32, n, limit uint64) (first uint64, err error) {
	return h.flusher.reserve(ctx, space, n, limit)
}

func (h *host) Pause(space uint32) (named *delta.NewKeys, resume func()) {
	resume = h.writer.pause()
	return h.writer.active.Spaces[space], resume
}

func (h *host) CommitManifest(w *merge.Driver, entry *wal.Entry) (sequence uint64, err error) {
	start := time.Now()
	base := h.State.Load().Version
	change := &format.ManifestChange{Flushed: base.Flushed, Next: base.Next, Dropped: w.Out.Dropped,
		Added: w.Out.Added}
	err = h.manifests.commitManifest(&w.Out, change, entry, func(v *reader.Version) {
		h.writer.publish(v, h.State.Load().Frozen)
		sequence = h.writer.sequence
	})
	if err != nil || entry == nil {
		return sequence, err
	}
	h.log.Info("loaded", "sequence", sequence, "pages", len(change.Added), "took",
		start.Sub(time.UnixMilli(int64(entry.Time))))
	if err := h.manifests.checkpoint(); err != nil {
		h.log.Warn("no checkpoint of the manifest; the next flush tries again", "error", err)
	}
	return sequence, nil
}

func (h *host) End(err error) {
	h.stop()
	if err != nil {
		h.log.Warn("a temporary file stays behind", "error", err)
	}
	h.writer.mu.Lock()
	h.writer.deleted, h.writer.overload = nil, false
	h.writer.mu.Unlock()
	h.loading.Store(false)
	wake(h.flushDue)
}
