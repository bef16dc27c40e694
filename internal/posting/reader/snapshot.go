// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/trace"
)

// Snapshot is one state of an index: every read through it sees the same commits. It is a small
// value; taking one takes no lock. Close lets go of it, once; pages that only it can see are
// deleted after that. Safe for concurrent use.
type Snapshot struct {
	St     *State
	ctx    context.Context // of the questions, if not nil
	closed *atomic.Bool    // shared by all copies; nil: it need not be closed
}

// Snapshot returns the current state. All writes are in it whose Commit had returned.
func (src *Source) Snapshot() Snapshot {
	for {
		st := src.State.Load()
		if st.Version.Acquire() {
			return Snapshot{St: st, closed: new(atomic.Bool)}
		}
	}
}

// Under returns the snapshot for questions that end with ctx, which is looked at after pages that
// must be read from the store: a question takes little longer than it may, also on a slow disk.
// Closing one of the two closes both.
func (s Snapshot) Under(ctx context.Context) Snapshot {
	s.ctx = ctx
	return s
}

// Context returns the context of Under, nil without one.
func (s Snapshot) Context() context.Context { return s.ctx }

// patient returns the error of a done context if the cache has missed since. misses is the earlier
// count. The page reads of all readers count.
func (s Snapshot) patient(misses uint64) error {
	if s.ctx != nil && s.St.Source.Misses.Load() != misses {
		return s.ctx.Err()
	}
	return nil
}

// page returns a page, under the context of the snapshot.
func (s Snapshot) page(r *format.Ref) (*format.Page, error) {
	hits := uint64(0)
	defer func() { s.St.Source.hit(hits) }()
	return s.pageOf(r, &hits)
}

// pageOf is page, but adds a hit of the cache to hits. Its caller adds them to the index's counter
// at the end: counting each across processors would make the next load wait for all before it.
func (s Snapshot) pageOf(r *format.Ref, hits *uint64) (*format.Page, error) {
	if p, ok := s.St.Source.Cache.Get(s.St.Source.ID, r.Generation); ok {
		*hits++
		return p, nil
	}
	defer trace.Reading(s.ctx, r.Bytes)()
	p, err := s.St.Source.load(r)
	if err == nil && s.ctx != nil {
		err = s.ctx.Err()
	}
	return p, err
}

// viewOf returns the list of a row on its page; see pageOf.
func (s Snapshot) viewOf(r *format.Ref, row uint64, hits *uint64) (view.View, error) {
	p, err := s.pageOf(r, hits)
	if err != nil {
		return view.View{}, err
	}
	return p.View(r, row)
}

// Close lets go of the snapshot, and of all copies of it. Lists that were read through it stay
// valid; further reads are ErrClosed. Closing it twice is a mistake of the program, and panics.
func (s Snapshot) Close() {
	if s.closed.Swap(true) {
		panic("posting: a snapshot was closed twice")
	}
	if s.St.Version.Users.Add(-1) == 0 {
		s.St.Source.Collect()
	}
}

// Closed reports whether the snapshot or its index was closed.
func (s Snapshot) Closed() bool {
	return s.closed != nil && s.closed.Load() || s.St.Source.Closed.Load()
}

// Sequence returns the number of the last commit in the snapshot.
func (s Snapshot) Sequence() uint64 { return s.St.Sequence }

// MemoryLimit returns the bound on the memory of the database, in bytes.
func (s Snapshot) MemoryLimit() int64 { return s.St.Source.Memory.Limit }

// Take counts memory in bytes that a query is about to use against the database's bound. The query
// returns as much with Give when it ends. Cost: two atomic additions. Errors: *memory.Error, which
// matches ErrMemory, when not enough is left: nothing is counted then. ErrClosed.
func (s Snapshot) Take(bytes int64) error {
	if s.Closed() {
		return model.ErrClosed
	}
	return s.St.Source.Memory.Take(memory.Queries, bytes)
}

// Give ends the counting of memory that Take counted.
func (s Snapshot) Give(bytes int64) { s.St.Source.Memory.Change(memory.Queries, -bytes) }

// KeysPerLook is how many keys are looked up between two looks at the context.
const KeysPerLook = 256
