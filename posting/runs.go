// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
)

// runs are sorted runs of edits in temporary files, to be merged into one ascending sequence: an external sort (Knuth, The Art of Computer Programming 3, 5.4).
// The files are read by nobody else, and go with close.
type runs struct {
	tempFiles
	edits  int   // in all files
	single bool  // the edits are assignments: row is the record, record its word, and the last of a row counts
	memory int64 // what the buffers of all files together may take when they are merged, about
}

// runEdit is the length of an edit in a file: field, row, record, and 1 for set.
const runEdit = 4 + 8 + 8 + 1

// runBuffer is the memory that a run takes while it is written, and at most while it is merged; leastBuffer is what it takes there at least.
const (
	runBuffer   = 256 << 10
	leastBuffer = 4 << 10
)

// compare orders edits in a run; 0: one takes the place of the other.
func (r *runs) compare(a, b edit) int {
	if r.single {
		a.record, b.record = 0, 0
	}
	return compareEdits(a, b)
}

// add writes a run of edits, ascending, those that count only.
func (r *runs) add(edits []edit) error {
	if len(edits) == 0 {
		return nil
	}
	f, err := r.create()
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, runBuffer)
	var b [runEdit]byte
	for _, e := range edits {
		binary.LittleEndian.PutUint32(b[:], e.field)
		binary.LittleEndian.PutUint64(b[4:], e.row)
		binary.LittleEndian.PutUint64(b[12:], e.record)
		if b[20] = 0; e.set {
			b[20] = 1
		}
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	r.edits += len(edits)
	return w.Flush()
}

// merge calls fn with all edits of the files, and those of one more run in memory, which is the latest, ascending and each once, about so many at a time.
// The slice is fn's until it returns.
func (r *runs) merge(last []edit, chunk int, fn func([]edit) error) error {
	readers := []*runReader{{memory: last, order: len(r.files)}}
	buffer := int(min(runBuffer, max(leastBuffer, r.memory/int64(len(r.files)+1))))
	for i, f := range r.files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		readers = append(readers, &runReader{file: bufio.NewReaderSize(f, buffer), order: i})
	}
	h := &runHeap{compare: r.compare}
	for _, x := range readers {
		if more, err := x.next(); err != nil {
			return err
		} else if more {
			heap.Push(h, x)
		}
	}
	out := make([]edit, 0, min(chunk, r.edits+len(last)))
	for h.Len() > 0 {
		e := h.runs[0].head
		if more, err := h.runs[0].next(); err != nil {
			return err
		} else if more {
			heap.Fix(h, 0)
		} else {
			heap.Pop(h)
		}
		if n := len(out); n > 0 && r.compare(out[n-1], e) == 0 {
			out[n-1] = e
			continue
		}
		if len(out) >= chunk {
			if err := fn(out); err != nil {
				return err
			}
			out = append(out[:0], e)
			continue
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil
	}
	return fn(out)
}

// runReader reads one run.
type runReader struct {
	head   edit
	order  int // of runs with equal heads: the later ones go over the earlier
	memory []edit
	file   *bufio.Reader // nil: the run is in memory
}

// next moves head to the next edit.
func (r *runReader) next() (more bool, err error) {
	if r.file == nil {
		if len(r.memory) == 0 {
			return false, nil
		}
		r.head, r.memory = r.memory[0], r.memory[1:]
		return true, nil
	}
	var b [runEdit]byte
	if _, err := io.ReadFull(r.file, b[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.head = edit{field: binary.LittleEndian.Uint32(b[:]), set: b[20] != 0, row: binary.LittleEndian.Uint64(b[4:]), record: binary.LittleEndian.Uint64(b[12:])}
	return true, nil
}

// runHeap is the runs that have more, the one with the least head first, of equal ones the earliest (container/heap).
type runHeap struct {
	compare func(a, b edit) int
	runs    []*runReader
}

func (h *runHeap) Len() int { return len(h.runs) }
func (h *runHeap) Less(i, j int) bool {
	a, b := h.runs[i], h.runs[j]
	return cmp.Or(h.compare(a.head, b.head), cmp.Compare(a.order, b.order)) < 0
}
func (h *runHeap) Swap(i, j int) { h.runs[i], h.runs[j] = h.runs[j], h.runs[i] }
func (h *runHeap) Push(x any)    { h.runs = append(h.runs, x.(*runReader)) }
func (h *runHeap) Pop() any {
	last := len(h.runs) - 1
	x := h.runs[last]
	h.runs = h.runs[:last]
	return x
}
