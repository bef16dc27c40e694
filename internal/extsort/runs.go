// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"io"
	"os"
)

// Codec says how the items of runs are ordered and written.
type Codec[T any] struct {
	// Compare orders two items.
	Compare func(a, b *T) int
	// Append appends an item that follows another in its run, the zero item at the beginning.
	Append func(dst []byte, before, x *T) []byte
	// Read reads what Append wrote, and returns its length. It returns 0 if the bytes are cut off
	// or none of Append's.
	Read func(b []byte, before *T) (x T, n int)
	// Most is how many bytes Append appends at most.
	Most int
}

// Runs are sorted runs of items, to be merged. Not for concurrent use.
type Runs[T any] struct {
	Files
	Codec  Codec[T]
	Buffer int64 // what the buffers of all files together may take when they are merged, about
	Items  int   // in all runs that were added

	held [][]byte // runs in memory
}

// Bounds of the memory that a run takes while it is written or merged.
const (
	mostBuffer  = 256 << 10
	leastBuffer = 4 << 10
)

// Add writes a run to a file. Its items ascend.
func (r *Runs[T]) Add(items []T) error {
	if len(items) == 0 {
		return nil
	}
	w, err := r.Begin()
	if err != nil {
		return err
	}
	for i := range items {
		if err := w.Put(&items[i]); err != nil {
			return err
		}
	}
	return w.End()
}

// Begin begins a run in a file, to which ascending items are put.
func (r *Runs[T]) Begin() (*Writer[T], error) {
	f, err := r.Create()
	if err != nil {
		return nil, err
	}
	return &Writer[T]{runs: r, file: f, bytes: make([]byte, 0, mostBuffer)}, nil
}

// Hold begins a run in memory, to which ascending items are put.
func (r *Runs[T]) Hold() *Writer[T] { return &Writer[T]{runs: r} }

// Held returns how many bytes the runs in memory have.
func (r *Runs[T]) Held() (n int64) {
	for _, run := range r.held {
		n += int64(cap(run))
	}
	return n
}

// Writer writes a run.
type Writer[T any] struct {
	runs   *Runs[T]
	file   *os.File // nil: the run stays in memory
	bytes  []byte
	before T
}

// Put appends an item to the run.
func (w *Writer[T]) Put(x *T) error {
	if w.file != nil && cap(w.bytes)-len(w.bytes) < w.runs.Codec.Most {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.bytes = w.runs.Codec.Append(w.bytes, &w.before, x)
	w.before = *x
	w.runs.Items++
	return nil
}

func (w *Writer[T]) flush() error {
	_, err := w.file.Write(w.bytes)
	w.bytes = w.bytes[:0]
	return err
}

// End ends the run. Nothing may be put to it afterwards.
func (w *Writer[T]) End() error {
	if w.file != nil {
		return w.flush()
	}
	w.runs.held = append(w.runs.held, w.bytes)
	return nil
}

// Spill writes the runs that are in memory to files.
func (r *Runs[T]) Spill() error {
	for _, run := range r.held {
		f, err := r.Create()
		if err != nil {
			return err
		}
		if _, err := f.Write(run); err != nil {
			return err
		}
	}
	r.held = nil
	return nil
}

// Merge returns all items, ascending. Equal ones come in the order of their runs: those in files,
// those in memory, and then last, which is one more.
func (r *Runs[T]) Merge(last []T) (*Merge[T], error) {
	m := &Merge[T]{compare: r.Codec.Compare}
	buffer := max(r.Codec.Most, int(min(mostBuffer, max(leastBuffer, r.Buffer/int64(len(r.Open)+1)))))
	for _, f := range r.Open {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		m.add(&reader[T]{codec: &r.Codec, file: f, buffer: make([]byte, buffer)})
	}
	for _, run := range r.held {
		m.add(&reader[T]{codec: &r.Codec, bytes: run})
	}
	if len(last) > 0 {
		m.add(&reader[T]{items: last})
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m, m.err
}

// Merge goes through the items of runs.
type Merge[T any] struct {
	compare func(a, b *T) int
	heap    []*reader[T] // the one with the least head first, of equal ones the earliest
	err     error
}

// add takes in a run, if it has an item.
func (m *Merge[T]) add(x *reader[T]) {
	x.order = len(m.heap)
	more, err := x.next()
	if err != nil {
		m.err = err
	}
	if more {
		m.heap = append(m.heap, x)
	}
}

// Next returns the next item; ok is false behind the last one.
func (m *Merge[T]) Next() (x T, ok bool, err error) {
	if len(m.heap) == 0 || m.err != nil {
		return x, false, m.err
	}
	first := m.heap[0]
	x = first.head
	more, err := first.next()
	if err != nil {
		m.err = err
		return x, false, err
	}
	if !more {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	if len(m.heap) > 1 {
		m.sink(0)
	}
	return x, true, nil
}

// sink puts the run at a place of the heap into its place.
func (m *Merge[T]) sink(at int) {
	x := m.heap[at]
	for {
		child := 2*at + 1
		if child >= len(m.heap) {
			break
		}
		if child+1 < len(m.heap) && m.before(m.heap[child+1], m.heap[child]) {
			child++
		}
		if !m.before(m.heap[child], x) {
			break
		}
		m.heap[at] = m.heap[child]
		at = child
	}
	m.heap[at] = x
}

// before reports whether the head of a run comes before that of another.
func (m *Merge[T]) before(a, b *reader[T]) bool {
	c := m.compare(&a.head, &b.head)
	return c < 0 || c == 0 && a.order < b.order
}

// reader reads a run.
type reader[T any] struct {
	head   T
	order  int
	items  []T // of a run that is not written
	codec  *Codec[T]
	bytes  []byte   // not read yet
	file   *os.File // where more of them are; nil: nowhere
	buffer []byte
}

// next moves head to the next item.
func (r *reader[T]) next() (more bool, err error) {
	if r.codec == nil {
		if len(r.items) == 0 {
			return false, nil
		}
		r.head, r.items = r.items[0], r.items[1:]
		return true, nil
	}
	if len(r.bytes) < r.codec.Most && r.file != nil {
		if err := r.fill(); err != nil {
			return false, err
		}
	}
	if len(r.bytes) == 0 {
		return false, nil
	}
	x, n := r.codec.Read(r.bytes, &r.head)
	if n <= 0 {
		return false, io.ErrUnexpectedEOF
	}
	r.head, r.bytes = x, r.bytes[n:]
	return true, nil
}

// fill reads on in the file.
func (r *reader[T]) fill() error {
	kept := copy(r.buffer, r.bytes)
	n, err := io.ReadFull(r.file, r.buffer[kept:])
	r.bytes = r.buffer[:kept+n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		r.file, err = nil, nil
	}
	return err
}
