// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/uproar-db/uproar/internal/extsort"
)

// pairRuns are sorted runs of pairs of a row and a record below 2^32 in temporary files, a run of
// each file, to be merged: an external sort. Rows and records are written as differences of
// variable length, so that a pair of a large load takes some 3 bytes:
//
//	uvarint row - row before, uvarint number of records, uvarint record - record before, ...
type pairRuns struct {
	extsort.Files
	pairs  int   // in all files, repeated ones included
	memory int64 // what the buffers of all files together may take when they are merged, about

	single bool // each row has one record, the last that was added

	Numbered bool   // halves with numberBit are numbers, and merge puts IDs in their place:
	Base     uint32 // that of number 0, above all IDs that stand there, so that the order is the same
}

// mostRuns is how many files are merged at a time, at most: more of them are first merged into one.
const mostRuns = 128

// add writes a run of pairs, ascending: the row in the upper half. Repeated ones are left out, and
// of a row with one record all but the last.
func (r *pairRuns) add(words []uint64) error {
	if len(words) == 0 {
		return nil
	}
	if len(r.Open) >= mostRuns {
		if err := r.unite(); err != nil {
			return err
		}
	}
	w, err := r.begin()
	if err != nil {
		return err
	}
	var records []uint32
	for at := 0; at < len(words); {
		row := uint32(words[at] >> 32)
		records = append(records[:0], uint32(words[at]))
		for at++; at < len(words) && uint32(words[at]>>32) == row; at++ {
			if words[at] != words[at-1] {
				records = append(records, uint32(words[at]))
			}
		}
		if r.single {
			records = records[len(records)-1:]
		}
		if err := w.row(row, records); err != nil {
			return err
		}
	}
	r.pairs += w.pairs
	return w.out.Flush()
}

// pairWriter writes a run.
type pairWriter struct {
	out   *bufio.Writer
	last  uint32
	pairs int
}

// begin begins a run.
func (r *pairRuns) begin() (*pairWriter, error) {
	f, err := r.Create()
	if err != nil {
		return nil, err
	}
	return &pairWriter{out: bufio.NewWriterSize(f, runBuffer)}, nil
}

// row writes the records of a row, ascending.
func (w *pairWriter) row(row uint32, records []uint32) error {
	if w.out.Available() < 2*binary.MaxVarintLen32 {
		if err := w.out.Flush(); err != nil {
			return err
		}
	}
	b := binary.AppendUvarint(w.out.AvailableBuffer(), uint64(row-w.last))
	b = binary.AppendUvarint(b, uint64(len(records)))
	last := uint32(0)
	for _, x := range records {
		if cap(b)-len(b) < binary.MaxVarintLen32 {
			if _, err := w.out.Write(b); err != nil {
				return err
			}
			if err := w.out.Flush(); err != nil {
				return err
			}
			b = w.out.AvailableBuffer()
		}
		b = binary.AppendUvarint(b, uint64(x-last))
		last = x
	}
	w.last, w.pairs = row, w.pairs+len(records)
	_, err := w.out.Write(b)
	return err
}

// unite merges all files into one.
func (r *pairRuns) unite() error {
	old := *r
	*r = pairRuns{memory: r.memory, single: r.single}
	w, err := r.begin()
	if err == nil {
		err = old.merge(w.row)
	}
	if err == nil {
		r.pairs = w.pairs
		err = w.out.Flush()
	}
	return errors.Join(err, old.Close())
}

// merge calls fn with each row and its records, both ascending and each once. The records are fn's
// until it returns.
func (r *pairRuns) merge(fn func(row uint32, records []uint32) error) error {
	buffer := int(min(runBuffer, max(leastBuffer, r.memory/int64(len(r.Open)+1))))
	h := make(pairHeap, 0, len(r.Open))
	for i, f := range r.Open {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		x := &pairReader{in: bufio.NewReaderSize(f, buffer), run: i}
		if err := x.next(); err == nil {
			h = append(h, x)
		} else if err != io.EOF {
			return err
		}
	}
	heap.Init(&h)
	var records, scratch []uint32
	for len(h) > 0 {
		row, ascend := h[0].row, true
		for records = records[:0]; len(h) > 0 && h[0].row == row; {
			n := len(records)
			var err error
			if records, err = h[0].records(records); err != nil {
				return err
			}
			ascend = ascend && (n == 0 || n == len(records) || records[n-1] < records[n])
			switch err := h[0].next(); err {
			case nil:
				h.fix()
			case io.EOF:
				heap.Pop(&h)
			default:
				return err
			}
		}
		if r.single {
			records = records[len(records)-1:]
		} else if !ascend {
			records, scratch = sortRecords(records, scratch)
			records = slices.Compact(records)
		}
		if r.Numbered {
			row = r.id(row)
			for i, x := range records {
				records[i] = r.id(x)
			}
		}
		if err := fn(row, records); err != nil {
			return err
		}
	}
	return nil
}

// id returns the ID that half of a pair stands for.
func (r *pairRuns) id(half uint32) uint32 {
	if half&numberBit != 0 {
		return r.Base + half&^numberBit
	}
	return half
}

// rename replaces numbers by IDs, and IDs by the ones given instead of them. most is about how
// many pairs it holds in memory.
func (r *pairRuns) rename(given map[uint64]uint64, most int) error {
	old := *r
	*r = pairRuns{memory: old.memory}
	moved := pairRuns{memory: old.memory}
	var words, scratch []uint64
	add := func() error {
		words, scratch = sortPairs(words, slices.Grow(scratch[:0], len(words))[:len(words)])
		err := moved.add(words)
		words = words[:0]
		return err
	}
	w, err := r.begin()
	if err == nil {
		err = old.merge(func(row uint32, records []uint32) error {
			other, moves := given[uint64(row)]
			kept := records[:0]
			for _, x := range records {
				y, ok := given[uint64(x)]
				if !ok && !moves {
					kept = append(kept, x)
					continue
				}
				if !moves {
					other = uint64(row)
				}
				if !ok {
					y = uint64(x)
				}
				words = append(words, other<<32|y)
			}
			if len(words) >= most {
				if err := add(); err != nil {
					return err
				}
			}
			if len(kept) == 0 {
				return nil
			}
			return w.row(row, kept)
		})
	}
	if err == nil {
		err = errors.Join(w.out.Flush(), add())
		r.pairs = w.pairs + moved.pairs
	}
	r.Adopt(&moved.Files)
	return errors.Join(err, old.Close())
}

// sortRecords sorts records, with scratch if there are many.
func sortRecords(records, scratch []uint32) (sorted, other []uint32) {
	if len(records) < 1<<10 {
		slices.Sort(records)
		return records, scratch
	}
	scratch = slices.Grow(scratch[:0], len(records))[:len(records)]
	var counts [1 << 8]int
	for shift := 0; shift < 32; shift += 8 {
		clear(counts[:])
		for _, x := range records {
			counts[x>>shift&255]++
		}
		if counts[records[0]>>shift&255] == len(records) {
			continue
		}
		sum := 0
		for i, n := range counts {
			counts[i], sum = sum, sum+n
		}
		for _, x := range records {
			at := &counts[x>>shift&255]
			scratch[*at] = x
			*at++
		}
		records, scratch = scratch, records
	}
	return records, scratch
}

// pairReader reads a run.
type pairReader struct {
	in   *bufio.Reader
	run  int // of equal rows the one of the earliest run comes first
	row  uint32
	left int // records of the row
}

// next goes to the next row, when all records of the one before were read. At the end it returns
// io.EOF.
func (x *pairReader) next() error {
	if x.in.Buffered() >= 2*binary.MaxVarintLen32 { // two numbers at once, which are there
		b, _ := x.in.Peek(2 * binary.MaxVarintLen32)
		step, k := binary.Uvarint(b)
		if k > 0 {
			n, m := binary.Uvarint(b[k:])
			if m > 0 {
				x.row, x.left = x.row+uint32(step), int(n)
				_, _ = x.in.Discard(k + m)
				return nil
			}
		}
	}
	step, err := binary.ReadUvarint(x.in)
	if err != nil {
		return err
	}
	n, err := binary.ReadUvarint(x.in)
	if err != nil {
		return cmp.Or(unexpected(err), err)
	}
	x.row, x.left = x.row+uint32(step), int(n)
	return nil
}

// unexpected returns the error of a run that ends within a row; nil for another one.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// records appends the records of the row.
func (x *pairReader) records(dst []uint32) ([]uint32, error) {
	last := uint64(0)
	for x.left > 0 {
		if x.in.Buffered() < binary.MaxVarintLen32 {
			_, _ = x.in.Peek(binary.MaxVarintLen32) // at the end there are less
		}
		b, _ := x.in.Peek(x.in.Buffered()) // which are there
		if len(b) == 0 {
			return dst, io.ErrUnexpectedEOF
		}
		at := 0
		for x.left > 0 && (len(b)-at >= binary.MaxVarintLen32 || at == 0) {
			step, n := uint64(b[at]), 1
			if step >= 0x80 {
				step, n = binary.Uvarint(b[at:])
			}
			if n <= 0 {
				return dst, io.ErrUnexpectedEOF
			}
			last += step
			dst = append(dst, uint32(last))
			at, x.left = at+n, x.left-1
		}
		_, _ = x.in.Discard(at)
	}
	return dst, nil
}

// before reports whether the row of a run comes before that of another.
func (x *pairReader) before(y *pairReader) bool {
	return x.row < y.row || x.row == y.row && x.run < y.run
}

// pairHeap is the runs that have more, the one with the least row first (container/heap).
type pairHeap []*pairReader

func (h pairHeap) Len() int           { return len(h) }
func (h pairHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h pairHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *pairHeap) Push(x any)        { *h = append(*h, x.(*pairReader)) }

func (h *pairHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// fix puts the first run, whose row has changed, into its place: heap.Fix without its calls, of
// which there is one for each row of each run.
func (h pairHeap) fix() {
	x, at := h[0], 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(x) {
			break
		}
		h[at] = h[child]
		at = child
	}
	h[at] = x
}

// Half of a word is an ID, or with numberBit the number of a key without an ID.
const (
	numberBit   = 1 << 31
	mostNumbers = numberBit - 1
)
