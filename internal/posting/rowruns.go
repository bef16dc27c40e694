// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/model"
)

// rowRuns are what deltas say of one list when that is much: the marks of its row in each tier,
// oldest first, as the tiers have them. None is empty, and what a newer one says of a record
// counts. Merging them for every reader would cost it some ten nanoseconds for each mark, and most
// readers ask about few of the records.
//
// No mark is void: a list of which a delta has forgotten something, because it was deleted or
// emptied, has its edits merged (Snapshot.overlay).
type rowRuns []rowRun

// rowRun is the marks of a row that one tier has.
type rowRun struct {
	marks   []entry
	records *recordIndex // of the records that they are of; nil where they are few
	chunks  *rowChunks   // the marks once more; nil where they are few, and empty where chunks have few
}

const (
	// layeredFrom is from how many marks on the edits of a list stay in layers.
	layeredFrom = 1 << 8

	// mostLayers is how many layers are asked side by side: a delta has some four tiers, and there
	// are two deltas at most.
	mostLayers = 32

	// recordBits is how many bits a record ID has (MaxID).
	recordBits = 63
)

// len returns the number of marks, of which some may be of the same record.
func (l rowRuns) len() (n int) {
	for i := range l {
		n += len(l[i].marks)
	}
	return n
}

// last returns the greatest record.
func (l rowRuns) last() (record uint64) {
	for i := range l {
		marks := l[i].marks
		record = max(record, marks[len(marks)-1].record>>1)
	}
	return record
}

// appendEntries appends the marks of each layer.
func (l rowRuns) appendEntries(dst [][]entry) [][]entry {
	for i := range l {
		dst = append(dst, l[i].marks)
	}
	return dst
}

// find returns the mark of a record, whose hash is given.
func (l *rowRun) find(record, hash uint64) (m entry, ok bool) {
	if l.records == nil {
		at := near(l.marks, record)
		return entryWithin(l.marks, at, min(at+1, len(l.marks)), record)
	}
	if !l.records.filter.mayHave(hash) {
		return m, false
	}
	low, high := l.records.around(record)
	return entryWithin(l.marks, low, high, record)
}

// find returns what is said of a record.
func (l rowRuns) find(record uint64) (set, ok bool) {
	hash := filterHash(record)
	for i := len(l) - 1; i >= 0; i-- {
		if m, ok := l[i].find(record, hash); ok {
			return m.record&1 != 0, true
		}
	}
	return false, false
}

// edits appends all that is said, ascending by record.
func (l rowRuns) edits(dst []model.Edit) []model.Edit {
	buffers := mergeBuffers.Get().(*[2][]entry)
	var room [mostLayers][]entry
	dst = appendEntries(dst, 0, mergeRuns(l.appendEntries(room[:0]), buffers))
	if l.len() <= keptMarks {
		mergeBuffers.Put(buffers)
	}
	return dst
}

// mergeRuns returns the marks of all layers as one sequence, in one of the buffers or borrowed.
// As the newest layers are the smallest as a rule, most marks are copied once or twice if merging
// begins there.
func mergeRuns(l [][]entry, buffers *[2][]entry) []entry {
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

// before returns how many of the first marks of a layer are of records with a smaller container
// key.
func before(marks []entry, key uint64) int {
	if key >= 1<<(recordBits-16) {
		return len(marks)
	}
	if len(marks) == 0 || marks[0].record>>1 >= key<<16 {
		return 0
	}
	return gallop(marks, entry{marks[0].row, key << 17})
}

// runWalk goes through layers container by container.
type runWalk struct {
	heads   [][]entry // what is left of each layer, oldest first; none is empty
	key     uint64    // of the next container that marks are of
	placed  bool      // the walk stands at key, or at the end
	parts   [][]entry // those of that container
	buffers [2][]entry
	edits   []model.Edit
	merged  bool // edits are those of the container
}

// reset begins a walk over layers, which are borrowed.
func (w *runWalk) reset(l rowRuns) {
	w.heads, w.placed, w.merged = l.appendEntries(w.heads[:0]), false, false
}

// release lets go of the layers.
func (w *runWalk) release() {
	clear(w.heads)
	clear(w.parts)
	w.heads, w.parts = w.heads[:0], w.parts[:0]
	if cap(w.buffers[0])+cap(w.buffers[1]) > keptMarks {
		w.buffers, w.edits = [2][]entry{}, nil
	}
}

// seek moves to the first container of at least a key that marks are of; ok is false if there is
// none.
func (w *runWalk) seek(key uint64) (at uint64, ok bool) {
	if w.placed && (len(w.heads) == 0 || w.key >= key) {
		return w.key, len(w.heads) > 0
	}
	n := 0
	for _, marks := range w.heads {
		if marks = marks[before(marks, key):]; len(marks) == 0 {
			continue
		}
		if next := marks[0].record >> 17; n == 0 || next < at {
			at = next
		}
		w.heads[n] = marks
		n++
	}
	clear(w.heads[n:])
	w.heads, w.key, w.placed, w.merged = w.heads[:n], at, true, false
	return at, n > 0
}

// block returns the edits of the container at which the walk stands, ascending, valid until it
// moves.
func (w *runWalk) block() []model.Edit {
	if w.merged {
		return w.edits
	}
	w.parts = w.parts[:0]
	for _, marks := range w.heads {
		if n := before(marks, w.key+1); n > 0 {
			w.parts = append(w.parts, marks[:n])
		}
	}
	w.edits, w.merged = appendEntries(w.edits[:0], 0, mergeRuns(w.parts, &w.buffers)), true
	return w.edits
}
