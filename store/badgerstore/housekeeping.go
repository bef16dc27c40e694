// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

// housekeeping reclaims the space of deleted and replaced values, in a goroutine of its own.
//
// Badger deletes a value-log file after having copied what is alive in it, and knows how much of a file is dead only from its compactions of the
// tree, which happen when memtables fill up. Pages fill value-log files a hundred times faster than their keys fill a memtable; left alone, Badger
// would hold gigabytes of garbage that it knows nothing about. So a pass first lets Badger forget old versions, then pushes the memtable
// out, merges the tree, and only then collects.
type housekeeping struct {
	s *Store

	work   atomic.Int64 // estimate of the garbage made since the last pass, in bytes
	values atomic.Int64 // size of the value log after the last pass

	wake   chan struct{} // has room for one
	turn   chan struct{} // holds one token: one pass at a time
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}
}

const (
	busyRatio  = 0.5 // how much of a file must be garbage for it to be rewritten while others wait for the disk
	quietRatio = 0.2 // and when nobody does

	quietAfter = 5 * time.Second // without a write
)

// busyPass and quietPass are the amounts of work that are worth a pass. A pass rewrites the tree, so that the amount grows with the store.
func (h *housekeeping) busyPass() int64  { return min(max(64<<20, h.values.Load()/8), 4<<30) }
func (h *housekeeping) quietPass() int64 { return max(1<<20, h.values.Load()/256) }

// garbageOf estimates how much garbage op makes: deletions are of pages mostly, and a value replaces one like it now and then.
func garbageOf(op store.Op) int64 {
	if op.Delete {
		return 32 << 10
	}
	return int64(len(op.Key)+len(op.Value)) / 4
}

func (h *housekeeping) start(s *Store) {
	h.s = s
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.wake, h.turn, h.done = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
	if size, err := folderSize(s.dir); err == nil {
		h.values.Store(size.Values)
	}
	go h.run()
}

// stop ends the goroutine, and a call of compact, and waits for them: for as long as Badger's own steps take.
func (h *housekeeping) stop() {
	if h.cancel != nil {
		h.cancel()
		<-h.done
		h.turn <- struct{}{}
	}
}

// note adds to the work to be done.
func (h *housekeeping) note(garbage int64) {
	if h.work.Add(garbage) > h.busyPass() {
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
}

func (h *housekeeping) run() {
	defer close(h.done)
	tick := time.NewTicker(quietAfter)
	defer tick.Stop()
	before := int64(0)
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-h.wake:
			if h.work.Load() > h.busyPass() {
				h.report(h.pass(h.ctx, busyRatio, false))
			}
		case <-tick.C:
			work := h.work.Load()
			if work == before && work > h.quietPass() {
				h.report(h.pass(h.ctx, quietRatio, false))
			}
			before = h.work.Load()
		}
	}
}

func (h *housekeeping) report(err error) {
	if err != nil && h.ctx.Err() == nil {
		h.s.log.print(slog.LevelWarn, "reclaiming space: %v", []any{err})
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

// pass reclaims what is garbage now, in value-log files of which at least ratio is. Unless it is to go on to the end, it stops when there is enough
// work for another pass: one that knows what has become garbage meanwhile finds better files to rewrite.
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
	work := h.work.Swap(0)
	err := h.collect(ctx, ratio, toEnd)
	if err != nil {
		h.work.Add(work) // still to be done
	}
	if size, err := folderSize(h.s.dir); err == nil {
		h.values.Store(size.Values)
	}
	return err
}

func (h *housekeeping) collect(ctx context.Context, ratio float64, toEnd bool) error {
	if err := h.learn(ctx); err != nil {
		return err
	}
	for toEnd || h.work.Load() <= h.busyPass() {
		if err := ctx.Err(); err != nil {
			return err
		}
		// Rewriting makes room in the end but takes some first.
		if err := h.s.checkRoom(0); err != nil {
			return err
		}
		err := h.s.db.RunValueLogGC(ratio)
		if lost := h.s.log.lost(); lost != nil {
			h.s.writes.fail(lost)
		}
		switch {
		case errors.Is(err, badger.ErrNoRewrite):
			return h.s.writes.failure()
		case err != nil:
			return fmt.Errorf("badgerstore: rewrite a value-log file: %w", err)
		}
	}
	return nil
}

// learn lets Badger learn which values are garbage: by compacting their keys away.
func (h *housekeeping) learn(ctx context.Context) error {
	s := h.s
	// Whoever reads at an older timestamp than this one has entered the gate already, and has left it when flip returns.
	ts := s.committed.Load()
	s.gate.flip()
	s.db.SetDiscardTs(ts)
	if err := h.pushMemtable(ctx); err != nil {
		return err
	}
	if err := s.db.Flatten(1); err != nil {
		return fmt.Errorf("badgerstore: merge the tree: %w", err)
	}
	return nil
}

// A memtable is pushed out by filling it: Badger has no call for that. The filler is deletions of keys that nobody stored, long and nearly equal, so that
// they take much room in the memtable, little in the table that it becomes, and none after the next merge.
const (
	fillerKey    = 1000
	fillerPerTxn = maxWeight / (fillerKey + 2*opWeight)
)

// pushMemtable makes Badger write its memtable to a table of level 0, and waits for it.
func (h *housekeeping) pushMemtable(ctx context.Context) error {
	s := h.s
	from := s.committed.Load()
	if s.maxTableVersion() >= from {
		return nil // the tables have it all
	}
	for i := 0; s.maxTableVersion() < from; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i > 2*memTableSize/maxWeight {
			time.Sleep(time.Millisecond) // filled twice over: the engine is writing it
			continue
		}
		c := &commit{weight: maxWeight, done: make(chan error, 1)}
		for j := range fillerPerTxn {
			key := bytes.Repeat([]byte{'f'}, fillerKey)
			key[0] = escape
			binary.BigEndian.PutUint32(key[fillerKey-4:], uint32(i*fillerPerTxn+j))
			c.filler = append(c.filler, key)
		}
		if err := s.writes.run(c); err != nil {
			return err
		}
	}
	return nil
}

// maxTableVersion returns the newest timestamp in the tables of the tree.
func (s *Store) maxTableVersion() uint64 {
	newest := uint64(0)
	for _, t := range s.db.Tables() {
		newest = max(newest, t.MaxVersion)
	}
	return newest
}
