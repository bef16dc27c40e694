// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// runs are sorted runs of sets in temporary files, to be merged into one ascending sequence: an external sort (Knuth, The Art of Computer Programming 3, 5.4).
// The files are read by nobody else, and go with close.
type runs struct {
	files  []*os.File
	named  []string // of files that could not be unlinked while they are open: to be deleted at the end
	edits  int      // in all files
	memory int64    // what the buffers of all files together may take when they are merged, about
}

// runEdit is the length of an edit in a file: field, row, record.
const runEdit = 4 + 8 + 8

// runBuffer is the memory that a run takes while it is written, and at most while it is merged; leastBuffer is what it takes there at least.
const (
	runBuffer   = 256 << 10
	leastBuffer = 4 << 10
)

// add writes a run of sets, ascending.
func (r *runs) add(edits []edit) error {
	f, err := os.CreateTemp("", "uproar-load-*")
	if err != nil {
		return err
	}
	r.files = append(r.files, f)
	if os.Remove(f.Name()) != nil { // at once where the system can: then nothing stays behind when the process is killed
		r.named = append(r.named, f.Name())
	}
	w := bufio.NewWriterSize(f, runBuffer)
	var b [runEdit]byte
	for _, e := range edits {
		binary.LittleEndian.PutUint32(b[:], e.field)
		binary.LittleEndian.PutUint64(b[4:], e.row)
		binary.LittleEndian.PutUint64(b[12:], e.record)
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	r.edits += len(edits)
	return w.Flush()
}

// merge calls fn with all edits of the files, and those of one more run in memory, ascending and each once, about so many at a time. The slice is fn's
// until it returns.
func (r *runs) merge(last []edit, chunk int, fn func([]edit) error) error {
	h := runHeap{{memory: last}}
	buffer := int(min(runBuffer, max(leastBuffer, r.memory/int64(len(r.files)+1))))
	for _, f := range r.files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		h = append(h, &runReader{file: bufio.NewReaderSize(f, buffer)})
	}
	open := h[:0]
	for _, x := range h {
		if more, err := x.next(); err != nil {
			return err
		} else if more {
			open = append(open, x)
		}
	}
	h = open
	heap.Init(&h)
	out := make([]edit, 0, min(chunk, r.edits+len(last)))
	for len(h) > 0 {
		e := h[0].head
		if more, err := h[0].next(); err != nil {
			return err
		} else if more {
			heap.Fix(&h, 0)
		} else {
			heap.Pop(&h)
		}
		if n := len(out); n > 0 && out[n-1] == e {
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

// close deletes the files.
func (r *runs) close() (err error) {
	for _, f := range r.files {
		err = errors.Join(err, f.Close())
	}
	for _, name := range r.named {
		err = errors.Join(err, os.Remove(name))
	}
	r.files, r.named = nil, nil
	return err
}

// runReader reads one run.
type runReader struct {
	head   edit
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
	r.head = edit{field: binary.LittleEndian.Uint32(b[:]), set: true, row: binary.LittleEndian.Uint64(b[4:]), record: binary.LittleEndian.Uint64(b[12:])}
	return true, nil
}

// runHeap is the runs that have more, the one with the least head first (container/heap).
type runHeap []*runReader

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return h[i].head.less(h[j].head) }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*runReader)) }
func (h *runHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
