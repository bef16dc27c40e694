// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/uproar-db/uproar/bitmap"
)

// tellEvery is how often the progress of merging pairs is told.
const tellEvery = 50 * time.Millisecond

// mergePairs merges the runs of pairs into pages, after what w has merged: the two directions of a field at a time, which have no page in common.
func (l *Loader) mergePairs(w *chunkWriter, chunk int, graves *bitmap.Bitmap) error {
	for _, p := range l.pairs {
		tasks, ctx := errgroup.WithContext(l.ctx)
		var done atomic.Int64
		halves := [2]chunkWriter{}
		for i, field := range [...]uint32{p.field, p.inverse} {
			half, runs := &halves[i], &p.runs
			if i > 0 {
				runs = &p.turned
			}
			if field == 0 {
				continue
			}
			before := 0
			*half = chunkWriter{ix: l.ix, base: w.base, out: output{store: l.ix.store}, progress: func(n, _ int) { done.Add(int64(n - before)); before = n }}
			tasks.Go(func() error { return l.mergeField(ctx, half, field, runs, max(64, chunk/2), graves) })
		}
		l.tell(w, &done, tasks)
		err := tasks.Wait()
		change := &manifestChange{flushed: w.base.flushed, next: w.base.next}
		for i := range halves {
			change.dropped, change.added = append(change.dropped, halves[i].out.dropped...), append(change.added, halves[i].out.added...)
			w.take(&halves[i].out)
		}
		if err != nil {
			return err
		}
		w.done += p.runs.pairs + p.turned.pairs
		if w.base, err = w.base.apply(change, l.ix.generation.Load()); err != nil {
			return err
		}
	}
	if w.progress != nil && len(l.pairs) > 0 {
		w.progress(w.total, w.total)
	}
	return nil
}

// tell tells the progress of tasks in this goroutine until they have ended.
func (l *Loader) tell(w *chunkWriter, done *atomic.Int64, tasks *errgroup.Group) {
	if w.progress == nil {
		return
	}
	ended := make(chan struct{})
	go func() { _ = tasks.Wait(); close(ended) }()
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
func (l *Loader) mergeField(ctx context.Context, w *chunkWriter, field uint32, runs *pairRuns, chunk int, graves *bitmap.Bitmap) error {
	edits := make([]edit, 0, min(chunk, runs.pairs))
	flush := func() error {
		err := w.write(ctx, l.living(edits, graves))
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
			edits = append(edits, edit{field: field, set: true, row: uint64(row), record: uint64(x)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
