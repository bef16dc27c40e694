// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// removes reports whether records or rows were deleted since the last flush.
func (ix *Index) removes() bool {
	frozen := ix.State.Load().Frozen
	return ix.active.Removals != nil || frozen != nil && frozen.Removals != nil
}

// isDead reports whether a record was deleted since the last flush.
func (ix *Index) isDead(record uint64) bool {
	frozen := ix.State.Load().Frozen
	return ix.active.Removals.IsDead(record) || frozen != nil && frozen.Removals.IsDead(record)
}

// publish makes the active delta visible beside a version and a frozen delta. The caller holds
// ix.write.
func (ix *Index) publish(v *reader.Version, frozen *delta.Table) {
	before := ix.State.Load()
	active := ix.active.Publish()
	ix.State.Store(&reader.State{Source: ix.Source, Version: v, Frozen: frozen, Active: active,
		Masks:    delta.NewMasks(before.Masks, active, frozen, ix.Inverse),
		Sequence: ix.sequence,
		Number:   before.Number + 1, Merged: new(reader.MergedLists), Deletions: ix.deletions})
	if before.Merged != nil {
		before.Merged.End(ix.Memory)
	}
	ix.hold(ix.active.Bytes + frozen.Size())
	ix.commits.notify()
}

// hold tells the memory bound what the deltas take. The caller holds ix.write.
func (ix *Index) hold(bytes int64) {
	if ix.failure != nil {
		return
	}
	ix.Memory.Change(memory.Deltas, bytes-ix.held)
	ix.held = bytes
}

// rollback takes the active delta and the sequence number back to what is published.
func (ix *Index) rollback() {
	st := ix.State.Load()
	ix.active, ix.sequence, ix.deletions = st.Active.Publish(), st.Sequence, st.Deletions
}

// fail stops writing: what the store did with the last batch is unknown.
func (ix *Index) fail(err error) {
	if ix.failure == nil {
		ix.failure = fmt.Errorf("%w: %w", model.ErrFailed, err)
		ix.stopped.Store(new(ix.failure))
		ix.log.Error("writing stopped", "error", err)
		ix.Memory.Change(memory.Indexes, ix.held) // other indexes must not wait for these to be flushed
		ix.Memory.Change(memory.Deltas, -ix.held)
	}
	ix.relieved.Broadcast()
}

func (ix *Index) failed() error {
	ix.write.Lock()
	defer ix.write.Unlock()
	return ix.failure
}

// pause has commits wait until resume is called. Those under way are done before it returns.
func (ix *Index) pause() (resume func()) {
	ix.write.Lock()
	ix.paused = true
	ix.write.Unlock()
	return func() {
		ix.write.Lock()
		ix.paused = false
		ix.write.Unlock()
		ix.relieved.Broadcast()
	}
}
