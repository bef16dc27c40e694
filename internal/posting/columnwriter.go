// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// columnWriter lays records out in pages: up to pageTarget bytes each, more for a record that is
// large itself, never less than half of it when there is enough.
type columnWriter struct {
	out   *pageBatch
	field uint32
	first uint64 // the first record that waits
	columnRows
	codes []int      // bytes that each record's rows take in a SmallColumn
	room  columnRoom // of those that wait
}

// reaches reports whether a record can stand on the page that waits to be written.
func (w *columnWriter) reaches(record uint64) bool {
	return len(w.ends) > 0 && record-w.first < maxRows && record-w.first < uint64(len(w.ends)+columnGap)
}

// add appends a record; records come in ascending order. One without rows is left out.
func (w *columnWriter) add(record uint64, rows []uint64) error {
	if len(rows) == 0 {
		return nil
	}
	if !w.reaches(record) || len(rows) >= columnPiece {
		if err := w.finish(); err != nil {
			return err
		}
		w.first = record
	}
	if len(rows) >= columnPiece {
		return w.pieces(record, rows)
	}
	for record-w.first > uint64(len(w.ends)) {
		w.wait(nil)
	}
	w.wait(rows)
	if w.room.bytes() >= 2*pageTarget {
		return w.cut(pageRoom)
	}
	return nil
}

// wait appends the rows of the next record to those that wait.
func (w *columnWriter) wait(rows []uint64) {
	coded := 0
	if len(rows) > 0 && w.room.layout == model.SmallColumn {
		coded = gapBytes(rows)
	}
	w.rows = append(w.rows, rows...)
	w.ends = append(w.ends, uint32(len(w.rows)))
	w.codes = append(w.codes, coded)
	w.room.add(rows, coded)
}

// pieces writes a record that is too large for a page with others: cut between rows whose high bits
// differ, as lists are.
func (w *columnWriter) pieces(record uint64, rows []uint64) error {
	for piece := uint64(1); len(rows) > 0; {
		n := min(columnPiece, len(rows))
		for n < len(rows) && rows[n]>>16 == rows[n-1]>>16 {
			n++
		}
		data := appendColumnPage(columnRows{ends: []uint32{uint32(n)}, rows: rows[:n]}, w.room.layout)
		if err := w.out.page(ref{field: w.field, first: record, piece: piece, rows: 1, values: uint64(n)},
			data); err != nil {
			return err
		}
		if rows = rows[n:]; len(rows) > 0 {
			piece = rows[0]>>16 + 1
		}
	}
	return nil
}

// cut writes the first records as one page, as many as reach the given size, or have room.
func (w *columnWriter) cut(size int) error {
	n, room := 0, columnRoom{layout: w.room.layout}
	for n < len(w.ends) && room.bytes() < size {
		more := room
		if more.add(w.of(n), w.codes[n]); isFull(room.bytes(), more.bytes()) {
			break
		}
		room, n = more, n+1
	}
	end := w.ends[n-1]
	page := columnRows{ends: w.ends[:n], rows: w.rows[:end]}
	for len(page.ends) > 1 && page.ends[len(page.ends)-1] == page.ends[len(page.ends)-2] {
		page.ends = page.ends[:len(page.ends)-1]
	}
	err := w.out.page(ref{field: w.field, first: w.first, rows: uint32(len(page.ends)), values: uint64(end)},
		appendColumnPage(page, w.room.layout))
	for n < len(w.ends) && w.ends[n] == end {
		n++
	}
	w.first += uint64(n)
	w.ends, w.rows, w.codes = append(w.ends[:0], w.ends[n:]...), append(w.rows[:0], w.rows[end:]...),
		append(w.codes[:0], w.codes[n:]...)
	w.room = columnRoom{layout: w.room.layout}
	for i := range w.ends {
		w.ends[i] -= end
		w.room.add(w.of(i), w.codes[i])
	}
	return err
}

// finish writes what is left: one page, or two halves.
func (w *columnWriter) finish() error {
	for len(w.ends) > 0 {
		size := math.MaxInt
		if w.room.bytes() > pageRoom {
			size = w.room.bytes() / 2
		}
		if err := w.cut(size); err != nil {
			return err
		}
	}
	return nil
}

// columnRoom is how much room records take on a page.
type columnRoom struct {
	layout  model.Column
	records int
	rows    int
	most    uint64
	coded   int // bytes of rows in SmallColumn
}

// add adds a record with its rows, ascending, which take so many bytes in SmallColumn.
func (r *columnRoom) add(rows []uint64, coded int) {
	r.records++
	if len(rows) > 0 {
		r.rows, r.most, r.coded = r.rows+len(rows), max(r.most, rows[len(rows)-1]), r.coded+coded
	}
}

// bytes returns what the records and their slots take.
func (r *columnRoom) bytes() int {
	if r.layout == model.SmallColumn {
		return 2*r.records + r.coded
	}
	return 2*r.records + r.rows*rowWidthOf(r.most)
}
