// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/uproar-db/uproar/store"
)

// flushAll is the flusher: it merges the delta into pages when it is told to, until the index is closed. On a full disk it tries again and again; after any other
// error writing ends, because what reached the disk is unknown, or a page cannot be read.
func (ix *Index) flushAll() {
	for {
		select {
		case <-ix.stopping.Done():
			return
		case <-ix.flusher:
		}
		err := ix.Flush(ix.stopping)
		switch {
		case err == nil || ix.stopping.Err() != nil:
		case errors.Is(err, store.ErrFull):
			ix.log.Warn("no room to flush; trying again", "error", err)
			select {
			case <-ix.stopping.Done():
				return
			case <-time.After(ix.config.pause):
				ix.wake(ix.flusher)
			}
		default:
			ix.write.Lock()
			ix.fail(err)
			ix.write.Unlock()
		}
	}
}

// Flush merges everything committed before the call into pages. Readers and writers go on meanwhile. Flushes happen by themselves; a caller needs
// one only to have nothing left to replay, or before measuring. When ctx ends, nothing has changed. Errors: ctx's, ErrClosed, ErrFailed, ErrCorrupt,
// the store's.
func (ix *Index) Flush(ctx context.Context) error {
	release, err := ix.merge(ctx)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := ix.until(ctx)
	defer cancel()
	return ix.flushFrozen(ctx)
}

// flushFrozen is Flush for a caller that has the others wait.
func (ix *Index) flushFrozen(ctx context.Context) error {
	for {
		st, leftover, err := ix.freeze()
		if st == nil || err != nil {
			return errors.Join(err, ix.failed())
		}
		if err := ix.flush(ctx, st); err != nil || !leftover {
			return err
		}
	}
}

// mergeBytes returns what a flush holds beside the edits that it merges: pages that wait to be written, those read last, and the list being built.
func (ix *Index) mergeBytes() int64 { return int64(ix.memory.batchBytes() + 8*pageTarget) }

// flush merges a frozen delta.
func (ix *Index) flush(ctx context.Context, st *state) error {
	start := time.Now()
	w := chunkWriter{ix: ix, base: st.version.manifest, out: output{store: ix.store}}
	held := int64(st.frozen.edits.Len())*editSize + int64(st.frozen.forward.Len())*editSize + ix.mergeBytes()
	if st.frozen.removals != nil {
		held += 2 * editSize * int64(ix.removalEdits())
	}
	ix.memory.change(forMerges, held)
	defer ix.memory.change(forMerges, -held)
	if err := ix.writeFrozen(ctx, &w, st.frozen); err != nil {
		return ix.abandon(&w.out, err)
	}
	change := &manifestChange{flushed: st.sequence, next: st.frozen.next(), dropped: w.out.dropped, added: w.out.added}
	if err := ix.install(&w.out, change, func(v *version) { ix.publish(v, nil) }); err != nil {
		return err
	}
	ix.flushes.Add(1)
	ix.memory.relieve()
	ix.log.Info("flushed", "sequence", st.sequence, "edits", st.frozen.edits.Len(), "pages", len(change.added), "took", time.Since(start))
	return errors.Join(ix.checkpoint(), ix.trim(st.sequence))
}

// editSize is what an edit or assignment takes while it is merged.
const editSize = int64(max(unsafe.Sizeof(edit{}), unsafe.Sizeof(forward{})))

// removalEdits returns how many edits that follow from removals a flush gathers before it writes them: they take a sixteenth of the memory.
func (ix *Index) removalEdits() int {
	if ix.config.removalEdits > 0 {
		return ix.config.removalEdits
	}
	return int(min(loadChunk, max(1<<10, ix.memory.share(1)/(2*editSize))))
}

// writeFrozen writes the pages that a frozen delta changes.
func (ix *Index) writeFrozen(ctx context.Context, w *chunkWriter, frozen *delta) error {
	edits, assigned, err := ix.merger(ctx, w.base).expand(ix, frozen, ix.removalEdits(), func(edits []edit, assigned []forward) error {
		m := ix.merger(ctx, w.base)
		return w.finish(m, errors.Join(m.edits(edits), m.forward(assigned)))
	})
	if err != nil {
		return err
	}
	m := ix.merger(ctx, w.base)
	for _, space := range slices.Sorted(maps.Keys(frozen.spaces)) {
		var dead []uint64
		if r := frozen.removals; r != nil && space == RecordSpace {
			dead = r.dead.View().AppendTo(nil)
		}
		if err = m.keys(space, &ix.secret, frozen.spaces[space], dead); err != nil {
			break
		}
	}
	if err == nil {
		err = errors.Join(m.edits(edits), m.forward(assigned))
	}
	err = errors.Join(err, m.out.flush())
	w.take(m.out)
	return err
}

// freeze makes the active delta the frozen one and returns the state to flush; nil when there is nothing. A flush that was given up has left a frozen delta
// over, which is flushed first.
func (ix *Index) freeze() (st *state, leftover bool, err error) {
	ix.write.Lock()
	defer ix.write.Unlock()
	st = ix.state.Load()
	if ix.failure != nil {
		return nil, false, nil
	}
	if st.frozen != nil {
		return ix.frozenState(st), true, nil
	}
	if ix.active.isEmpty() {
		return nil, false, nil
	}
	if err := ix.persist(); err != nil {
		return nil, false, err // pages must not be ahead of the log
	}
	frozen := ix.active.publish()
	ix.active = newDelta(frozen.next())
	ix.frozenAt = ix.sequence
	ix.publish(st.version, frozen)
	ix.relieved.Broadcast()
	return ix.frozenState(ix.state.Load()), false, nil
}

// frozenState returns the state as of the freeze: the sequence number that its flush covers.
func (ix *Index) frozenState(st *state) *state {
	return &state{version: st.version, frozen: st.frozen, sequence: ix.frozenAt}
}

func (ix *Index) failed() error {
	ix.write.Lock()
	defer ix.write.Unlock()
	return ix.failure
}

// merger returns a merger of edits into the pages of a manifest.
func (ix *Index) merger(ctx context.Context, base *manifest) *merger {
	out := &output{store: ix.store, index: ix.id, most: ix.memory.batchBytes(), generation: func() uint64 { return ix.generation.Add(1) - 1 }}
	read := func(r *ref) (*page, error) {
		if p, ok := ix.cache.get(ix.id, r.generation); ok {
			return p, nil
		}
		return ix.read(r)
	}
	return &merger{ctx: ctx, read: read, out: out, base: base}
}

// edits merges edits of any fields, ascending, each record of a list once.
func (m *merger) edits(edits []edit) error {
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].field == edits[0].field {
			n++
		}
		if err := m.postings(edits[0].field, edits[:n]); err != nil {
			return err
		}
		edits = edits[n:]
	}
	return nil
}

// abandon has the pages of a flush or load that did not come to its end deleted, without waiting for that, and returns why.
func (ix *Index) abandon(out *output, err error) error {
	out.batch.Reset()
	keys := make([][]byte, len(out.added))
	for i := range out.added {
		keys[i] = appendPageKey(nil, ix.id, &out.added[i])
	}
	ix.versions.discard(keys...)
	ix.wake(ix.collector)
	return err
}

// install commits a change of the manifest and publishes it: all its records but the last are written first, and count only once the last is there. The caller
// has the others wait.
func (ix *Index) install(out *output, change *manifestChange, publish func(*version)) error {
	if err := out.flush(); err != nil {
		return ix.abandon(out, err)
	}
	old := ix.state.Load().version
	next, err := old.apply(change, ix.generation.Load())
	if err != nil {
		return ix.abandon(out, err)
	}
	records := change.records(next.generation)
	last := ix.record + uint64(len(records))
	if err := ix.putRecords(records[:len(records)-1], ix.record); err != nil {
		return ix.abandon(out, err)
	}
	key := appendManifestKey(nil, ix.id, last)
	ix.write.Lock()
	defer ix.write.Unlock()
	if ix.failure != nil {
		return ix.failure
	}
	if ix.stopping.Err() != nil {
		return ErrClosed
	}
	if err := ix.persist(); err != nil {
		return ix.abandon(out, err)
	}
	if change.entry != nil {
		if err := ix.goOver(next); err != nil {
			return ix.abandon(out, err)
		}
	}
	var b store.Batch
	b.Put(key, records[len(records)-1].encode(key))
	logged := int64(0)
	if change.entry != nil {
		change.entry.installed = last
		logKey := appendLogKey(nil, ix.id, ix.sequence+1)
		value := change.entry.encode(logKey)
		b.Put(logKey, value)
		logged = int64(len(logKey) + len(value))
	}
	if err := ix.store.Apply(&b, !ix.config.NoSync); err != nil {
		if errors.Is(err, store.ErrFull) {
			return ix.abandon(out, err) // nothing has changed; the next change takes the same numbers
		}
		ix.fail(err)
		return ix.failure
	}
	if change.entry != nil {
		ix.sequence++
		ix.logBytes.Add(logged)
	}
	ix.record = last
	if ix.oldest == 0 {
		ix.oldest = 1
	}
	ix.churn += len(change.dropped) + len(change.added)
	publish(ix.versions.add(next, change.dropped))
	if old.users.Add(-1) == 0 {
		ix.wake(ix.collector)
	}
	ix.relieved.Broadcast()
	return nil
}

// putRecords stores manifest records with the numbers after one, each in a batch of its own, unsynced.
func (ix *Index) putRecords(records []*manifestRecord, after uint64) error {
	for i, r := range records {
		key := appendManifestKey(nil, ix.id, after+1+uint64(i))
		var b store.Batch
		b.Put(key, r.encode(key))
		if err := ix.store.Apply(&b, false); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint writes the whole manifest when the changes since the last time hold more pages than it does, and deletes the records before.
func (ix *Index) checkpoint() error {
	m := ix.state.Load().version.manifest
	if ix.churn <= m.count()+64 {
		return nil
	}
	records := m.checkpoint()
	if err := ix.putRecords(records, ix.record); err != nil {
		return err
	}
	if err := ix.store.Sync(); err != nil {
		return err
	}
	var old [][]byte
	for n := ix.oldest; n <= ix.record; n++ {
		old = append(old, appendManifestKey(nil, ix.id, n))
	}
	begin := ix.record + 1
	ix.record, ix.churn = ix.record+uint64(len(records)), 0
	if err := removeKeys(ix.store, old); err != nil {
		return err // the next checkpoint deletes them
	}
	ix.oldest = begin
	return nil
}
