// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// columnWriter lays records out in pages: up to format.Target bytes each, more for a record that is
// large itself, never less than half of it when there is enough.
type columnWriter struct {
	Out   *PageBatch
	Field uint32
	first uint64 // the first record that waits
	format.ColumnRows
	codes []int      // bytes that each record's rows take in a SmallColumn
	Room  columnRoom // of the waiting records
}

// reaches reports whether a record can stand on the page that waits to be written.
func (w *columnWriter) reaches(record uint64) bool {
	return len(w.Ends) > 0 && record-w.first < format.MaxRows && record-w.first < uint64(len(w.Ends)+columnGap)
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
	for record-w.first > uint64(len(w.Ends)) {
		w.wait(nil)
	}
	w.wait(rows)
	if w.Room.bytes() >= 2*format.Target {
		return w.cut(format.Room)
	}
	return nil
}

// wait appends the rows of the next record to the waiting ones.
func (w *columnWriter) wait(rows []uint64) {
	coded := 0
	if len(rows) > 0 && w.Room.Layout == model.SmallColumn {
		coded = format.GapBytes(rows)
	}
	w.Rows = append(w.Rows, rows...)
	w.Ends = append(w.Ends, uint32(len(w.Rows)))
	w.codes = append(w.codes, coded)
	w.Room.add(rows, coded)
}

// pieces writes a record that is too large for a page with others: cut between rows whose high bits
// differ, as lists are.
func (w *columnWriter) pieces(record uint64, rows []uint64) error {
	for piece := uint64(1); len(rows) > 0; {
		n := min(columnPiece, len(rows))
		for n < len(rows) && rows[n]>>16 == rows[n-1]>>16 {
			n++
		}
		data := format.AppendColumnPage(format.ColumnRows{Ends: []uint32{uint32(n)}, Rows: rows[:n]}, w.Room.Layout)
		if err := w.Out.page(format.Ref{Field: w.Field, First: record, Piece: piece, Rows: 1, Values: uint64(n)},
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
	n, room := 0, columnRoom{Layout: w.Room.Layout}
	for n < len(w.Ends) && room.bytes() < size {
		more := room
		if more.add(w.Of(n), w.codes[n]); isFull(room.bytes(), more.bytes()) {
			break
		}
		room, n = more, n+1
	}
	end := w.Ends[n-1]
	page := format.ColumnRows{Ends: w.Ends[:n], Rows: w.Rows[:end]}
	for len(page.Ends) > 1 && page.Ends[len(page.Ends)-1] == page.Ends[len(page.Ends)-2] {
		page.Ends = page.Ends[:len(page.Ends)-1]
	}
	err := w.Out.page(format.Ref{Field: w.Field, First: w.first, Rows: uint32(len(page.Ends)), Values: uint64(end)},
		format.AppendColumnPage(page, w.Room.Layout))
	for n < len(w.Ends) && w.Ends[n] == end {
		n++
	}
	w.first += uint64(n)
	w.Ends, w.Rows, w.codes = append(w.Ends[:0], w.Ends[n:]...), append(w.Rows[:0], w.Rows[end:]...),
		append(w.codes[:0], w.codes[n:]...)
	w.Room = columnRoom{Layout: w.Room.Layout}
	for i := range w.Ends {
		w.Ends[i] -= end
		w.Room.add(w.Of(i), w.codes[i])
	}
	return err
}

// finish writes what is left: one page, or two halves.
func (w *columnWriter) finish() error {
	for len(w.Ends) > 0 {
		size := math.MaxInt
		if w.Room.bytes() > format.Room {
			size = w.Room.bytes() / 2
		}
		if err := w.cut(size); err != nil {
			return err
		}
	}
	return nil
}

// columnRoom is how much room records take on a page.
type columnRoom struct {
	Layout  model.Column
	records int
	rows    int
	most    uint64
	coded   int // bytes of rows in SmallColumn
}

// add adds a record with ascending rows. coded is their size in bytes in a SmallColumn.
func (r *columnRoom) add(rows []uint64, coded int) {
	r.records++
	if len(rows) > 0 {
		r.rows, r.most, r.coded = r.rows+len(rows), max(r.most, rows[len(rows)-1]), r.coded+coded
	}
}

// bytes returns what the records and their slots take.
func (r *columnRoom) bytes() int {
	if r.Layout == model.SmallColumn {
		return 2*r.records + r.coded
	}
	return 2*r.records + r.rows*format.RowWidthOf(r.most)
}
