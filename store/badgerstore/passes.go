// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

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
	left := amount{large: known, bytes: known} // by earlier openings of the store
	h.work.add(left)
	h.mess.add(left)
	go h.run()
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

// pass reclaims garbage in value-log files with a share of at least ratio. Unless toEnd, it stops
// when there is enough work for another pass: one that knows what has become garbage meanwhile
// finds better files to rewrite.
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
		return err // Close does not wait for passes that begin now
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

// unknownValue is the size of a deleted value when nothing has been put since opening: a page.
const unknownValue = 32 << 10

// garbage estimates how much of the value log some traffic has made garbage. A store that does not
// grow makes as much garbage as it takes values, whether they replace others or others are deleted;
// a store that shrinks, as much as it deletes, of the size of what is put on average. One that only
// grows makes none, which is found out at the price of a pass each time that it has grown by a
// part.
func (h *housekeeping) garbage(t *traffic) int64 {
	each := int64(unknownValue)
	if puts := h.all.puts.Load(); puts > 0 {
		each = h.all.large.Load() / puts
	}
	return max(t.large.Load(), t.deletes.Load()*each)
}
