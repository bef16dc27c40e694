// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"github.com/uproar-db/uproar/internal/posting/format"
)

// rowWriter lays rows out in pages: up to format.Target bytes each, more for a row that is large
// itself, never less than half of it when there is enough.
type rowWriter struct {
	Out   *PageBatch
	Field uint32
	first uint64 // the row that offsets count from
	rows  []format.Row
	bytes int // bodies and slots
}

// reaches reports whether a row can stand on the page that waits to be written.
func (w *rowWriter) reaches(row uint64) bool { return len(w.rows) > 0 && row-w.first < format.MaxRows }

// add appends a row that has something; rows come in ascending order. The bytes of body must not
// change until the page is written. values is what the row adds to the page's count of values.
func (w *rowWriter) add(row uint64, body []byte, values uint64) error {
	if !w.reaches(row) {
		if err := w.finish(); err != nil {
			return err
		}
		w.first = row
	}
	w.rows = append(w.rows, format.Row{Offset: uint16(row - w.first), Values: values, Body: body})
	w.bytes += len(body) + slotBytes
	if w.bytes >= 2*format.Target {
		return w.cut(format.Room)
	}
	return nil
}

// slotBytes is what a row takes beside its body, in the larger kind of slot table.
const slotBytes = 4

// cut writes the first rows as one page, as many as reach the given size, or have room.
func (w *rowWriter) cut(size int) error {
	n, bytes, values := 0, 0, uint64(0)
	for n < len(w.rows) && bytes < size {
		more := len(w.rows[n].Body) + slotBytes
		if isFull(bytes, bytes+more) {
			break
		}
		bytes += more
		values += w.rows[n].Values
		n++
	}
	r := format.Ref{Field: w.Field, First: w.first, Rows: uint32(w.rows[n-1].Offset) + 1, Values: values}
	err := w.Out.page(r, format.AppendPage(format.KindOf(w.Field), w.rows[:n]))
	w.rows, w.bytes = append(w.rows[:0], w.rows[n:]...), w.bytes-bytes
	if len(w.rows) > 0 {
		skipped := w.rows[0].Offset
		w.first += uint64(skipped)
		for i := range w.rows {
			w.rows[i].Offset -= skipped
		}
	}
	return err
}

// isFull reports whether a page has enough bytes, and the next row or record would make it too
// large.
func isFull(bytes, next int) bool { return bytes >= format.Target/2 && next > format.Room }

// finish writes what is left: one page, or two halves.
func (w *rowWriter) finish() error {
	for len(w.rows) > 0 {
		size := w.bytes
		if size > format.Room {
			size /= 2
		}
		if err := w.cut(size); err != nil {
			return err
		}
	}
	return nil
}
