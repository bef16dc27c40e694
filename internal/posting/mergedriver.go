// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// mergeDriver merges more edits than memory has room for, chunk by chunk, into pages that nobody
// else knows of: those of a load, or of a flush with many deletions.
type mergeDriver struct {
	ix          *Index
	base        *format.Manifest // as the chunks before have changed it
	out         pageBatch        // all that the chunks added and dropped
	progress    func(done, total int)
	done, total int
}

// write merges a chunk of edits, above those of the chunks before.
func (w *mergeDriver) write(ctx context.Context, edits []model.Edit) error {
	m := w.ix.merger(ctx, w.base)
	m.progress = w.tell
	return w.finish(m, m.edits(edits))
}

// tell tells that so many more edits are merged.
func (w *mergeDriver) tell(n int) {
	if w.done += n; w.progress != nil {
		w.progress(w.done, w.total)
	}
}

// finish ends a chunk: what it wrote is the base of the next one.
func (w *mergeDriver) finish(m *merger, err error) error {
	err = errors.Join(err, m.out.flush())
	w.take(m.out)
	if err != nil {
		return err
	}
	w.base, err = w.base.Apply(&format.ManifestChange{Flushed: w.base.Flushed, Next: w.base.Next,
		Dropped: m.out.dropped,
		Added:   m.out.added},
		w.ix.generation.Load())
	return err
}

// take adds what a chunk did to what those before have done. The pages where one chunk ends and the
// next begins are written twice; the first ones were never visible, and go at once.
func (w *mergeDriver) take(out *pageBatch) {
	own := make(map[uint64]bool, len(w.out.added))
	for i := range w.out.added {
		own[w.out.added[i].Generation] = true
	}
	var passing []format.Ref
	for _, r := range out.dropped {
		if own[r.Generation] {
			passing = append(passing, r)
			delete(own, r.Generation)
		} else {
			w.out.dropped = append(w.out.dropped, r)
		}
	}
	w.out.added = slices.DeleteFunc(w.out.added, func(r format.Ref) bool { return !own[r.Generation] })
	w.out.added = append(w.out.added, out.added...)
	_ = w.ix.abandon(&pageBatch{added: passing}, nil)
}
