// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
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
				wake(ix.flusher)
			}
		default:
			ix.write.Lock()
			ix.fail(err)
			ix.write.Unlock()
		}
	}
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

// flush merges a frozen delta.
func (ix *Index) flush(ctx context.Context, st *reader.State) error {
	start := time.Now()
	w := ix.mergeDriver(st.Version.Manifest)
	held := int64(st.Frozen.Forward.Len())*merge.EditSize + merge.Bytes(ix.Memory)
	if st.Frozen.Removals != nil {
		held += merge.EditSize * (int64(st.Frozen.Count()) + 2*int64(ix.tombstoneEdits()))
	}
	ix.Memory.Change(memory.Merges, held)
	defer ix.Memory.Change(memory.Merges, -held)
	st.Frozen = ix.compactFrozen(ctx, st.Frozen)
	if err := ix.writeFrozen(ctx, w, st.Frozen); err != nil {
		return ix.abandon(&w.Out, err)
	}
	change := &format.ManifestChange{Flushed: st.Sequence, Next: st.Frozen.Next(), Dropped: w.Out.Dropped,
		Added: w.Out.Added}
	if err := ix.commitManifest(&w.Out, change, nil, func(v *reader.Version) { ix.publish(v, nil) }); err != nil {
		return err
	}
	if ix.flushes.Add(1); ix.full.Swap(nil) != nil {
		ix.log.Info("there is room to flush again")
	}
	ix.Memory.WakeWriters()
	ix.log.Info("flushed", "sequence", st.Sequence, "edits", st.Frozen.Count(), "pages", len(change.Added), "took",
		time.Since(start))
	return errors.Join(ix.checkpoint(), ix.trim(st.Sequence))
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
		ix.Memory.Change(memory.Merges, before) // the tiers are there twice until readers let go of the old ones
		held += before
		compacted.Edits[i] = ts.Joined()
		compacted.Bytes += compacted.Edits[i].Bytes() - before
	}
	if held == 0 {
		return frozen
	}
	defer ix.Memory.Change(memory.Merges, -held)
	ix.write.Lock()
	defer ix.write.Unlock()
	ix.publish(ix.State.Load().Version, &compacted)
	return &compacted
}

// tombstoneEdits returns how many edits that follow from removals a flush gathers before it writes
// them: they take a sixteenth of the memory.
func (ix *Index) tombstoneEdits() int {
	if ix.config.tombstoneEdits > 0 {
		return ix.config.tombstoneEdits
	}
	return int(min(1<<20, max(1<<10, ix.Memory.Share(1)/(2*merge.EditSize))))
}

// writeFrozen writes the pages that a frozen delta changes.
func (ix *Index) writeFrozen(ctx context.Context, w *merge.Driver, frozen *delta.Table) error {
	var edits []model.Edit
	assigned, err := frozen.Forward.Items(), error(nil)
	if frozen.Removals != nil {
		edits, assigned, err = ix.merger(ctx, w.Base).ApplyTombstones(ix.Source, frozen, ix.tombstoneEdits(),
			func(edits []model.Edit, assigned []model.ValueEdit) error {
				m := ix.merger(ctx, w.Base)
				return w.Finish(m, errors.Join(m.Edits(edits), m.MergeValues(assigned)))
			})
	}
	if err != nil {
		return err
	}
	m := ix.merger(ctx, w.Base)
	for _, space := range slices.Sorted(maps.Keys(frozen.Spaces)) {
		var dead []uint64
		if r := frozen.Removals; r != nil && space == model.RecordSpace {
			dead = r.Dead.View().AppendTo(nil)
		}
		if err = m.Keys(space, &ix.Secret, frozen.Spaces[space], dead); err != nil {
			break
		}
	}
	if err == nil && frozen.Removals == nil {
		err = m.MergeLevels(frozen.Edits)
	}
	if err == nil {
		err = errors.Join(m.Edits(edits), m.MergeValues(assigned))
	}
	err = errors.Join(err, m.Out.Flush())
	w.Take(m.Out)
	return err
}

// freeze makes the active delta the frozen one and returns the state to flush; nil when there is
// nothing. A flush that was given up has left a frozen delta over, which is flushed first.
func (ix *Index) freeze() (st *reader.State, leftover bool, err error) {
	ix.write.Lock()
	defer ix.write.Unlock()
	st = ix.State.Load()
	if ix.failure != nil {
		return nil, false, nil
	}
	if st.Frozen != nil {
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
	ix.publish(st.Version, frozen)
	ix.relieved.Broadcast()
	return ix.frozenState(ix.State.Load()), false, nil
}

// frozenState returns the state as of the freeze: the sequence number that its flush covers.
func (ix *Index) frozenState(st *reader.State) *reader.State {
	return &reader.State{Source: ix.Source, Version: st.Version, Frozen: st.Frozen, Sequence: ix.frozenAt}
}
