// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// flushAll is the flusher: it merges the delta into pages when it is told to, until the index is
// closed. On a full disk it tries again and again; after any other error writing ends, because what
// reached the disk is unknown, or a page cannot be read.
func (ix *Index) flushAll() {
	for {
		select {
		case <-ix.stopping.Done():
			return
		case <-ix.flusher:
		}
		err := ix.Flush(ix.stopping)
		switch {
		case err == nil || ix.stopping.Err() != nil:
		case errors.Is(err, store.ErrFull):
			if ix.full.Swap(&err) == nil {
				ix.log.Warn("no room to flush; trying again and again", "error", err)
			}
			select {
			case <-ix.stopping.Done():
				return
			case <-time.After(ix.config.pause):
				ix.wake(ix.flusher)
			}
		default:
			ix.write.Lock()
			ix.fail(err)
			ix.write.Unlock()
		}
	}
}

// Flush merges everything committed before the call into pages. Readers and writers go on
// meanwhile. Flushes happen by themselves; a caller needs one only to have nothing left to replay,
// or before measuring. When ctx ends, nothing has changed. Errors: ctx's, ErrReadOnly, ErrClosed,
// ErrFailed, ErrCorrupt, the store's.
func (ix *Index) Flush(ctx context.Context) error {
	if ix.config.ReadOnly {
		return model.ErrReadOnly
	}
	release, err := ix.lockMerges(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := ix.withClosing(ctx)
	defer cancel()
	return ix.flushFrozen(ctx)
}

// flushFrozen is Flush for a caller that has the others wait.
func (ix *Index) flushFrozen(ctx context.Context) error {
	if err := ix.flushDeltas(ctx); err != nil {
		return err
	}
	return ix.purge()
}

// flushDeltas merges the deltas.
func (ix *Index) flushDeltas(ctx context.Context) error {
	for {
		st, leftover, err := ix.freeze()
		if st == nil || err != nil {
			return errors.Join(err, ix.failed())
		}
		if err := ix.flush(ctx, st); err != nil || !leftover {
			return err
		}
	}
}

// mergeBytes returns what a flush holds beside the edits that it merges: pages that wait to be
// written, those read last, and the list being built.
func (ix *Index) mergeBytes() int64 { return int64(ix.memory.BatchBytes() + 8*format.Target) }

// flush merges a frozen delta.
func (ix *Index) flush(ctx context.Context, st *state) error {
	start := time.Now()
	w := mergeDriver{ix: ix, base: st.version.Manifest, out: pageBatch{store: ix.store}}
	held := int64(st.frozen.Forward.Len())*editSize + ix.mergeBytes()
	if st.frozen.Removals != nil {
		held += editSize * (int64(st.frozen.Count()) + 2*int64(ix.tombstoneEdits()))
	}
	ix.memory.Change(memory.Merges, held)
	defer ix.memory.Change(memory.Merges, -held)
	st.frozen = ix.compactFrozen(ctx, st.frozen)
	if err := ix.writeFrozen(ctx, &w, st.frozen); err != nil {
		return ix.abandon(&w.out, err)
	}
	change := &format.ManifestChange{Flushed: st.sequence, Next: st.frozen.Next(), Dropped: w.out.dropped,
		Added: w.out.added}
	if err := ix.commitManifest(&w.out, change, nil, func(v *version) { ix.publish(v, nil) }); err != nil {
		return err
	}
	if ix.flushes.Add(1); ix.full.Swap(nil) != nil {
		ix.log.Info("there is room to flush again")
	}
	ix.memory.WakeWriters()
	ix.log.Info("flushed", "sequence", st.sequence, "edits", st.frozen.Count(), "pages", len(change.Added), "took",
		time.Since(start))
	return errors.Join(ix.checkpoint(), ix.trim(st.sequence))
}

// compactFrozen returns a frozen delta with the tiers of each field as one, and has readers look
// into that from now on: until its pages are there they look into the active delta as well, which
// has as many tiers again. It says the same. A flush that was given up has left little to do.
func (ix *Index) compactFrozen(ctx context.Context, frozen *delta.Table) *delta.Table {
	compacted, held := *frozen, int64(0)
	compacted.Edits = slices.Clone(frozen.Edits)
	for i, ts := range frozen.Edits {
		if len(ts.All) < 2 || ctx.Err() != nil {
			continue
		}
		before := ts.Bytes()
		ix.memory.Change(memory.Merges, before) // the tiers are there twice until readers let go of the old ones
		held += before
		compacted.Edits[i] = ts.Joined()
		compacted.Bytes += compacted.Edits[i].Bytes() - before
	}
	if held == 0 {
		return frozen
	}
	defer ix.memory.Change(memory.Merges, -held)
	ix.write.Lock()
	defer ix.write.Unlock()
	ix.publish(ix.state.Load().version, &compacted)
	return &compacted
}

// editSize is what an edit or assignment takes while it is merged.
const editSize = int64(max(unsafe.Sizeof(model.Edit{}), unsafe.Sizeof(model.ValueEdit{})))

// tombstoneEdits returns how many edits that follow from removals a flush gathers before it writes
// them: they take a sixteenth of the memory.
func (ix *Index) tombstoneEdits() int {
	if ix.config.tombstoneEdits > 0 {
		return ix.config.tombstoneEdits
	}
	return int(min(loadChunk, max(1<<10, ix.memory.Share(1)/(2*editSize))))
}

// writeFrozen writes the pages that a frozen delta changes.
func (ix *Index) writeFrozen(ctx context.Context, w *mergeDriver, frozen *delta.Table) error {
	var edits []model.Edit
	assigned, err := frozen.Forward.Items(), error(nil)
	if frozen.Removals != nil {
		edits, assigned, err = ix.merger(ctx, w.base).applyTombstones(ix, frozen, ix.tombstoneEdits(),
			func(edits []model.Edit, assigned []model.ValueEdit) error {
				m := ix.merger(ctx, w.base)
				return w.finish(m, errors.Join(m.edits(edits), m.mergeValues(assigned)))
			})
	}
	if err != nil {
		return err
	}
	m := ix.merger(ctx, w.base)
	for _, space := range slices.Sorted(maps.Keys(frozen.Spaces)) {
		var dead []uint64
		if r := frozen.Removals; r != nil && space == model.RecordSpace {
			dead = r.Dead.View().AppendTo(nil)
		}
		if err = m.keys(space, &ix.secret, frozen.Spaces[space], dead); err != nil {
			break
		}
	}
	if err == nil && frozen.Removals == nil {
		err = m.mergeLevels(frozen.Edits)
	}
	if err == nil {
		err = errors.Join(m.edits(edits), m.mergeValues(assigned))
	}
	err = errors.Join(err, m.out.flush())
	w.take(m.out)
	return err
}

// freeze makes the active delta the frozen one and returns the state to flush; nil when there is
// nothing. A flush that was given up has left a frozen delta over, which is flushed first.
func (ix *Index) freeze() (st *state, leftover bool, err error) {
	ix.write.Lock()
	defer ix.write.Unlock()
	st = ix.state.Load()
	if ix.failure != nil {
		return nil, false, nil
	}
	if st.frozen != nil {
		return ix.frozenState(st), true, nil
	}
	if ix.active.IsEmpty() {
		return nil, false, nil
	}
	if err := ix.writeUnsynced(); err != nil {
		return nil, false, err // pages must not be ahead of the log
	}
	frozen := ix.active.Publish()
	ix.active = delta.New(frozen.Next())
	ix.frozenAt = ix.sequence
	ix.publish(st.version, frozen)
	ix.relieved.Broadcast()
	return ix.frozenState(ix.state.Load()), false, nil
}

// frozenState returns the state as of the freeze: the sequence number that its flush covers.
func (ix *Index) frozenState(st *state) *state {
	return &state{ix: ix, version: st.version, frozen: st.frozen, sequence: ix.frozenAt}
}

func (ix *Index) failed() error {
	ix.write.Lock()
	defer ix.write.Unlock()
	return ix.failure
}

// merger returns a merger of edits into the pages of a manifest.
func (ix *Index) merger(ctx context.Context, base *format.Manifest) *merger {
	out := &pageBatch{store: ix.store, index: ix.id, cache: ix.cache, most: ix.memory.BatchBytes(),
		generation: func() uint64 {
			return ix.generation.Add(1) - 1
		}}
	read := func(r *format.Ref) (*format.Page, error) {
		p, ok := ix.cache.Get(ix.id, r.Generation)
		if out.warm = ok; ok {
			return p, nil
		}
		return ix.read(r)
	}
	layout := func(field uint32) model.Column { return ix.fieldOf(field).Column }
	return &merger{ctx: ctx, read: read, out: out, base: base, memory: ix.memory, layout: layout, declared: ix.fieldOf}
}

// edits merges edits of any fields, ascending, each record of a list once.
func (m *merger) edits(edits []model.Edit) error {
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].Field == edits[0].Field {
			n++
		}
		if err := m.postings(edits[0].Field, edits[:n]); err != nil {
			return err
		}
		edits = edits[n:]
	}
	return nil
}

// abandon has the pages of a flush or load that did not come to its end deleted, without waiting
// for that, and returns why.
func (ix *Index) abandon(out *pageBatch, err error) error {
	out.batch.Reset()
	out.kept = nil
	keys := make([][]byte, len(out.added))
	for i := range out.added {
		keys[i] = format.AppendPageKey(nil, ix.id, &out.added[i])
	}
	ix.versions.discard(keys...)
	ix.wake(ix.collector)
	return err
}
