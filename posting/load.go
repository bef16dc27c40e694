// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Loader is a bulk load: sets are gathered, sorted, merged into pages of a manifest of its own, and become visible all at once with Commit. It writes
// each page once or few times, and no log but for the keys and one entry at the end; reads go on meanwhile, and writes as long as the delta has
// room (a flush waits for the load to end). Where a live write and the load differ on a record of a list, the live write counts.
//
// A load that is aborted, or ends with the process, leaves nothing visible; keys that it brought keep their IDs. Not for concurrent use.
type Loader struct {
	ix       *Index
	ctx      context.Context
	memory   int64
	progress func(done, total int)

	known   map[spaceKey]Ref
	ids     []uint64 // IDs of the Refs given out, as far as they are known
	waiting Batch    // keys that have no ID yet
	edits   []edit   // row and record are Refs

	holding bool // of ix.merging, from the first merge on
	base    *manifest
	origin  *version
	out     output // all that the merges added and dropped
	ended   bool
}

const (
	// loadKeys is how many keys wait before they are given IDs in one commit.
	loadKeys = 16 << 10
	// loadEdit is the memory that an edit takes until it is merged: itself, and its inverse.
	loadEdit = 2 * 24
)

// Load begins a bulk load that gathers about so many bytes in memory before it merges them into pages. progress, if not nil, is told during Commit how
// many edits of how many are merged. ctx ends the load. It begins with a flush, so that of all writes only those made during the load lie above what it
// brings. Errors: ErrLoading, when another one is under way; those of Flush.
func (ix *Index) Load(ctx context.Context, memory int64, progress func(done, total int)) (*Loader, error) {
	if !ix.loading.CompareAndSwap(false, true) {
		return nil, ErrLoading
	}
	if err := ix.Flush(ctx); err != nil {
		ix.loading.Store(false)
		return nil, err
	}
	return &Loader{ix: ix, ctx: ctx, memory: memory, progress: progress, known: make(map[spaceKey]Ref)}, nil
}

// Key returns the Ref of a key, which holds for this load, and whether this is the first time that the load meets it.
func (l *Loader) Key(space uint32, key string) (r Ref, first bool) {
	k := spaceKey{space, key}
	if r, ok := l.known[k]; ok {
		return r, false
	}
	k.key = strings.Clone(key)
	r = keyRef | Ref(len(l.ids)+len(l.waiting.keys))
	l.known[k] = r
	l.waiting.keys = append(l.waiting.keys, k)
	return r, true
}

// Set puts a record into the list of a row. Of a relation only the declared direction is named. Errors: those of Commit, or ctx's; after one the load
// must be aborted.
func (l *Loader) Set(field uint32, row, record Ref) error {
	if !l.ix.declared(field) {
		return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one", ErrInvalid, field)
	}
	l.edits = append(l.edits, edit{field: field, set: true, row: uint64(row), record: uint64(record)})
	if len(l.waiting.keys) >= loadKeys {
		if err := l.name(); err != nil {
			return err
		}
	}
	if int64(len(l.edits))*loadEdit > l.memory {
		return l.merge()
	}
	return nil
}

// name gives IDs to the keys that wait.
func (l *Loader) name() error {
	if len(l.waiting.keys) == 0 {
		return l.ctx.Err()
	}
	ids, _, err := l.ix.commit(l.ctx, &l.waiting)
	if err != nil {
		return err
	}
	l.ids = append(l.ids, ids...)
	l.waiting = Batch{}
	return nil
}

// merge merges the edits gathered into pages that only this load knows of.
func (l *Loader) merge() error {
	if err := l.name(); err != nil {
		return err
	}
	if !l.holding {
		l.ix.merging.Lock()
		l.holding = true
		l.origin = l.ix.state.Load().version
		l.base = l.origin.manifest
	}
	b := Batch{edits: l.edits}
	edits := b.resolve(l.ids)
	l.edits = l.edits[:0]
	for _, e := range edits {
		if inverse := l.ix.fields[e.field].Inverse; inverse != 0 {
			edits = append(edits, edit{field: inverse, set: e.set, row: e.record, record: e.row})
		}
	}
	slices.SortFunc(edits, compareEdits)
	m := l.ix.merger(l.ctx, l.base)
	done := 0
	m.progress = func(n int) {
		if done += n; l.progress != nil {
			l.progress(done, len(edits))
		}
	}
	err := m.edits(edits)
	if err == nil {
		err = m.out.flush()
	}
	l.take(m.out)
	if err != nil {
		return err
	}
	l.base, err = l.base.apply(&manifestChange{flushed: l.base.flushed, next: l.base.next, dropped: m.out.dropped, added: m.out.added},
		l.ix.generation.Load())
	return err
}

// take adds what a merge did to what the load has done. Pages that an earlier merge of this load added and this one dropped were never visible.
func (l *Loader) take(out *output) {
	own := make(map[uint64]bool, len(l.out.added))
	for i := range l.out.added {
		own[l.out.added[i].generation] = true
	}
	var passing []ref
	for _, r := range out.dropped {
		if own[r.generation] {
			passing = append(passing, r)
			delete(own, r.generation)
		} else {
			l.out.dropped = append(l.out.dropped, r)
		}
	}
	l.out.added = slices.DeleteFunc(l.out.added, func(r ref) bool { return !own[r.generation] })
	l.out.added = append(l.out.added, out.added...)
	_ = l.ix.abandon(&output{added: passing}, nil)
}

// Commit merges what is left, and makes the load durable and visible. The load has ended, whatever Commit returns; after an error nothing of it is
// visible.
func (l *Loader) Commit() (sequence uint64, err error) {
	if l.ended {
		return 0, ErrClosed
	}
	defer l.end()
	start := time.Now()
	if err := l.merge(); err != nil {
		return 0, l.ix.abandon(&l.out, err)
	}
	change := &manifestChange{flushed: l.origin.flushed, next: l.origin.next, dropped: l.out.dropped, added: l.out.added,
		entry: &logEntry{time: uint64(start.UnixMilli())}}
	l.out.store = l.ix.store
	err = l.ix.install(&l.out, change, func(v *version) {
		l.ix.publish(v, l.ix.state.Load().frozen)
		sequence = l.ix.sequence
	})
	if err != nil {
		return 0, err
	}
	l.ix.log.Info("loaded", "sequence", sequence, "pages", len(change.added), "took", time.Since(start))
	return sequence, l.ix.checkpoint()
}

// Abort ends a load that was not committed, and deletes its pages. After Commit it does nothing, so that it can be deferred.
func (l *Loader) Abort() {
	if !l.ended {
		_ = l.ix.abandon(&l.out, nil)
		l.end()
	}
}

func (l *Loader) end() {
	l.ended = true
	l.edits, l.known = nil, nil
	if l.holding {
		l.ix.merging.Unlock()
		l.holding = false
	}
	l.ix.loading.Store(false)
	l.ix.wake(l.ix.flusher)
}
