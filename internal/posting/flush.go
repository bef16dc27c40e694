// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/trace"
)

// flusher merges the deltas of an index into pages. It works in a goroutine of its own, or for a
// caller that asks for it.
type flusher struct {
	*env
	writer    *writer
	manifests *manifests
	changes   *changeLog
	flushes   atomic.Uint64
}

// run merges the delta into pages when it is told to, until the index is closed. On a full disk it
// tries again and again; after any other error writing ends, because what reached the disk is
// unknown, or a page cannot be read.
func (fl *flusher) run() {
	for {
		select {
		case <-fl.stopping.Done():
			return
		case <-fl.flushDue:
		}
		if fl.following.Load() {
			continue
		}
		err := fl.flushNow(fl.stopping)
		switch {
		case err == nil || fl.stopping.Err() != nil:
		case isUnchanged(err):
			if fl.writer.full.Swap(&err) == nil {
				fl.log.Warn("no room to flush; trying again and again", "error", err)
			}
			select {
			case <-fl.stopping.Done():
				return
			case <-time.After(fl.config.pause):
				wake(fl.flushDue)
			}
		default:
			fl.writer.mu.Lock()
			fl.writer.fail(err)
			fl.writer.mu.Unlock()
		}
	}
}

// flushNow merges everything committed before the call, unless it is closed before or ctx ends.
func (fl *flusher) flushNow(ctx context.Context) error {
	release, err := fl.manifests.lockMerges(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := fl.withClosing(ctx)
	defer cancel()
	return fl.flushFrozen(ctx)
}

// flushFrozen is flushNow for a caller that has the others wait.
func (fl *flusher) flushFrozen(ctx context.Context) error {
	if err := fl.flushDeltas(ctx); err != nil {
		return err
	}
	return fl.purge()
}

// flushDeltas merges the deltas.
func (fl *flusher) flushDeltas(ctx context.Context) error {
	for {
		st, leftover, err := fl.freeze()
		if st == nil || err != nil {
			return errors.Join(err, fl.writer.failed())
		}
		if err := fl.flush(ctx, st); err != nil || !leftover {
			return err
		}
	}
}

// flush merges a frozen delta.
func (fl *flusher) flush(ctx context.Context, st *reader.State) (err error) {
	start := time.Now()
	ctx, step := trace.Root(ctx, "flush")
	step.Int("uproar.edits", int64(st.Frozen.Count()))
	step.Int("uproar.sequence", int64(st.Sequence))
	defer step.EndWith(&err)
	if err := fl.manifests.mayLeave(); err != nil {
		return err
	}
	w := fl.manifests.mergeDriver(st.Version.Manifest)
	held := int64(st.Frozen.Values.Len())*merge.EditSize + merge.Bytes(fl.source)
	if st.Frozen.Tombstones != nil {
		held += merge.EditSize * (int64(st.Frozen.Count()) + 2*int64(fl.tombstoneEdits()))
	}
	fl.source.Memory.Change(memory.Merges, held)
	defer fl.source.Memory.Change(memory.Merges, -held)
	st.Frozen = fl.compactFrozen(ctx, st.Frozen)
	if err := fl.writeFrozen(ctx, w, st.Frozen); err != nil {
		return fl.manifests.abandon(&w.Out, err)
	}
	change := &format.ManifestChange{Flushed: st.Sequence, Next: st.Frozen.Next(), Dropped: w.Out.Dropped,
		Added: w.Out.Added}
	err = fl.manifests.commitManifest(&w.Out, change, nil, func(v *versions.Version) { fl.writer.publish(v, nil) })
	if err != nil {
		return err
	}
	if fl.flushes.Add(1); fl.writer.full.Swap(nil) != nil {
		fl.log.Info("there is room to flush again")
	}
	fl.source.Memory.WakeWriters()
	step.Int("uproar.pages_written", int64(len(change.Added)))
	fl.log.Info("flushed", "sequence", st.Sequence, "edits", st.Frozen.Count(), "pages", len(change.Added), "took",
		time.Since(start))
	return errors.Join(fl.manifests.checkpoint(), fl.changes.trim(st.Sequence))
}

// compactFrozen returns a frozen delta with the levels of each field merged into one. Readers look
// into it from now on: until its pages are there, they look into the active delta too, which has as
// many levels again. Its content is the same. A flush that was given up before has left little to
// do.
func (fl *flusher) compactFrozen(ctx context.Context, frozen *delta.Table) *delta.Table {
	compacted, held := *frozen, int64(0)
	compacted.Edits = slices.Clone(frozen.Edits)
	for i, ts := range frozen.Edits {
		if len(ts.All) < 2 || ctx.Err() != nil {
			continue
		}
		before := ts.Bytes()
		// The levels are there twice until readers let go of the old ones.
		fl.source.Memory.Change(memory.Merges, before)
		held += before
		compacted.Edits[i] = ts.Joined()
		compacted.Bytes += compacted.Edits[i].Bytes() - before
	}
	if held == 0 {
		return frozen
	}
	defer fl.source.Memory.Change(memory.Merges, -held)
	fl.writer.mu.Lock()
	defer fl.writer.mu.Unlock()
	if fl.writer.failure != nil {
		return frozen // the active delta may hold commits that have failed
	}
	fl.writer.publish(fl.source.State.Load().Version, &compacted)
	return &compacted
}

// tombstoneEdits returns how many edits that follow from deletions a flush gathers before it writes
// them: they take a sixteenth of the memory.
func (fl *flusher) tombstoneEdits() int {
	if fl.config.tombstoneEdits > 0 {
		return fl.config.tombstoneEdits
	}
	return int(min(1<<20, max(1<<10, fl.source.Memory.Share(1)/(2*merge.EditSize))))
}

// writeFrozen writes the pages that a frozen delta changes.
func (fl *flusher) writeFrozen(ctx context.Context, w *merge.Driver, frozen *delta.Table) error {
	var edits []model.Edit
	assigned, err := frozen.Values.Items(), error(nil)
	if frozen.Tombstones != nil {
		m := fl.manifests.merger(ctx, w.Base)
		edits, assigned, err = m.ApplyTombstones(fl.source, frozen, fl.tombstoneEdits(),
			func(edits []model.Edit, assigned []model.ValueEdit) error {
				m := fl.manifests.merger(ctx, w.Base)
				return w.Finish(m, errors.Join(m.Edits(edits), m.MergeValues(assigned)))
			})
	}
	if err != nil {
		return err
	}
	m := fl.manifests.merger(ctx, w.Base)
	for _, space := range slices.Sorted(maps.Keys(frozen.Spaces)) {
		var dead []uint64
		if r := frozen.Tombstones; r != nil && space == model.RecordSpace {
			dead = r.Dead.View().AppendTo(nil)
		}
		if err = m.Keys(space, &fl.source.Secret, frozen.Spaces[space], dead); err != nil {
			break
		}
	}
	if err == nil && frozen.Tombstones == nil {
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
func (fl *flusher) freeze() (st *reader.State, leftover bool, err error) {
	w := fl.writer
	w.mu.Lock()
	defer w.mu.Unlock()
	st = fl.source.State.Load()
	if w.failure != nil {
		return nil, false, nil
	}
	if st.Frozen != nil {
		return fl.frozenState(st), true, nil
	}
	if w.active.IsEmpty() {
		return nil, false, nil
	}
	if err := w.writeUnsynced(); err != nil {
		return nil, false, err // pages must not be ahead of the log
	}
	frozen := w.active.Publish()
	w.active = delta.New(frozen.Next())
	w.frozenAt = w.sequence
	w.publish(st.Version, frozen)
	w.flushEnded.Broadcast()
	return fl.frozenState(fl.source.State.Load()), false, nil
}

// frozenState returns the state as of the freeze: the sequence number that its flush covers.
func (fl *flusher) frozenState(st *reader.State) *reader.State {
	return &reader.State{Source: fl.source, Version: st.Version, Frozen: st.Frozen, Sequence: fl.writer.frozenAt}
}
