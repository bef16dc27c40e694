// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/store"
)

// writer keeps the newest state of an index, as commits change it. mu guards all fields except
// atomics and channels. The committer, a flush or a load holds it while it replaces the state.
// Whoever makes a manifest takes the token of manifests.merging first, and mu after it.
type writer struct {
	*env
	changes *changeLog

	mu        sync.Mutex
	active    *delta.Table // the active delta that goes on changing; what is published is a copy
	held      int64        // what the memory bound knows of the deltas
	sequence  uint64
	deletions uint64          // how many commits since opening deleted records
	frozenAt  uint64          // the sequence number that the frozen delta reaches
	unsynced  wal.Pending     // with SyncEvery: commits that were acknowledged and are not in the store yet
	overdue   bool            // writing them has failed for want of room
	deleted   *mutable.Bitmap // records that were deleted while a load is under way; nil: none is
	paused    bool            // commits wait for a load that is about to install its keys
	// a load with assignments is being merged: assignments of commits go over it, even if they
	// change nothing yet
	overload   bool
	failure    error
	flushEnded *sync.Cond // of mu: a flush has ended

	stopped atomic.Pointer[error] // failure, for who holds no lock
	full    atomic.Pointer[error] // that the last flush has ended with, which matches store.ErrFull; nil: another way
	commits notifier              // rings at each commit
	logDue  chan struct{}         // entries are to be written
}

// newWriter returns a writer of an index whose manifest is known.
func newWriter(e *env, changes *changeLog, m *format.Manifest) *writer {
	w := &writer{env: e, changes: changes, active: delta.New(m.Next), sequence: m.Flushed,
		logDue: make(chan struct{}, 1)}
	w.flushEnded = sync.NewCond(&w.mu)
	return w
}

// publish makes the active delta visible beside a version and a frozen delta. The caller holds
// w.mu.
func (w *writer) publish(v *versions.Version, frozen *delta.Table) {
	before := w.source.State.Load()
	active := w.active.Publish()
	w.source.State.Store(&reader.State{Source: w.source, Version: v, Frozen: frozen, Active: active,
		Masks:    delta.NewMasks(before.Masks, active, frozen, w.source.Inverse),
		Sequence: w.sequence,
		Number:   before.Number + 1, Merged: new(reader.MergedLists), Deletions: w.deletions})
	if before.Merged != nil {
		before.Merged.End(w.source.Memory)
	}
	w.hold(w.active.Bytes + frozen.Size())
	w.commits.notify()
}

// hold tells the memory bound what the deltas take. The caller holds w.mu.
func (w *writer) hold(bytes int64) {
	if w.failure != nil {
		return
	}
	w.source.Memory.Change(memory.Deltas, bytes-w.held)
	w.held = bytes
}

// rollback takes the active delta and the sequence number back to what is published.
func (w *writer) rollback() {
	st := w.source.State.Load()
	w.active, w.sequence, w.deletions = st.Active.Publish(), st.Sequence, st.Deletions
	w.changes.recent.Cut(w.sequence)
}

// fail stops writing: what the store did with the last batch is unknown. It returns the error of
// writers. An index that follows writes nothing, and is not stopped by what it has tried before.
func (w *writer) fail(err error) error {
	if w.following.Load() {
		w.flushEnded.Broadcast()
		return fmt.Errorf("%w: %w", model.ErrReadOnly, err)
	}
	if w.failure == nil {
		w.failure = fmt.Errorf("%w: %w", model.ErrFailed, err)
		w.stopped.Store(new(w.failure))
		level := slog.LevelError
		if errors.Is(err, store.ErrClosed) { // a copy that is being stopped closes its store first
			level = slog.LevelInfo
		}
		w.log.Log(context.Background(), level, "writing stopped", "error", err)
		w.source.Memory.Change(memory.Indexes, w.held) // other indexes must not wait for these to be flushed
		w.source.Memory.Change(memory.Deltas, -w.held)
	}
	w.flushEnded.Broadcast()
	return w.failure
}

// isUnchanged reports whether an error of the store says that nothing was written, and that it may
// be tried again.
func isUnchanged(err error) bool {
	return errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrUnavailable)
}

// failed returns why writing has ended; nil if it has not.
func (w *writer) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failure
}

// removes reports whether records or rows were deleted since the last flush.
func (w *writer) removes() bool {
	frozen := w.source.State.Load().Frozen
	return w.active.Tombstones != nil || frozen != nil && frozen.Tombstones != nil
}

// isDead reports whether a record was deleted since the last flush.
func (w *writer) isDead(record uint64) bool {
	frozen := w.source.State.Load().Frozen
	return w.active.Tombstones.IsDead(record) || frozen != nil && frozen.Tombstones.IsDead(record)
}

// pause has commits wait until resume is called. Those under way are done before it returns.
func (w *writer) pause() (resume func()) {
	w.mu.Lock()
	w.paused = true
	w.mu.Unlock()
	return func() {
		w.mu.Lock()
		w.paused = false
		w.mu.Unlock()
		w.flushEnded.Broadcast()
	}
}

// RequestFlush implements memory.Waiter.
func (w *writer) RequestFlush() { wake(w.flushDue) }

// Wake implements memory.Waiter.
func (w *writer) Wake() {
	w.mu.Lock() // or a writer between its look and its wait would miss it
	w.flushEnded.Broadcast()
	w.mu.Unlock()
}
