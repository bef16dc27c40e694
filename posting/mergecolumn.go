// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math"
	"math/bits"
	"slices"
)

const (
	// columnPiece is how many rows of a record make it too large for a page with others: it is cut into pieces of about so many.
	columnPiece = 1 << 16
	// columnGap is how many records without rows a page goes over: each takes a slot.
	columnGap = 1 << 10
)

// columnRegion merges the edits of a column that belong to the page refs[at] or lie between it and the next, and returns how many. A page that has become small takes its
// neighbours in.
func (m *merger) columnRegion(field uint32, refs []ref, at int, edits []edit) (taken int, err error) {
	w := &columnWriter{out: m.out, field: field, layout: m.layout(field - 3)}
	var old *ref
	switch {
	case at >= 0 && refs[at].piece > 0 && refs[at].first == edits[0].row:
		n := countRow(edits)
		return n, m.columnPieces(w, m.base.pages(field, edits[0].row), edits[:n])
	case at >= 0 && refs[at].piece == 0 && refs[at].takes(edits[0].row):
		old = &refs[at]
	}
	for {
		limit := uint64(math.MaxUint64)
		if at+1 < len(refs) {
			limit = refs[at+1].first
		}
		n := countBefore(edits[taken:], limit)
		if err := m.columnPage(w, old, edits[taken:taken+n]); err != nil {
			return taken, err
		}
		taken += n
		at++
		if len(w.ends) == 0 || w.bytes >= pageSmall || at >= len(refs) || refs[at].piece > 0 ||
			!w.reaches(refs[at].first) || w.bytes+int(refs[at].bytes) > pageTarget {
			return taken, w.finish()
		}
		old = &refs[at]
	}
}

// columnPage adds the records of an old page (nil: none), as the edits change them, to w.
func (m *merger) columnPage(w *columnWriter, old *ref, edits []edit) error {
	record := func(p *page, row uint64, edits []edit) error {
		m.had, m.has = m.had[:0], m.has[:0]
		if p != nil {
			var ok bool
			if m.had, ok = p.appendRows(m.had, row-old.first); !ok {
				return corrupt(old.String(), "record %d: got rows that do not ascend or have no end", row)
			}
		}
		m.has = appendEdited(m.has, m.had, edits)
		return w.add(row, m.has)
	}
	before := func(row uint64) error {
		for len(edits) > 0 && edits[0].row < row {
			n := countRow(edits)
			if err := record(nil, edits[0].row, edits[:n]); err != nil {
				return err
			}
			edits = edits[n:]
		}
		return nil
	}
	if old != nil {
		p, err := m.read(old)
		if err != nil {
			return err
		}
		m.out.drop(old)
		for row := old.first; row-old.first < uint64(p.count); row++ {
			if err := before(row); err != nil {
				return err
			}
			n := 0
			if len(edits) > 0 && edits[0].row == row {
				n = countRow(edits)
			}
			if err := record(p, row, edits[:n]); err != nil {
				return err
			}
			edits = edits[n:]
		}
	}
	return before(math.MaxUint64)
}

// columnPieces merges the edits of one record with so many rows that it has pages of its own.
func (m *merger) columnPieces(w *columnWriter, refs []ref, edits []edit) error {
	var rows []uint64
	for i := range refs {
		p, err := m.read(&refs[i])
		if err != nil {
			return err
		}
		m.out.drop(&refs[i])
		var ok bool
		n := len(rows)
		if rows, ok = p.appendRows(rows, 0); !ok || n > 0 && n < len(rows) && rows[n] <= rows[n-1] {
			return corrupt(refs[i].String(), "got rows that do not ascend or have no end")
		}
	}
	if err := w.add(refs[0].first, appendEdited(nil, rows, edits)); err != nil {
		return err
	}
	return w.finish()
}

// columnRows appends the rows of a record that pages of a column have.
func (m *merger) columnRows(dst []uint64, field uint32, record uint64) ([]uint64, error) {
	refs := m.base.pages(field, record)
	for i := range refs {
		p, err := m.read(&refs[i])
		if err != nil {
			return dst, err
		}
		var ok bool
		if dst, ok = p.appendRows(dst, record-refs[i].first); !ok {
			return dst, corrupt(refs[i].String(), "record %d: got rows that do not ascend or have no end", record)
		}
	}
	return dst, nil
}

// appendEdited appends ascending rows as edits of one record, ascending by row, change them.
func appendEdited(dst, rows []uint64, edits []edit) []uint64 {
	for _, e := range edits {
		n, had := slices.BinarySearch(rows, e.record)
		dst = append(dst, rows[:n]...)
		if rows = rows[n:]; had {
			rows = rows[1:]
		}
		if e.set {
			dst = append(dst, e.record)
		}
	}
	return append(dst, rows...)
}

// columnWriter lays records out in pages: about pageTarget bytes each, never less than half of it when there is enough.
type columnWriter struct {
	out    *output
	field  uint32
	layout Column
	first  uint64 // the first record that waits
	columnRows
	bytes int // that those which wait take, about
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
		w.ends = append(w.ends, uint32(len(w.rows)))
		w.bytes += 2
	}
	w.rows = append(w.rows, rows...)
	w.ends = append(w.ends, uint32(len(w.rows)))
	w.bytes += 2 + w.size(rows)
	if w.bytes >= 2*pageTarget {
		return w.cut(pageTarget)
	}
	return nil
}

// size returns about how many bytes rows take.
func (w *columnWriter) size(rows []uint64) int {
	most := rows[len(rows)-1]
	if w.layout == SmallColumn {
		return 1 + len(rows)*(2+bits.Len64(most/uint64(len(rows))))/8
	}
	return len(rows) * rowWidthOf(most)
}

// pieces writes a record that is too large for a page with others: cut between rows whose high bits differ, as lists are.
func (w *columnWriter) pieces(record uint64, rows []uint64) error {
	for piece := uint64(1); len(rows) > 0; {
		n := min(columnPiece, len(rows))
		for n < len(rows) && rows[n]>>16 == rows[n-1]>>16 {
			n++
		}
		data := appendColumnPage(columnRows{ends: []uint32{uint32(n)}, rows: rows[:n]}, w.layout)
		if err := w.out.page(ref{field: w.field, first: record, piece: piece, rows: 1, values: uint64(n)}, data); err != nil {
			return err
		}
		if rows = rows[n:]; len(rows) > 0 {
			piece = rows[0]>>16 + 1
		}
	}
	return nil
}

// cut writes the first records as one page, as many as reach the given size.
func (w *columnWriter) cut(size int) error {
	n, bytes := 0, 0
	for n < len(w.ends) && bytes < size {
		if rows := w.of(n); len(rows) > 0 {
			bytes += w.size(rows)
		}
		bytes += 2
		n++
	}
	end := w.ends[n-1]
	page := columnRows{ends: w.ends[:n], rows: w.rows[:end]}
	for len(page.ends) > 1 && page.ends[len(page.ends)-1] == page.ends[len(page.ends)-2] {
		page.ends = page.ends[:len(page.ends)-1]
	}
	err := w.out.page(ref{field: w.field, first: w.first, rows: uint32(len(page.ends)), values: uint64(end)}, appendColumnPage(page, w.layout))
	for n < len(w.ends) && w.ends[n] == end {
		n++
	}
	w.first += uint64(n)
	w.ends, w.rows, w.bytes = append(w.ends[:0], w.ends[n:]...), append(w.rows[:0], w.rows[end:]...), w.bytes-bytes
	for i := range w.ends {
		w.ends[i] -= end
	}
	if len(w.ends) == 0 {
		w.bytes = 0
	}
	return err
}

// finish writes what is left: one page, or two halves.
func (w *columnWriter) finish() error {
	if w.bytes > pageTarget {
		if err := w.cut(w.bytes / 2); err != nil {
			return err
		}
	}
	if len(w.ends) == 0 {
		return nil
	}
	return w.cut(math.MaxInt)
}
