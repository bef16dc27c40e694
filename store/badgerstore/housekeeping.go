// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// housekeeping reclaims the space of deleted and replaced values, in a goroutine of its own.
//
// Badger deletes a value-log file after having copied what is alive in it, and knows how much of a
// file is dead only from its compactions of the tree, which happen when memtables fill up. Pages
// fill value-log files far faster than their keys fill a memtable; left alone, Badger would hold
// gigabytes of garbage that it knows nothing about. So a pass first lets Badger forget old
// versions, then pushes the memtable out, merges the tree, and only then collects.
type housekeeping struct {
	s *Store

	all   traffic       // since opening
	work  traffic       // since the last pass
	mess  traffic       // since the last pass in quiet that came to its end
	pace  pace          // of writers
	tree  atomic.Int64  // size of all but the value log after the last pass
	aged  atomic.Int64  // bytes written since the discard timestamp was raised
	known atomic.Uint64 // the last timestamp whose garbage is known: that of filler

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

// stop ends the goroutine, and a call of compact, and waits for them: for as long as Badger's own
// steps take.
func (h *housekeeping) stop() {
	if h.cancel != nil {
		h.cancel()
		<-h.done
		h.turn <- struct{}{}
	}
}

// end tells the goroutine, and a call of compact, to end. It reports whether they are in a step
// that one need not wait for: rewriting a value-log file of small entries takes as long as there
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
