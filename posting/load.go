// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/bitmap"
)

// Loader is a bulk load: sets and assignments are gathered, sorted, merged into pages of a manifest of its own, and become visible all at once with Commit. It
// writes no log but for the keys, and one entry at the end. Reads and writes go on meanwhile; while Commit merges, flushes wait, and so do writers when
// the delta is full.
//
// The load counts as written when Commit begins: it goes over what was written before, and what is written while Commit runs goes over it. (A Drop that is
// written while Commit runs looks at the value before the load.) Of several assignments to one record in one field the last counts.
//
// A record that is deleted while the load is under way stays deleted, with what the load says of it.
//
// A load that is aborted, or ends with the process, leaves nothing visible; keys that it brought keep their IDs. Not for concurrent use.
type Loader struct {
	ix       *Index
	ctx      context.Context
	cancel   context.CancelFunc
	memory   int64 // counted against the bound of the database
	progress func(done, total int)

	known        map[spaceKey]Ref // may be forgotten: a key that is met again is looked up
	ids          []uint64         // IDs of the Refs given out, as far as they are known
	waiting      Batch            // keys that have no ID yet
	waitingBytes int
	keyBytes     int64  // memory of known, ids and waiting, about
	edits        []edit // row and record are Refs
	assigned     []edit // row is the Ref of a record, record what it is assigned: the Ref of a row, or the word of an integer
	runs         runs   // sorted edits that did not fit into memory
	words        runs   // sorted assignments that did not
	err          error  // the first that the load met
	ended        bool
}

const (
	// loadKeys and loadKeyBytes are how many keys, and bytes of them, wait before they are given IDs in one commit.
	loadKeys     = 16 << 10
	loadKeyBytes = 4 << 20
	// loadEdit is the memory that an edit takes: itself, itself resolved, and its inverse.
	loadEdit = 3 * 24
	// loadKey is the memory that a key takes beside its text.
	loadKey = 128
	// loadChunk is how many edits are merged at a time, at most.
	loadChunk = 1 << 20
)

// Load begins a bulk load that takes about so many bytes of memory: half of them for edits, of which more are sorted in temporary files (os.TempDir),
// half for the keys it meets, see Trim. progress, if not nil, is told during Commit how many edits of how many are merged. The load ends with ctx. Errors:
// ErrLoading, when another one is under way; ErrMemory; ErrClosed.
func (ix *Index) Load(ctx context.Context, memory int64, progress func(done, total int)) (*Loader, error) {
	if ix.config.ReadOnly {
		return nil, ErrReadOnly
	}
	if ix.closed.Load() {
		return nil, ErrClosed
	}
	if !ix.loading.CompareAndSwap(false, true) {
		return nil, ErrLoading
	}
	if err := ix.memory.take(forLoads, memory); err != nil {
		ix.loading.Store(false)
		return nil, err
	}
	ix.write.Lock()
	ix.graves = new(bitmap.Bitmap)
	ix.write.Unlock()
	l := &Loader{ix: ix, memory: memory, progress: progress, known: make(map[spaceKey]Ref), runs: runs{memory: memory / 4},
		words: runs{memory: memory / 4, single: true}}
	l.ctx, l.cancel = ix.until(ctx)
	return l, nil
}

// Trim forgets the keys that the load has met, if they take more than their half of its memory. It is to be called before the first Key of what belongs
// together: Refs taken before it no longer hold. Errors as of Set.
func (l *Loader) Trim() error {
	if l.err != nil || l.ended || l.keyBytes <= l.memory/2 {
		return l.err
	}
	if l.err = l.spill(); l.err == nil { // the edits gathered are Refs, and become IDs
		l.known, l.ids, l.keyBytes = make(map[spaceKey]Ref), nil, 0
	}
	return l.err
}

// Key returns the Ref of a key, which holds for this load or until Trim, and whether the load meets it for the first time, or has forgotten it.
func (l *Loader) Key(space uint32, key string) (r Ref, first bool) {
	k := spaceKey{space, key}
	if r, ok := l.known[k]; ok {
		return r, false
	}
	if l.ended {
		return noRef, false
	}
	k.key = strings.Clone(key)
	r = keyRef | Ref(len(l.ids)+len(l.waiting.keys))
	l.known[k] = r
	l.waiting.keys = append(l.waiting.keys, k)
	l.waitingBytes += len(key)
	l.keyBytes += loadKey + int64(len(key))
	return r, true
}

// Set puts a record into the list of a row. Of a relation only the declared direction is named. Errors: ErrInvalid leaves the load as it was; after any
// other, which are those of Commit, the load can only be aborted.
func (l *Loader) Set(field uint32, row, record Ref) error {
	if err := l.check(field, Lists, row, record); err != nil {
		return err
	}
	l.edits = append(l.edits, edit{field: field, set: true, row: uint64(row), record: uint64(record)})
	return l.makeRoom()
}

// check fails for a write that cannot be, or when the load has failed or ended.
func (l *Loader) check(field uint32, kind Kind, refs ...Ref) error {
	if l.ended {
		return ErrClosed
	}
	if l.err != nil {
		return l.err
	}
	if !l.ix.declared(field) || l.ix.fields[field].Kind != kind {
		return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one, or takes other writes", ErrInvalid, field)
	}
	for _, r := range refs {
		if r&keyRef != 0 && uint64(r&^keyRef) >= uint64(len(l.ids)+len(l.waiting.keys)) {
			return fmt.Errorf("%w: got an ID above %d, or a Ref of another load", ErrInvalid, uint64(MaxID))
		}
	}
	return nil
}

// makeRoom gives IDs to keys and moves writes to files when there are many of them.
func (l *Loader) makeRoom() error {
	if len(l.waiting.keys) >= loadKeys || l.waitingBytes >= loadKeyBytes ||
		int64(namedBytes*len(l.waiting.keys)+l.waitingBytes) > l.ix.memory.share(batchShare)/2 {
		l.err = l.name()
	}
	if l.err == nil && int64(len(l.edits)+len(l.assigned))*loadEdit > l.memory/2 {
		l.err = l.spill()
	}
	return l.err
}

// name gives IDs to the keys that wait.
func (l *Loader) name() error {
	if len(l.waiting.keys) == 0 {
		return l.ctx.Err()
	}
	ids, _, err := l.ix.commit(l.ctx, &l.waiting)
	if err != nil {
		return err
	}
	l.ids = append(l.ids, ids...)
	l.waiting, l.waitingBytes = Batch{}, 0
	return nil
}

// sorted returns the edits gathered, with IDs and inverses, ascending, and begins anew.
func (l *Loader) sorted() ([]edit, error) {
	if err := l.name(); err != nil {
		return nil, err
	}
	edits := make([]edit, 0, 2*len(l.edits))
	for _, e := range l.edits {
		e.row, e.record = resolve(e.row, l.ids), resolve(e.record, l.ids)
		edits = append(edits, e)
		if inverse := l.ix.fields[e.field].Inverse; inverse != 0 {
			edits = append(edits, edit{field: inverse, set: e.set, row: e.record, record: e.row})
		}
	}
	l.edits = l.edits[:0]
	slices.SortFunc(edits, compareEdits)
	return slices.Compact(edits), nil
}

// spill moves the edits and assignments gathered to temporary files.
func (l *Loader) spill() error {
	edits, err := l.sorted()
	if err != nil {
		return err
	}
	return errors.Join(l.runs.add(edits), l.words.add(l.sortedWords()))
}

// Commit merges what was gathered, and makes it durable and visible. The load has ended, whatever Commit returns; after an error nothing of it is
// visible. Errors: those of Index.Commit and Index.Flush, ctx's, or the file system's.
func (l *Loader) Commit() (sequence uint64, err error) {
	if l.ended {
		return 0, ErrClosed
	}
	defer l.end()
	if l.err != nil {
		return 0, l.err
	}
	if sequence, err = l.commit(); err != nil && l.ix.closed.Load() {
		err = ErrClosed
	}
	return sequence, err
}

func (l *Loader) commit() (sequence uint64, err error) {
	start := time.Now()
	last, err := l.sorted()
	if err != nil {
		return 0, err
	}
	assigned := l.sortedWords()
	release, err := l.ix.merge(l.ctx)
	if err != nil {
		return 0, err
	}
	defer release()
	l.goUnder(assigned)
	// What was written before lies below the load from now on.
	if err := l.ix.flushFrozen(l.ctx); err != nil {
		return 0, err
	}
	origin := l.ix.state.Load().version
	l.ix.write.Lock()
	graves := l.ix.graves.Clone()
	l.ix.write.Unlock()
	w := chunkWriter{ix: l.ix, base: origin.manifest, out: output{store: l.ix.store}, progress: l.progress}
	held := l.ix.mergeBytes()
	l.ix.memory.change(forMerges, held)
	defer l.ix.memory.change(forMerges, -held)
	chunk := int(max(64, min(loadChunk, l.memory/2/loadEdit)))
	if err := l.mergeWords(&w, assigned, chunk, graves); err != nil {
		return 0, l.ix.abandon(&w.out, err)
	}
	w.total = l.runs.edits + len(last)
	if err := l.runs.merge(last, chunk, func(edits []edit) error { return w.write(l.ctx, l.living(edits, graves)) }); err != nil {
		return 0, l.ix.abandon(&w.out, err)
	}
	change := &manifestChange{flushed: origin.flushed, next: origin.next, dropped: w.out.dropped, added: w.out.added,
		entry: &logEntry{time: uint64(start.UnixMilli())}}
	err = l.ix.install(&w.out, change, func(v *version) {
		l.ix.publish(v, l.ix.state.Load().frozen)
		sequence = l.ix.sequence
	})
	if err != nil {
		return 0, err
	}
	l.ix.log.Info("loaded", "sequence", sequence, "pages", len(change.added), "took", time.Since(start))
	if err := l.ix.checkpoint(); err != nil {
		l.ix.log.Warn("no checkpoint of the manifest; the next flush tries again", "error", err)
	}
	return sequence, nil
}

// living drops the edits of records that were deleted since the load began: it knows them by IDs that are no more.
func (l *Loader) living(edits []edit, graves *bitmap.Bitmap) []edit {
	if graves.IsEmpty() {
		return edits
	}
	return slices.DeleteFunc(edits, func(e edit) bool {
		return graves.Contains(e.record) || l.ix.fields[e.field].Inverse != 0 && graves.Contains(e.row)
	})
}

// Abort ends a load that was not committed. After Commit it does nothing, so that it can be deferred.
func (l *Loader) Abort() {
	if !l.ended {
		l.end()
	}
}

func (l *Loader) end() {
	l.ended = true
	l.cancel()
	l.edits, l.assigned, l.known, l.ids, l.waiting = nil, nil, nil, nil, Batch{}
	l.ix.memory.change(forLoads, -l.memory)
	if err := errors.Join(l.runs.close(), l.words.close()); err != nil {
		l.ix.log.Warn("a temporary file stays behind", "error", err)
	}
	l.ix.write.Lock()
	l.ix.graves, l.ix.overload = nil, false
	l.ix.write.Unlock()
	l.ix.loading.Store(false)
	l.ix.wake(l.ix.flusher)
}
