// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

// rowWriter lays rows out in pages: about pageTarget bytes each, never less than half of it when there is enough.
type rowWriter struct {
	out    *output
	field  uint32
	kind   byte
	first  uint64
	rows   [][]byte
	values []uint64
	bytes  int
}

// last returns the last row that waits to be written; there must be one.
func (w *rowWriter) last() uint64 { return w.first + uint64(len(w.rows)) - 1 }

// add appends a row; rows come in ascending order. The bytes of body must not change until the page is written. values is what the row adds to the
// page's count of values.
func (w *rowWriter) add(row uint64, body []byte, values uint64) error {
	if len(w.rows) > 0 {
		if gap := row - w.last() - 1; gap > pageGap || len(w.rows)+int(gap) >= maxRows {
			if err := w.finish(); err != nil {
				return err
			}
		} else {
			for range gap {
				w.append(nil, 0)
			}
		}
	}
	if len(w.rows) == 0 {
		w.first = row
	}
	w.append(body, values)
	if w.bytes >= 2*pageTarget {
		return w.cut(pageTarget)
	}
	return nil
}

func (w *rowWriter) append(body []byte, values uint64) {
	w.rows, w.values, w.bytes = append(w.rows, body), append(w.values, values), w.bytes+len(body)+2
}

// cut writes the first rows as one page, as many as reach the given size.
func (w *rowWriter) cut(size int) error {
	n, bytes, values := 0, 0, uint64(0)
	for n < len(w.rows) && bytes < size {
		bytes += len(w.rows[n]) + 2
		values += w.values[n]
		n++
	}
	err := w.out.page(ref{field: w.field, first: w.first, rows: uint32(n), values: values}, appendPage(w.kind, w.rows[:n]))
	w.first += uint64(n)
	w.rows, w.values, w.bytes = append(w.rows[:0], w.rows[n:]...), append(w.values[:0], w.values[n:]...), w.bytes-bytes
	// A page begins with a row that has something: the rows between are empty whichever page covers them.
	for len(w.rows) > 0 && len(w.rows[0]) == 0 {
		w.first++
		w.rows, w.values, w.bytes = w.rows[1:], w.values[1:], w.bytes-2
	}
	return err
}

// finish writes what is left: one page, or two halves.
func (w *rowWriter) finish() error {
	if w.bytes > pageTarget {
		if err := w.cut(w.bytes / 2); err != nil {
			return err
		}
	}
	if len(w.rows) == 0 {
		return nil
	}
	return w.cut(w.bytes)
}
