// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
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

	known   *interner  // may be forgotten: a key that is met again is looked up
	fresh   *freshKeys // of a load of pairs that numbers the keys that are new; nil: commits name them
	settled *freshKeys // what fresh was
	named   bool       // commits have named keys, or are to name them
	looks   bool       // the index has keys, so that new ones are to be looked up
	// with fresh: what the numbers of keys stand for; nil: for what follows first, since the index
	// has no keys
	halves       []uint32
	first        int              // the number of fresh that number 0 stands for
	unknown      []int            // which of the keys of a group are new
	ids          []uint64         // IDs of the Refs given out, by the numbers of their keys, as far as they are known
	waiting      []model.SpaceKey // keys that have no ID yet
	waitingBytes int
	names        chan namedKeys         // gets the outcome of naming keys; nil: none are being named
	naming       int                    // how many are
	numbers      []int                  // of the keys of a batch
	Pairs        map[uint32]*pairBuffer // by field
	few          map[uint32]int         // by field: its first writes, which are edits
	gathered     int                    // how many of them are in memory, and wait to be sorted
	Widest       uint64                 // the greatest of ids
	Spool        deferredPairs          // pairs that wait for another pass, since a key of theirs had no room
	full         bool                   // no key has room in the table
	clusters     bool                   // IDs are given out at the end, by community
	raw          *pairBuffer            // pairs of numbers of keys of such a load; nil: none yet
	edits        []model.Edit           // row and record are Refs
	// row is the Ref of a record, record what it is assigned: the Ref of a row, or the word of an
	// integer
	assigned []model.Edit
	Runs     runs  // sorted edits that did not fit into memory
	words    runs  // sorted assignments that did not
	err      error // the first that the load met
	ended    bool
}

const (
	// loadKeys and loadKeyBytes are how many keys, and bytes of them, wait before they are given
	// IDs in one commit.
	loadKeys     = 16 << 10
	loadKeyBytes = 4 << 20
	// loadEdit is the memory that an edit takes: itself, itself resolved, and its inverse.
	loadEdit = 3 * 24
	// mostChunk is how many edits are merged at a time, at most.
	mostChunk = 1 << 20
)

// New returns a load into the index of a host that takes about so many bytes of memory: three
// eighths of them for edits, of which more are sorted in temporary files (os.TempDir), five for the
// keys it meets, see Trim. progress, if not nil, is told during Commit how many edits of how many
// are merged. The load ends with ctx. Errors: ErrMemory.
func New(ctx context.Context, host Host, src *reader.Source, bytes int64, progress func(done, total int)) (*Loader,
	error) {
	if err := src.Memory.Take(memory.Loads, bytes); err != nil {
		return nil, err
	}
	l := &Loader{host: host, src: src, memory: bytes, progress: progress, known: newInterner(),
		Pairs: make(map[uint32]*pairBuffer), few: make(map[uint32]int), Runs: newRuns(bytes/4, false),
		words: newRuns(bytes/4, true)}
	l.ctx, l.cancel = context.WithCancel(ctx)
	return l, nil
}

// OnPrepare has fn be told during Commit, before anything is merged, how much of how much is done:
// pairs of each pass over those that wait for one, then keys that get IDs, which count in both
// directions.
func (l *Loader) OnPrepare(fn func(done, total int)) { l.prepares = fn }

// prepared tells how much is done before merging.
func (l *Loader) prepared(done, total int) {
	if l.prepares != nil {
		l.prepares(done, total)
	}
}

// Take counts bytes that the caller holds for the load, beside those of its own, against the bound
// of the database, until the load ends. Cost: two atomic additions. Errors: *MemoryError, which
// matches ErrMemory, when so much is not left, and ErrClosed after the end of the load: nothing is
// counted then.
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

// Commit merges what was gathered, and makes it durable and visible. The load has ended, whatever
// Commit returns; after an error nothing of it is visible. Errors: those of Index.Commit and
// Index.Flush, ctx's, or the file system's.
func (l *Loader) Commit() (sequence uint64, err error) {
	if l.ended {
		return 0, model.ErrClosed
	}
	defer l.end()
	if l.err != nil {
		return 0, l.err
	}
	if sequence, err = l.commit(); err != nil && l.src.Closed.Load() {
		err = model.ErrClosed
	}
	return sequence, err
}

func (l *Loader) commit() (sequence uint64, err error) {
	start := time.Now()
	for _, step := range [...]func() error{l.arrange, l.passes, func() error { return l.assignIDs(false) }} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	last, err := l.sorted()
	if err != nil {
		return 0, err
	}
	assigned := l.sortedWords()
	if err := l.finishPairs(); err != nil {
		return 0, err
	}
	// What was written before lies below the load from now on.
	deleted, release, err := l.host.Begin(l.ctx, len(assigned) > 0 || l.words.Items > 0)
	if err != nil {
		return 0, err
	}
	defer release()
	w := l.host.Driver(l.src.State.Load().Version.Manifest)
	w.Progress = l.progress
	held := merge.Bytes(l.src.Memory)
	l.src.Memory.Change(memory.Merges, held)
	defer l.src.Memory.Change(memory.Merges, -held)
	chunk := int(max(64, min(mostChunk, l.memory/2/loadEdit)))
	if err := l.mergeWords(w, assigned, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.finishPairs(); err != nil { // those that have followed from assignments
		return 0, w.Abandon(&w.Out, err)
	}
	w.Total = l.Runs.Items + len(last) + l.pairCount() + l.settled.number()
	if err := l.Runs.merge(last, chunk, func(edits []model.Edit) error {
		return w.Write(l.ctx, l.living(edits, deleted))
	}); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.exist(w, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	if err := l.mergePairs(w, chunk, deleted); err != nil {
		return 0, w.Abandon(&w.Out, err)
	}
	return l.host.Install(w, &wal.Entry{Time: uint64(start.UnixMilli())})
}

// living drops the edits of records that were deleted since the load began: it knows them by IDs
// that are no more.
func (l *Loader) living(edits []model.Edit, deleted *bitmap.Bitmap) []model.Edit {
	if deleted.IsEmpty() {
		return edits
	}
	return slices.DeleteFunc(edits, func(e model.Edit) bool { return l.src.Concerns(e, deleted.Contains) })
}

// Abort ends a load that was not committed. After Commit it does nothing, so that it can be
// deferred.
func (l *Loader) Abort() {
	if !l.ended {
		l.end()
	}
}

func (l *Loader) end() {
	l.ended = true
	l.cancel()
	_ = l.awaitNames() // which are not needed any more
	err := errors.Join(l.closePairs(), l.Spool.close(), l.Runs.Close(), l.words.Close(), l.fresh.close(),
		l.settled.close())
	l.fresh, l.settled, l.halves = nil, nil, nil
	l.edits, l.assigned, l.Pairs, l.known, l.ids, l.waiting = nil, nil, nil, nil, nil, nil
	l.src.Memory.Change(memory.Loads, -l.memory-l.taken)
	l.host.End(err)
}
