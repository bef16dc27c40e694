// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import "github.com/uproar-db/uproar/internal/posting/model"

// RowRuns holds what deltas say of one list when that is much. It has the entries of the row in
// each level, oldest first, as the levels hold them. No run is empty. The newest entry of a record
// counts. Most readers ask about few of the records, so readers do not merge the runs.
//
// No entry is void: a list that lost entries to a deletion or to emptying has its edits merged
// (Snapshot.overlay).
type RowRuns []RowRun

// RowRun is the entries of a row that one level has.
type RowRun struct {
	Entries []Entry
	Records *RecordIndex // of the records that they are of; nil where they are few
	Chunks  *RowChunks   // the entries once more; nil where they are few, and empty where chunks have few
}

const (
	// RunsFrom is from how many entries on the edits of a list stay in runs.
	RunsFrom = 1 << 8

	// MostRuns is how many runs are asked side by side: a delta has some four levels, and there
	// are two deltas at most.
	MostRuns = 32

	// recordBits is how many bits a record ID has (MaxID).
	recordBits = 63
)

// Len returns the number of entries. Some may name the same record.
func (l RowRuns) Len() (n int) {
	for i := range l {
		n += len(l[i].Entries)
	}
	return n
}

// Last returns the greatest record.
func (l RowRuns) Last() (record uint64) {
	for i := range l {
		entries := l[i].Entries
		record = max(record, entries[len(entries)-1].Record>>1)
	}
	return record
}

// AppendEntries appends the entries of each run.
func (l RowRuns) AppendEntries(dst [][]Entry) [][]Entry {
	for i := range l {
		dst = append(dst, l[i].Entries)
	}
	return dst
}

// find returns the entry of a record, whose hash is given.
func (l *RowRun) find(record, hash uint64) (m Entry, ok bool) {
	if l.Records == nil {
		at := near(l.Entries, record)
		return EntryWithin(l.Entries, at, min(at+1, len(l.Entries)), record)
	}
	if !l.Records.Filter.mayHave(hash) {
		return m, false
	}
	low, high := l.Records.Around(record)
	return EntryWithin(l.Entries, low, high, record)
}

// Find returns what is said of a record.
func (l RowRuns) Find(record uint64) (set, ok bool) {
	hash := FilterHash(record)
	for i := len(l) - 1; i >= 0; i-- {
		if m, ok := l[i].find(record, hash); ok {
			return m.Record&1 != 0, true
		}
	}
	return false, false
}

// Edits appends all that is said, ascending by record.
func (l RowRuns) Edits(dst []model.Edit) []model.Edit {
	buffers := mergeBuffers.Get().(*[2][]Entry)
	var room [MostRuns][]Entry
	dst = AppendEntries(dst, 0, MergeRuns(l.AppendEntries(room[:0]), buffers))
	if l.Len() <= KeptEntries {
		mergeBuffers.Put(buffers)
	}
	return dst
}

// MergeRuns returns the entries of all runs as one sequence, in one of the buffers or borrowed.
// As the newest runs are the smallest as a rule, most entries are copied once or twice if merging
// begins there.
func MergeRuns(l [][]Entry, buffers *[2][]Entry) []Entry {
	if len(l) == 0 {
		return nil
	}
	merged := l[len(l)-1]
	for i := len(l) - 2; i >= 0; i-- {
		buffers[0] = appendMerged(buffers[0][:0], l[i], merged)
		merged = buffers[0]
		buffers[0], buffers[1] = buffers[1], buffers[0]
	}
	return merged
}

// EntriesBefore returns how many of the first entries of a run are of records with a smaller
// container key.
func EntriesBefore(entries []Entry, key uint64) int {
	if key >= 1<<(recordBits-16) {
		return len(entries)
	}
	if len(entries) == 0 || entries[0].Record>>1 >= key<<16 {
		return 0
	}
	return gallop(entries, Entry{entries[0].Row, key << 17})
}

// RunWalk goes through runs container by container.
type RunWalk struct {
	heads   [][]Entry // what is left of each run, oldest first; none is empty
	key     uint64    // of the next container that entries are of
	placed  bool      // the walk stands at key, or at the end
	parts   [][]Entry // those of that container
	buffers [2][]Entry
	edits   []model.Edit
	merged  bool // edits are those of the container
}

// Reset begins a walk over runs, which are borrowed.
func (w *RunWalk) Reset(l RowRuns) {
	w.heads, w.placed, w.merged = l.AppendEntries(w.heads[:0]), false, false
}

// Release lets go of the runs.
func (w *RunWalk) Release() {
	clear(w.heads)
	clear(w.parts)
	w.heads, w.parts = w.heads[:0], w.parts[:0]
	if cap(w.buffers[0])+cap(w.buffers[1]) > KeptEntries {
		w.buffers, w.edits = [2][]Entry{}, nil
	}
}

// Seek moves to the first container with entries whose key is at least key. ok is false if there is
// none.
func (w *RunWalk) Seek(key uint64) (at uint64, ok bool) {
	if w.placed && (len(w.heads) == 0 || w.key >= key) {
		return w.key, len(w.heads) > 0
	}
	n := 0
	for _, entries := range w.heads {
		if entries = entries[EntriesBefore(entries, key):]; len(entries) == 0 {
			continue
		}
		if next := entries[0].Record >> 17; n == 0 || next < at {
			at = next
		}
		w.heads[n] = entries
		n++
	}
	clear(w.heads[n:])
	w.heads, w.key, w.placed, w.merged = w.heads[:n], at, true, false
	return at, n > 0
}

// Block returns the edits of the container at which the walk stands, ascending, valid until it
// moves.
func (w *RunWalk) Block() []model.Edit {
	if w.merged {
		return w.edits
	}
	w.parts = w.parts[:0]
	for _, entries := range w.heads {
		if n := EntriesBefore(entries, w.key+1); n > 0 {
			w.parts = append(w.parts, entries[:n])
		}
	}
	w.edits, w.merged = AppendEntries(w.edits[:0], 0, MergeRuns(w.parts, &w.buffers)), true
	return w.edits
}
