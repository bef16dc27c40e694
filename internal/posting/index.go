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
	"time"

	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
)

// Index keeps the posting lists of one index. It is safe for concurrent use.
type Index struct {
	*env
	changes   *changeLog
	writer    *writer
	manifests *manifests
	committer *committer
	flusher   *flusher

	loading atomic.Bool
	closing atomic.Bool
	stop    context.CancelFunc // ends stopping
	workers sync.WaitGroup
}

// Open opens an index on a store, which it does not close: it reads the manifest and applies the
// log entries after it. An index that was never written is empty. Cost: the manifest, and what
// Close has left of the log to replay. After a kill that is the log of the deltas (about
// DeltaBytes; four times as much at most, when writers had outrun a flush), with a pass over the
// log that is kept. A list of page keys is then read in the background, and pages that a flush had
// left are deleted.
//
// Errors: ErrCorrupt and ErrVersion name the entry that could not be read; nothing is skipped.
func Open(s store.Store, config Config) (*Index, error) {
	if config.pause == 0 {
		config.pause = time.Second
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Memory == nil || config.DeltaBytes <= 0 {
		return nil, fmt.Errorf("%w: got memory %v and DeltaBytes %d, want memory and more than 0", model.ErrInvalid,
			config.Memory, config.DeltaBytes)
	}
	ix := newIndex(s, config)
	if err := ix.open(); err != nil {
		ix.stop()
		return nil, err
	}
	ix.source.Memory.Join(ix.writer)
	if config.ReadOnly {
		return ix, nil
	}
	ix.workers.Go(ix.committer.run)
	ix.workers.Go(ix.writer.writeUnsyncedWhenDue)
	ix.workers.Go(ix.flusher.run)
	ix.workers.Go(ix.manifests.collectAll)
	if !ix.manifests.session.looked.Load() {
		snap := ix.Snapshot()
		ix.workers.Go(func() { ix.manifests.collectLeft(snap) })
	}
	if ix.writer.active.Outgrows(config.DeltaBytes) {
		wake(ix.flushDue)
	}
	return ix, nil
}

// newIndex returns an index without a state yet.
func newIndex(s store.Store, config Config) *Index {
	e := &env{source: reader.NewSource(s, config.ID, config.Secret, config.Memory), config: config,
		log: config.Logger.With("index", config.ID), flushDue: make(chan struct{}, 1)}
	e.source.Unmerged = config.unmerged
	e.following.Store(config.Follow)
	ix := &Index{env: e, changes: &changeLog{env: e}}
	e.stopping, ix.stop = context.WithCancel(context.Background())
	return ix
}

// Snapshot returns the current state. All writes are in it whose Commit had returned.
func (ix *Index) Snapshot() reader.Snapshot { return ix.source.Snapshot() }

// Sequence returns the number of the last commit.
func (ix *Index) Sequence() uint64 { return ix.source.State.Load().Sequence }

// open reads what the store has of the index, and publishes its first state.
func (ix *Index) open() error {
	if err := ix.AddFields(ix.config.Fields...); err != nil {
		return err
	}
	stored, err := manifest.Read(ix.source.Store, ix.source.ID)
	if err != nil {
		return err
	}
	w := newWriter(ix.env, ix.changes, stored.Manifest)
	ms := newManifests(w, stored)
	ix.writer, ix.manifests, ix.committer = w, ms, newCommitter(w)
	ix.flusher = &flusher{env: ix.env, writer: w, manifests: ms, changes: ix.changes}
	current := ms.versions.Add(stored.Manifest, nil)
	ix.source.State.Store(&reader.State{Source: ix.source, Version: current, Active: w.active.Publish(),
		Sequence: w.sequence})
	if err := ms.beginSession(stored.Manifest); err != nil {
		ms.versions.Leave()
		return err
	}
	left, err := ix.changes.measure(w.sequence, ms.session.known)
	if err = errors.Join(err, w.replay()); err != nil {
		ms.versions.Leave()
		return err
	}
	if len(left) > 0 && !ix.config.ReadOnly {
		ms.versions.Discard(left...)
		ix.source.Collect()
	}
	if ms.session.below, err = ms.beginEpoch(ix.config.Epoch); err != nil {
		ms.versions.Leave()
		return err
	}
	if ix.following.Load() {
		// A page that no manifest names may be of a flush under way in another process.
		ms.session.below = stored.Manifest.Generation
		ms.record = stored.Whole
	}
	w.publish(current, nil)
	return nil
}

// How long Close has a flush go on, and then deletes pages.
const (
	flushPatience  = 1200 * time.Millisecond
	deletePatience = 200 * time.Millisecond
	endPatience    = 300 * time.Millisecond // and how long closed indexes end after the store
)

// replayed is how many bytes of log Close leaves to be replayed: opening takes 20 ms for them.
const replayed = 1 << 16

// Close merges what commits have written into pages, for at most flushPatience: what takes longer
// is replayed at the next opening. It then ends the workers, gives up a load under way, and waits
// for commits under way. The store stays open, and the index no longer touches it. Later reads and
// writes get ErrClosed.
func (ix *Index) Close() error {
	if ix.closing.Swap(true) {
		return model.ErrClosed
	}
	ix.flushBeforeClosing()
	ix.source.Closed.Store(true)
	ix.stop()
	ix.writer.mu.Lock()
	ix.writer.flushEnded.Broadcast()
	ix.writer.mu.Unlock()
	ix.workers.Wait()
	ix.manifests.merging <- struct{}{} // for ever: a flush that was asked for, or a load, has seen that it is to stop
	ix.writer.mu.Lock()
	err := ix.writer.writeUnsynced()
	ix.writer.mu.Unlock()
	ix.manifests.endSession(deletePatience)
	ix.leave()
	for {
		select {
		case r := <-ix.committer.requests:
			r.done <- result{err: model.ErrClosed}
		default:
			return err
		}
	}
}

// flushBeforeClosing flushes what would take long to replay. What goes wrong with it, the next
// opening makes good.
func (ix *Index) flushBeforeClosing() {
	if ix.readOnly() || ix.loading.Load() {
		return
	}
	ix.writer.mu.Lock()
	_ = ix.writer.writeUnsynced() // which Close does again
	logged := ix.writer.active.Logged
	if frozen := ix.source.State.Load().Frozen; frozen != nil {
		logged += frozen.Logged
	}
	ix.writer.mu.Unlock()
	if logged <= replayed {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushPatience)
	defer cancel()
	if err := ix.flusher.flushNow(ctx); err != nil {
		ix.log.Info("closing before all is in pages: the next opening replays what is there", "bytes", logged, "error", err)
	}
}

// CloseAll closes indexes beside each other. It takes no longer than patience: where the store does
// not answer, closing the store ends what is left. The caller does so, and then calls end, which
// returns the errors of Close.
func CloseAll(indexes []*Index, patience time.Duration) (end func() error) {
	closed := make(chan error, len(indexes))
	for _, ix := range indexes {
		go func() { closed <- ix.Close() }()
	}
	var err error
	left := len(indexes)
	await := func(patience time.Duration) {
		for timeout := time.After(patience); left > 0; left-- {
			select {
			case failed := <-closed:
				err = errors.Join(err, failed)
			case <-timeout:
				return
			}
		}
	}
	await(patience)
	return func() error {
		if await(endPatience); left > 0 {
			err = errors.Join(err, fmt.Errorf("posting: %w: %d indexes do not close. Try: look after the disk",
				store.ErrUnavailable, left))
		}
		return err
	}
}

// leave gives back what the index has of the memory bound. What its snapshots still hold is no
// longer counted.
func (ix *Index) leave() {
	ix.writer.mu.Lock()
	u := memory.Deltas
	if ix.writer.failure != nil {
		u = memory.Indexes
	}
	ix.source.Memory.Change(u, -ix.writer.held)
	ix.source.State.Load().Merged.End(ix.source.Memory)
	ix.writer.mu.Unlock()
	ix.manifests.versions.Leave()
	ix.source.Sizes.Leave(ix.source.Memory)
	ix.source.Memory.Leave(ix.writer)
}
