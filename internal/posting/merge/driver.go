// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Driver merges more edits than memory has room for, chunk by chunk, into pages that nobody
// else knows of: those of a load, or of a flush with many deletions.
type Driver struct {
	Merger     func(ctx context.Context, base *format.Manifest) *Merger
	Generation func() uint64                         // the next one
	Abandon    func(out *PageBatch, err error) error // has pages deleted that nobody sees, and returns the error

	Base        *format.Manifest // as the chunks before have changed it
	Out         PageBatch        // all that the chunks added and dropped
	Progress    func(done, total int)
	Done, Total int
}

// Part returns a driver into the same base that may run beside w. Its pages are w's only by Take.
func (w *Driver) Part() *Driver {
	return &Driver{Merger: w.Merger, Generation: w.Generation, Abandon: w.Abandon, Base: w.Base,
		Out: PageBatch{Store: w.Out.Store}}
}

// Write merges a chunk of edits, above those of the chunks before.
func (w *Driver) Write(ctx context.Context, edits []model.Edit) error {
	m := w.Merger(ctx, w.Base)
	m.progress = w.Tell
	return w.Finish(m, m.Edits(edits))
}

// Tell reports that n more edits are merged.
func (w *Driver) Tell(n int) {
	if w.Done += n; w.Progress != nil {
		w.Progress(w.Done, w.Total)
	}
}

// Finish ends a chunk: what it wrote is the base of the next one.
func (w *Driver) Finish(m *Merger, err error) error {
	if err == nil {
		err = m.Out.Flush()
	} else {
		m.Out.discard()
	}
	w.Take(m.Out)
	if err != nil {
		return err
	}
	w.Base, err = w.Base.Apply(&format.ManifestChange{Flushed: w.Base.Flushed, Next: w.Base.Next,
		Dropped: m.Out.Dropped,
		Added:   m.Out.Added},
		w.Generation())
	return err
}

// Take adds what a chunk did to what those before have done. The pages where one chunk ends and the
// next begins are written twice; the first ones were never visible, and go at once.
func (w *Driver) Take(out *PageBatch) {
	own := make(map[uint64]bool, len(w.Out.Added))
	for i := range w.Out.Added {
		own[w.Out.Added[i].Generation] = true
	}
	var passing []format.Ref
	for _, r := range out.Dropped {
		if own[r.Generation] {
			passing = append(passing, r)
			delete(own, r.Generation)
		} else {
			w.Out.Dropped = append(w.Out.Dropped, r)
		}
	}
	w.Out.Added = slices.DeleteFunc(w.Out.Added, func(r format.Ref) bool { return !own[r.Generation] })
	w.Out.Added = append(w.Out.Added, out.Added...)
	_ = w.Abandon(&PageBatch{Added: passing}, nil)
}
