// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"github.com/uproar-db/uproar/internal/posting/model"
)

// RowRuns are what deltas say of one list when that is much: the marks of its row in each tier,
// oldest first, as the tiers have them. None is empty, and what a newer one says of a record
// counts. Merging them for every reader would cost it some ten nanoseconds for each mark, and most
// readers ask about few of the records.
//
// No mark is void: a list of which a delta has forgotten something, because it was deleted or
// emptied, has its edits merged (Snapshot.overlay).
type RowRuns []RowRun

// RowRun is the marks of a row that one tier has.
type RowRun struct {
	Marks   []Entry
	Records *RecordIndex // of the records that they are of; nil where they are few
	Chunks  *RowChunks   // the marks once more; nil where they are few, and empty where chunks have few
}

const (
	// LayeredFrom is from how many marks on the edits of a list stay in layers.
	LayeredFrom = 1 << 8

	// MostLayers is how many layers are asked side by side: a delta has some four tiers, and there
	// are two deltas at most.
	MostLayers = 32

	// recordBits is how many bits a record ID has (MaxID).
	recordBits = 63
)

// Len returns the number of marks, of which some may be of the same record.
func (l RowRuns) Len() (n int) {
	for i := range l {
		n += len(l[i].Marks)
	}
	return n
}

// Last returns the greatest record.
func (l RowRuns) Last() (record uint64) {
	for i := range l {
		marks := l[i].Marks
		record = max(record, marks[len(marks)-1].Record>>1)
	}
	return record
}

// AppendEntries appends the marks of each layer.
func (l RowRuns) AppendEntries(dst [][]Entry) [][]Entry {
	for i := range l {
		dst = append(dst, l[i].Marks)
	}
	return dst
}

// find returns the mark of a record, whose hash is given.
func (l *RowRun) find(record, hash uint64) (m Entry, ok bool) {
	if l.Records == nil {
		at := near(l.Marks, record)
		return EntryWithin(l.Marks, at, min(at+1, len(l.Marks)), record)
	}
	if !l.Records.Filter.MayHave(hash) {
		return m, false
	}
	low, high := l.Records.Around(record)
	return EntryWithin(l.Marks, low, high, record)
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
	var room [MostLayers][]Entry
	dst = AppendEntries(dst, 0, MergeRuns(l.AppendEntries(room[:0]), buffers))
	if l.Len() <= KeptMarks {
		mergeBuffers.Put(buffers)
	}
	return dst
}

// MergeRuns returns the marks of all layers as one sequence, in one of the buffers or borrowed.
// As the newest layers are the smallest as a rule, most marks are copied once or twice if merging
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

// EntriesBefore returns how many of the first marks of a layer are of records with a smaller
// container key.
func EntriesBefore(marks []Entry, key uint64) int {
	if key >= 1<<(recordBits-16) {
		return len(marks)
	}
	if len(marks) == 0 || marks[0].Record>>1 >= key<<16 {
		return 0
	}
	return gallop(marks, Entry{marks[0].Row, key << 17})
}

// RunWalk goes through layers container by container.
type RunWalk struct {
	heads   [][]Entry // what is left of each layer, oldest first; none is empty
	key     uint64    // of the next container that marks are of
	placed  bool      // the walk stands at key, or at the end
	parts   [][]Entry // those of that container
	buffers [2][]Entry
	edits   []model.Edit
	merged  bool // edits are those of the container
}

// Reset begins a walk over layers, which are borrowed.
func (w *RunWalk) Reset(l RowRuns) {
	w.heads, w.placed, w.merged = l.AppendEntries(w.heads[:0]), false, false
}

// Release lets go of the layers.
func (w *RunWalk) Release() {
	clear(w.heads)
	clear(w.parts)
	w.heads, w.parts = w.heads[:0], w.parts[:0]
	if cap(w.buffers[0])+cap(w.buffers[1]) > KeptMarks {
		w.buffers, w.edits = [2][]Entry{}, nil
	}
}

// Seek moves to the first container of at least a key that marks are of; ok is false if there is
// none.
func (w *RunWalk) Seek(key uint64) (at uint64, ok bool) {
	if w.placed && (len(w.heads) == 0 || w.key >= key) {
		return w.key, len(w.heads) > 0
	}
	n := 0
	for _, marks := range w.heads {
		if marks = marks[EntriesBefore(marks, key):]; len(marks) == 0 {
			continue
		}
		if next := marks[0].Record >> 17; n == 0 || next < at {
			at = next
		}
		w.heads[n] = marks
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
	for _, marks := range w.heads {
		if n := EntriesBefore(marks, w.key+1); n > 0 {
			w.parts = append(w.parts, marks[:n])
		}
	}
	w.edits, w.merged = AppendEntries(w.edits[:0], 0, MergeRuns(w.parts, &w.buffers)), true
	return w.edits
}
