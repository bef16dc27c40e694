// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// tellEvery is how often the progress of merging pairs is told.
const tellEvery = 50 * time.Millisecond

// mergeTasks is how many fields and directions of fields are merged at a time.
const mergeTasks = 2

// mergePairs merges the runs of pairs into pages, after what w has merged: the directions of
// fields, which have no page in common, several at a time.
func (l *Loader) mergePairs(w *merge.Driver, chunk int, deleted *mutable.Bitmap) error {
	var tasks []pageTask
	add := func(field uint32, runs *pairRuns) {
		tasks = append(tasks, func(ctx context.Context, part *merge.Driver) error {
			return l.mergeField(ctx, part, field, runs, max(64, chunk/mergeTasks), deleted)
		})
	}
	largest := slices.SortedFunc(maps.Values(l.Pairs.Fields), func(a, b *pairBuffer) int {
		return cmp.Compare(b.Runs.pairs, a.Runs.pairs)
	})
	for _, p := range largest {
		add(p.field, &p.Runs)
		if p.inverse != 0 {
			add(p.inverse, &p.turned)
		}
	}
	if err := runTasks(l.ctx, w, tasks); err != nil {
		return err
	}
	w.Done += l.Pairs.number()
	if w.Progress != nil && len(l.Pairs.Fields) > 0 {
		w.Progress(w.Total, w.Total)
	}
	return nil
}

// pageTask merges into pages that no other task of the same merge has.
type pageTask func(ctx context.Context, part *merge.Driver) error

// runTasks runs tasks, after what w has merged, several at a time. It tells the progress in
// this goroutine.
func runTasks(ctx context.Context, w *merge.Driver, tasks []pageTask) error {
	if len(tasks) == 0 {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(mergeTasks)
	var done atomic.Int64
	parts := make([]*merge.Driver, len(tasks))
	for i := range parts {
		before := 0
		parts[i] = w.Part()
		parts[i].Progress = func(n, _ int) {
			done.Add(int64(n - before))
			before = n
		}
	}
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		for i, task := range tasks {
			group.Go(func() error { return task(ctx, parts[i]) })
		}
	}()
	wait := func() error { <-begun; return group.Wait() }
	tell(w, &done, wait)
	err := wait()
	change := &format.ManifestChange{Flushed: w.Base.Flushed, Next: w.Base.Next}
	for _, part := range parts {
		change.Dropped, change.Added = append(change.Dropped, part.Out.Dropped...),
			append(change.Added, part.Out.Added...)
		w.Take(&part.Out)
	}
	if err != nil {
		return err
	}
	w.Base, err = w.Base.Apply(change, w.Generation())
	return err
}

// tell tells the progress of tasks in this goroutine until they have ended.
func tell(w *merge.Driver, done *atomic.Int64, wait func() error) {
	if w.Progress == nil || w.Total == 0 {
		return
	}
	ended := make(chan struct{})
	go func() { _ = wait(); close(ended) }()
	tick := time.NewTicker(tellEvery)
	defer tick.Stop()
	for {
		w.Progress(w.Done+int(done.Load()), w.Total)
		select {
		case <-ended:
			return
		case <-tick.C:
		}
	}
}

// mergeField merges the runs of one direction, about chunk edits at a time.
func (l *Loader) mergeField(ctx context.Context, w *merge.Driver, field uint32, runs *pairRuns, chunk int,
	deleted *mutable.Bitmap) error {
	if len(w.Base.Fields[field].Refs) == 0 && deleted.IsEmpty() {
		return w.WriteFresh(ctx, field, runs.merge)
	}
	edits := make([]model.Edit, 0, min(chunk, runs.pairs))
	flush := func() error {
		err := w.Write(ctx, l.living(edits, deleted))
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
