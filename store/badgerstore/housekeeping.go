// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

// housekeeping reclaims the space of deleted and replaced values, in a goroutine of its own.
//
// Badger deletes a value-log file after having copied what is alive in it, and knows how much of a
// file is dead only from its compactions of the tree, which happen when memtables fill up. Pages
// fill value-log files a hundred times faster than their keys fill a memtable; left alone, Badger
// would hold gigabytes of garbage that it knows nothing about. So a pass first lets Badger forget
// old versions, then pushes the memtable out, merges the tree, and only then collects.
type housekeeping struct {
	s *Store

	all   traffic       // since opening
	work  traffic       // since the last pass
	mess  traffic       // since the last pass in quiet that came to its end
	pace  pace          // of writers
	tree  atomic.Int64  // size of all but the value log after the last pass
	aged  atomic.Int64  // bytes written since the discard timestamp was raised
	known atomic.Uint64 // the last timestamp of which garbage is known: that of filler

	calm  atomic.Bool   // as of the last look, much of the time nobody was committing
	spent time.Duration // by committing, until then; of the one goroutine
	seen  time.Time     // when that was
	tries backoff       // of passes that failed; of the one goroutine

	passes    atomic.Uint64 // how many have begun
	rewritten atomic.Uint64 // value-log files
	unread    atomic.Bool   // one of them was not looked at before
	quiet     time.Duration // without a write

	raise  sync.Mutex    // held while the discard timestamp is raised
	step   sync.Mutex    // held while a pass does one of its steps
	inFile atomic.Bool   // the step is one that ends with an error as soon as Badger closes
	wake   chan struct{} // has room for one
	turn   chan struct{} // holds one token: one pass at a time
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
}

const (
	busyRatio  = 0.5 // how much of a file must be garbage for it to be rewritten while others wait for the disk
	calmRatio  = 0.4 // and when they do so for less than calmShare of the time
	calmShare  = 0.6
	quietRatio = 0.15 // and when nobody does

	quietAfter = 5 * time.Second // by default
)

// busyPass and quietPass are the amounts of garbage that are worth a pass. A pass merges the tree,
// so that the amount grows with the store.
func (h *housekeeping) busyPass() int64 {
	part := int64(4)
	if h.calm.Load() {
		part = 6
	}
	return max(64<<20, h.pace.size.Load()/part)
}

func (h *housekeeping) quietPass() int64 { return max(1<<20, h.pace.size.Load()/256) }

// flattenTree is the size of the tree up to which housekeeping merges all of it by itself: that is
// one step, which Close would have to wait for. Larger ones are left to Badger's own compactions,
// which go level by level.
const flattenTree = 256 << 20

// raiseAfter is how much is written until the discard timestamp is raised, pass or not: Badger
// compacts when it wants, and what it may not discard then may lie at the bottom of the tree for
// long.
const raiseAfter = 4 << 20

func (h *housekeeping) start(s *Store, quiet time.Duration) {
	if quiet == 0 {
		quiet = quietAfter
	}
	h.s, h.quiet, h.seen = s, quiet, time.Now()
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.wake, h.turn, h.done = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
	h.measure()
	known := knownGarbage(s.dir)
	h.pace.allow(h.pace.size.Load() - known)
	left := amount{large: known, bytes: known} // by those who had the store open before
	h.work.add(left)
	h.mess.add(left)
	go h.run()
}

// stop ends the goroutine, and a call of compact, and waits for them: for as long as Badger's own
// steps take.
func (h *housekeeping) stop() {
	if h.cancel != nil {
		h.cancel()
		<-h.done
		h.turn <- struct{}{}
	}
}

// end tells the goroutine, and a call of compact, to end, and reports whether they are in a step
// for which one need not wait: a value-log file of small entries takes as long to rewrite as there
// are entries, but Badger gives it up when it closes. The copies made until then are as good as the
// originals, which stay.
func (h *housekeeping) end() (inFile bool) {
	if h.cancel != nil {
		h.cancel()
	}
	return h.inFile.Load()
}

// measure looks at the size of the store.
func (h *housekeeping) measure() {
	before := h.pace.added.Load()
	if size, err := folderSize(h.s.dir); err == nil {
		h.pace.measured(size.Values, before)
		h.tree.Store(size.Tree)
	}
}

// note adds what a batch has written.
func (h *housekeeping) note(b *store.Batch, padded bool) {
	n := h.s.threshold.count(b, padded)
	h.all.add(n)
	h.work.add(n)
	h.mess.add(n)
	h.pace.added.Add(n.large)
	if h.aged.Add(n.bytes) > raiseAfter || h.isDue() {
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
}

func (h *housekeeping) run() {
	defer close(h.done)
	tick := time.NewTicker(h.quiet)
	defer tick.Stop()
	before := int64(-1)
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-h.wake:
			h.raiseDiscard()
			if h.isDue() {
				h.try(h.look())
			}
		case <-tick.C:
			if now := h.all.bytes.Load(); now != before {
				before = now
			} else if h.garbage(&h.mess) > h.quietPass() || h.isMessy() {
				h.try(quietRatio)
			}
		}
	}
}

// isDue reports whether a pass is worth while, or necessary.
func (h *housekeeping) isDue() bool {
	garbage := h.garbage(&h.work)
	return garbage > h.busyPass() || garbage > h.pace.fileSize/8 && h.pace.isOver()
}

// look finds out how busy committing was since the last look, and returns the ratio for a pass.
func (h *housekeeping) look() (ratio float64) {
	now, spent := time.Now(), time.Duration(h.s.writes.spent.Load())
	share := float64(spent-h.spent) / float64(max(1, now.Sub(h.seen)))
	h.seen, h.spent = now, spent
	h.calm.Store(share < calmShare)
	if share < calmShare {
		return calmRatio
	}
	return busyRatio
}

// isMessy reports whether so much of the tree was written that merging it is worth while, and
// quick.
func (h *housekeeping) isMessy() bool {
	tree := h.tree.Load()
	return h.mess.bytes.Load()-h.mess.large.Load() > max(4<<20, tree/4) && tree < flattenTree
}

// try runs a pass, unless it would be too soon after one that failed: what is to be done stays due,
// so that every write would have it tried again.
func (h *housekeeping) try(ratio float64) {
	if !h.tries.isOver() {
		return
	}
	err := h.pass(h.ctx, ratio, false)
	if h.ctx.Err() != nil {
		return
	}
	h.tries.note(err)
	if err != nil {
		h.s.log.print(slog.LevelWarn, "reclaiming space failed, to be tried again in %v: %v", []any{h.tries.pause, err})
	}
}

// compact runs one pass now.
func (h *housekeeping) compact(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	err := h.pass(ctx, quietRatio, true)
	if h.ctx.Err() != nil {
		return store.ErrClosed
	}
	return err
}

// pass reclaims what is garbage now, in value-log files of which at least ratio is. Unless it is to
// go on to the end, it stops when there is enough work for another pass: one that knows what has
// become garbage meanwhile finds better files to rewrite.
func (h *housekeeping) pass(ctx context.Context, ratio float64, toEnd bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := h.ctx.Err(); err != nil {
		return err // Close does not wait for those that begin now
	}
	h.passes.Add(1)
	work, mess := h.work.take(), h.mess.load()
	h.measure()
	h.pace.begin()
	ended, err := h.collect(ctx, ratio, toEnd)
	if err != nil {
		h.work.add(work) // still to be done
	}
	if ended && ratio == quietRatio {
		h.mess.subtract(mess)
	}
	h.measure()
	h.pace.end(ended, h.busyPass())
	return err
}

// collect does the work of a pass. It reports whether there is no more of it.
func (h *housekeeping) collect(ctx context.Context, ratio float64, toEnd bool) (ended bool, err error) {
	size := h.pace.size.Load()
	if err := h.learn(ctx, toEnd); err != nil {
		return false, err
	}
	h.pace.allow(size - knownGarbage(h.s.dir))
	for toEnd || h.garbage(&h.work) <= h.busyPass() || h.pace.isOver() {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		// Rewriting makes room in the end but takes some first.
		if err := h.s.checkRoom(0); err != nil {
			return false, err
		}
		err := h.rewrite(ratio)
		if lost := h.s.log.lost(); lost != nil {
			h.s.writes.fail(lost)
		}
		switch {
		case errors.Is(err, badger.ErrNoRewrite):
			return true, h.s.writes.failure()
		case err != nil:
			return false, fmt.Errorf("badgerstore: rewrite a value-log file: %w", err)
		}
		h.rewritten.Add(1)
		h.measure()
		h.raiseDiscard()
	}
	return false, nil
}

// rewrite rewrites a file, unless the store is being closed.
func (h *housekeeping) rewrite(ratio float64) error {
	h.step.Lock()
	defer h.step.Unlock()
	h.inFile.Store(true)
	defer h.inFile.Store(false)
	// Whoever closes ends the context first and looks at inFile afterwards.
	if err := h.ctx.Err(); err != nil {
		return err
	}
	return h.s.collectFile(ratio)
}

// raiseDiscard lets Badger discard the versions that are replaced or deleted now.
func (h *housekeeping) raiseDiscard() {
	h.raise.Lock()
	defer h.raise.Unlock()
	h.aged.Store(0)
	// Whoever reads at an older timestamp than this one has entered the gate already, and has left
	// it when flip returns.
	ts := h.s.committed.Load()
	h.s.gate.flip()
	h.s.db.SetDiscardTs(ts)
}

// learn lets Badger learn which values are garbage: by compacting their keys away, of a large tree
// only if it is to go on to the end.
func (h *housekeeping) learn(ctx context.Context, toEnd bool) error {
	h.step.Lock()
	defer h.step.Unlock()
	h.raiseDiscard()
	if h.s.committed.Load() == h.known.Load() {
		return nil // nothing has changed since
	}
	if err := h.s.checkDescriptors(); err != nil {
		return err
	}
	ts, err := h.pushMemtable(ctx)
	for i := 0; err == nil && i <= h.s.db.Opts().NumLevelZeroTables && h.s.tooFewTables(); i++ {
		ts, err = h.pushMemtable(ctx)
	}
	if err != nil {
		return err
	}
	if toEnd || h.tree.Load() < flattenTree {
		if err := h.s.db.Flatten(1); err != nil {
			return fmt.Errorf("badgerstore: merge the tree: %w", err)
		}
	}
	h.known.Store(ts)
	return nil
}
