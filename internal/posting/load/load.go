// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// Loader is a bulk load: sets and assignments are gathered, sorted, merged into pages of a manifest
// of its own, and become visible all at once with Commit. It writes no log but for the keys, and
// one entry at the end. Reads and writes go on meanwhile; while Commit merges, flushes wait, and so
// do writers when the delta is full.
//
// The load counts as written when Commit begins to merge, once all keys have IDs: it goes over what
// was written before, and what is written from then on goes over it. (A Drop that is written
// meanwhile looks at the value before the load.) Of several assignments to one record in one field
// the last counts.
//
// A record that is deleted while the load is under way stays deleted, with what the load has said
// of its ID. Where its key has no ID at that moment, since it waits for one or was forgotten for
// lack of memory, the load makes the record anew: who has to be sure deletes it again after Commit.
//
// A load that is aborted, or ends with the process, leaves nothing visible; keys that it brought
// keep their IDs. Not for concurrent use.
type Loader struct {
	host     Host
	src      *reader.Source
	ctx      context.Context
	cancel   context.CancelFunc
	memory   int64 // counted against the bound of the database
	taken    int64 // likewise, by Take
	progress func(done, total int)
	prepares func(done, total int) // nil: nobody is told

	known     *interner // may be forgotten: a key that is met again is looked up
	numbers   []int     // of the keys of a batch
	full      bool      // no key has room in the table
	named     bool      // commits have named keys, or are to name them
	Naming    naming
	numbering numbering // of a load of pairs
	Edits     edits
	values    values
	Pairs     pairs
	Deferred  deferredPairs // pairs that wait for another pass, since a key of theirs had no room
	clusters  bool          // IDs are given out at the end, by community
	raw       *pairBuffer   // pairs of numbers of keys of such a load; nil: none yet

	err   error // the first that the load met
	ended bool
}

const (
	// loadKeys and loadKeyBytes are how many keys, and bytes of them, wait before they are given
	// IDs in one commit.
	loadKeys     = 64 << 10
	loadKeyBytes = 4 << 20
	// loadEdit is the memory that an edit takes: itself, itself resolved, and its inverse.
	loadEdit = 3 * 24
	// mostChunk is how many edits are merged at a time, at most.
	mostChunk = 1 << 20
)

// New returns a load into the index of a host. bytes is about the memory that it takes. Three
// eighths hold edits. It sorts further edits in temporary files (os.TempDir). Five eighths hold the
// keys it meets, see Trim. During Commit it tells progress, if not nil, how many edits of how many
// are merged. The load ends with ctx. Errors: ErrMemory.
func New(ctx context.Context, host Host, src *reader.Source, bytes int64, progress func(done, total int)) (*Loader,
	error) {
	if err := src.Memory.Take(memory.Loads, bytes); err != nil {
		return nil, err
	}
	l := &Loader{host: host, src: src, memory: bytes, progress: progress, known: newInterner()}
	l.ctx, l.cancel = context.WithCancel(ctx)
	l.Naming = naming{host: host, ctx: l.ctx}
	l.Edits = edits{src: src, naming: &l.Naming, Runs: newRuns(bytes/4, false)}
	l.values = values{src: src, naming: &l.Naming, words: newRuns(bytes/4, true)}
	l.numbering = numbering{src: src, edits: &l.Edits}
	l.Pairs = pairs{src: src, naming: &l.Naming, edits: &l.Edits, values: &l.values, memory: bytes,
		Fields: make(map[uint32]*pairBuffer), assigned: make(map[uint32]*pairBuffer), few: make(map[uint32]int)}
	return l, nil
}

// OnPrepare sets a function that Commit tells its progress before it merges anything. It counts the
// pairs of each pass over deferred pairs, then keys that get IDs. Keys count in both directions.
func (l *Loader) OnPrepare(fn func(done, total int)) { l.prepares = fn }

// prepared tells how much is done before merging.
func (l *Loader) prepared(done, total int) {
	if l.prepares != nil {
		l.prepares(done, total)
	}
}

// Take counts bytes that the caller holds for the load against the database's bound. They count
// beside the load's own until it ends. Cost: two atomic additions. Errors: *memory.Error, which
// matches ErrMemory, when not enough is left; ErrClosed after the end of the load. On an error
// nothing is counted.
func (l *Loader) Take(bytes int64) error {
	if l.ended {
		return model.ErrClosed
	}
	err := l.src.Memory.Take(memory.Loads, bytes)
	if err == nil {
		l.taken += bytes
	}
	return err
}
