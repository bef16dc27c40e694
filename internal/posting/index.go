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

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// Index keeps the posting lists of one index. It is safe for concurrent use.
type Index struct {
	*reader.Source
	pacer  store.Pacer // the store, if it is one
	config Config
	log    *slog.Logger

	versions reader.Versions
	flushes  atomic.Uint64

	write     sync.Mutex   // held while the state is replaced: by the committer, a flush, a load
	active    *delta.Table // the active delta that goes on changing; what is published is a copy
	held      int64        // what the memory bound knows of the deltas
	sequence  uint64
	deletions uint64         // how many commits since opening deleted records
	unsynced  wal.Pending    // with SyncEvery: commits that were acknowledged and are not in the store yet
	overdue   bool           // writing them has failed for want of room
	deleted   *bitmap.Bitmap // records that were deleted while a load is under way; nil: none is
	paused    bool           // commits wait for a load that is about to install its keys
	// a load with assignments is being merged: those of commits go over it, also those that change
	// nothing yet
	overload bool
	failure  error
	stopped  atomic.Pointer[error] // failure, for who holds no lock
	full     atomic.Pointer[error] // that the last flush has ended with, which matches store.ErrFull; nil: another way
	frozenAt uint64                // the sequence number that the frozen delta reaches

	merging    chan struct{} // holds one token while a flush or load makes a new manifest; guards what follows
	generation atomic.Uint64
	record     uint64 // number of the newest manifest record
	oldest     uint64 // number of the oldest manifest record
	churn      int    // pages named by changes since the checkpoint
	logOldest  atomic.Uint64
	logBytes   atomic.Int64
	commits    notifier // rings at each commit
	pins       logPins  // log entries that are being copied
	loading    atomic.Bool

	grouped int // how many commits the last group had; of the committer

	requests chan *request
	due      chan struct{} // entries are to be written
	flusher  chan struct{}
	relieved *sync.Cond // of write: a flush has ended
	stop     context.CancelFunc
	stopping context.Context
	workers  sync.WaitGroup
}

// Open opens an index on a store, which it does not close: it reads the manifest, applies the log
// entries after it, and deletes pages that an interrupted flush left behind. An index that was
// never written is empty. Cost: the manifest, a list of page keys, the log of the deltas to replay
// (about DeltaBytes; four times as much at most, when writers had outrun a flush), and a pass over
// the log that is kept.
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
	ix := &Index{Source: reader.NewSource(s, config.ID, config.Secret, config.Memory), config: config,
		log:      config.Logger.With("index", config.ID),
		merging:  make(chan struct{}, 1),
		requests: make(chan *request, 1024),
		due:      make(chan struct{}, 1), flusher: make(chan struct{}, 1)}
	ix.Unmerged = config.unmerged
	ix.pacer, _ = s.(store.Pacer)
	if err := ix.AddFields(config.Fields...); err != nil {
		return nil, err
	}
	ix.relieved = sync.NewCond(&ix.write)
	ix.versions = reader.Versions{Store: s, Index: ix.ID, Memory: ix.Memory}
	stored, err := readManifest(s, ix.ID)
	if err != nil {
		return nil, err
	}
	ix.record, ix.oldest, ix.churn = stored.last, stored.first, stored.churn
	ix.generation.Store(stored.manifest.Generation)
	ix.sequence = stored.manifest.Flushed
	ix.active = delta.New(stored.manifest.Next)
	current := ix.versions.Add(stored.manifest, nil)
	ix.State.Store(&reader.State{Source: ix.Source, Version: current, Active: ix.active.Publish(),
		Sequence: ix.sequence})
	if err := errors.Join(ix.measureLog(), ix.replay()); err != nil {
		ix.versions.Leave()
		return nil, err
	}
	if err := ix.collectOrphans(stored.manifest); err != nil {
		ix.versions.Leave()
		return nil, err
	}
	ix.publish(current, nil)
	ix.stopping, ix.stop = context.WithCancel(context.Background())
	ix.Memory.Join((*waiter)(ix))
	if config.ReadOnly {
		return ix, nil
	}
	ix.workers.Go(ix.commitAll)
	ix.workers.Go(ix.writeUnsyncedWhenDue)
	ix.workers.Go(ix.flushAll)
	ix.workers.Go(ix.collectAll)
	if ix.active.Outgrows(config.DeltaBytes) {
		wake(ix.flusher)
	}
	return ix, nil
}

// Close ends the workers: a flush or load under way is given up; a flush is done again after the
// next opening. It waits for commits under way, and takes no time that grows with what was written.
// The store stays open, and the index no longer touches it. Later reads and writes get ErrClosed.
func (ix *Index) Close() error {
	if ix.Closed.Swap(true) {
		return model.ErrClosed
	}
	ix.stop()
	ix.write.Lock()
	ix.relieved.Broadcast()
	ix.write.Unlock()
	ix.workers.Wait()
	ix.merging <- struct{}{} // for ever: a flush that was asked for, or a load, has seen that it is to stop
	ix.write.Lock()
	err := ix.writeUnsynced()
	ix.write.Unlock()
	ix.leave()
	for {
		select {
		case r := <-ix.requests:
			r.done <- result{err: model.ErrClosed}
		default:
			return err
		}
	}
}

// leave gives back what the index has of the memory bound. What its snapshots still hold is no
// longer counted.
func (ix *Index) leave() {
	ix.write.Lock()
	u := memory.Deltas
	if ix.failure != nil {
		u = memory.Indexes
	}
	ix.Memory.Change(u, -ix.held)
	ix.State.Load().Merged.End(ix.Memory)
	ix.write.Unlock()
	ix.versions.Leave()
	ix.Sizes.Leave(ix.Memory)
	ix.Memory.Leave((*waiter)(ix))
}

// waiter is an index, as the bound on memory sees it.
type waiter Index

// RequestFlush implements memory.Waiter.
func (w *waiter) RequestFlush() { wake(w.flusher) }

// Wake implements memory.Waiter.
func (w *waiter) Wake() {
	w.write.Lock() // or a writer between its look and its wait would miss it
	w.relieved.Broadcast()
	w.write.Unlock()
}
