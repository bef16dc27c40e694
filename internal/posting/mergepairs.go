// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// tellEvery is how often the progress of merging pairs is told.
const tellEvery = 50 * time.Millisecond

// mergeTasks is how many fields and directions of fields are merged at a time.
const mergeTasks = 2

// mergePairs merges the runs of pairs into pages, after what w has merged: the directions of
// fields, which have no page in common, several at a time.
func (l *Loader) mergePairs(w *mergeDriver, chunk int, deleted *bitmap.Bitmap) error {
	tasks, ctx := errgroup.WithContext(l.ctx)
	tasks.SetLimit(mergeTasks)
	var done atomic.Int64
	var parts []*mergeDriver
	merge := func(field uint32, runs *pairRuns) {
		before := 0
		part := &mergeDriver{ix: l.ix, base: w.base, out: pageBatch{store: l.ix.Store}, progress: func(n, _ int) {
			done.Add(int64(n - before))
			before = n
		}}
		parts = append(parts, part)
		tasks.Go(func() error { return l.mergeField(ctx, part, field, runs, max(64, chunk/mergeTasks), deleted) })
	}
	largest := slices.SortedFunc(maps.Values(l.pairs), func(a, b *pairBuffer) int {
		return cmp.Compare(b.runs.pairs, a.runs.pairs)
	})
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		for _, p := range largest {
			merge(p.field, &p.runs)
			if p.inverse != 0 {
				merge(p.inverse, &p.turned)
			}
		}
	}()
	wait := func() error { <-begun; return tasks.Wait() }
	l.tell(w, &done, wait)
	err := wait()
	change := &format.ManifestChange{Flushed: w.base.Flushed, Next: w.base.Next}
	for _, part := range parts {
		change.Dropped, change.Added = append(change.Dropped, part.out.dropped...),
			append(change.Added, part.out.added...)
		w.take(&part.out)
	}
	if err != nil {
		return err
	}
	w.done += l.pairCount()
	if w.progress != nil && len(l.pairs) > 0 {
		w.progress(w.total, w.total)
	}
	w.base, err = w.base.Apply(change, l.ix.generation.Load())
	return err
}

// tell tells the progress of tasks in this goroutine until they have ended.
func (l *Loader) tell(w *mergeDriver, done *atomic.Int64, wait func() error) {
	if w.progress == nil {
		return
	}
	ended := make(chan struct{})
	go func() { _ = wait(); close(ended) }()
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		w.progress(w.done+int(done.Load()), w.total)
		select {
		case <-ended:
			return
		case <-tick.C:
		}
	}
}

// mergeField merges the runs of one direction, about so many edits at a time.
func (l *Loader) mergeField(ctx context.Context, w *mergeDriver, field uint32, runs *pairRuns, chunk int,
	deleted *bitmap.Bitmap) error {
	if len(w.base.Fields[field].Refs) == 0 && deleted.IsEmpty() {
		return l.freshField(ctx, w, field, runs)
	}
	edits := make([]model.Edit, 0, min(chunk, runs.pairs))
	flush := func() error {
		err := w.write(ctx, l.living(edits, deleted))
		edits = edits[:0]
		return err
	}
	err := runs.merge(func(row uint32, records []uint32) error {
		for _, x := range records {
			if len(edits) >= chunk {
				if err := flush(); err != nil {
					return err
				}
			}
			edits = append(edits, model.Edit{Field: field, Set: true, Row: uint64(row), Record: uint64(x)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
