// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"slices"
	"time"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Commit merges what was gathered, and makes it durable and visible. The load has ended, whatever
// Commit returns; after an error nothing of it is visible. Errors: those of Index.Commit and
// Index.Flush, ctx's, or the file system's.
func (l *Loader) Commit() (sequence uint64, err error) {
	if l.ended {
		return 0, model.ErrClosed
	}
	defer l.end()
	if l.err != nil {
		return 0, l.err
	}
	if sequence, err = l.commit(); err != nil && l.src.Closed.Load() {
		err = model.ErrClosed
	}
	return sequence, err
}

func (l *Loader) commit() (sequence uint64, err error) {
	start := time.Now()
	for _, step := range [...]func() error{l.arrange, l.passes, func() error { return l.assignIDs(false) }} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	last, err := l.Edits.sorted()
	if err != nil {
		return 0, err
	}
	assigned := l.values.sorted()
	if err := l.Pairs.finish(); err != nil {
		return 0, err
	}
	// What was written before lies below the load from now on.
	over := len(assigned) > 0 || l.values.words.Items > 0 || len(l.Pairs.assigned) > 0
	w, deleted, release, err := l.host.Begin(l.ctx, over)
	if err != nil {
		return 0, err
	}
	defer release()
	w.Progress, w.Total = l.progress, len(assigned)+l.values.words.Items+l.Pairs.assignments()
	assigning := w.Total
	w.Total += l.merged(last) // and what follows from assignments, which is not known yet
	held := mergeTasks * merge.Bytes(l.src)
	l.src.Memory.Change(memory.Merges, held)
	defer l.src.Memory.Change(memory.Merges, -held)
	chunk := int(max(64, min(mostChunk, l.memory/2/loadEdit)))
	if err := writeAssigned(l, w, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.mergeWords(w, assigned, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.Pairs.finish(); err != nil { // the pairs that followed from assignments
		return 0, w.Abandon(&w.Out, err)
	}
	w.Total = assigning + l.merged(last)
	if err := l.Edits.Runs.merge(last, chunk, func(edits []model.Edit) error {
		return w.Write(l.ctx, l.living(edits, deleted))
	}); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.exist(w, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.mergePairs(w, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	return l.host.CommitManifest(w, &wal.Entry{Time: uint64(start.UnixMilli())})
}

// merged returns how many edits are merged behind assignments, of which last are in no run.
func (l *Loader) merged(last []model.Edit) int {
	return l.Edits.Runs.Items + len(last) + l.Pairs.number() + l.numbering.assigned.number()
}

// living drops the edits of records that were deleted since the load began: it knows them by IDs
// that are no more.
func (l *Loader) living(edits []model.Edit, deleted *mutable.Bitmap) []model.Edit {
	if deleted.IsEmpty() {
		return edits
	}
	return slices.DeleteFunc(edits, func(e model.Edit) bool { return l.src.Concerns(e, deleted.Contains) })
}

// Abort ends a load that was not committed. After Commit it does nothing, so that it can be
// deferred.
func (l *Loader) Abort() {
	if !l.ended {
		l.end()
	}
}

func (l *Loader) end() {
	l.ended = true
	l.cancel()
	_ = l.Naming.wait() // which are not needed any more
	var err error
	if l.raw != nil {
		_ = l.raw.Await()
		err = errors.Join(l.raw.Runs.Close(), l.raw.turned.Close())
	}
	err = errors.Join(err, l.Pairs.close(), l.Deferred.close(), l.Edits.Runs.Close(), l.values.words.Close(),
		l.numbering.close())
	l.known, l.Naming.ids, l.Naming.waiting = nil, nil, nil
	l.Edits.list, l.values.assigned = nil, nil
	l.src.Memory.Change(memory.Loads, -l.memory-l.taken)
	l.host.End(err)
}
