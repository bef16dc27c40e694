// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

const (
	// columnPiece is how many rows of a record make it too large to share a page. It is cut into
	// pieces of about that many rows.
	columnPiece = 1 << 16
	// columnGap is how many records without rows a page goes over: each takes a slot.
	columnGap = 1 << 10
)

// columnRegion merges the column edits from the page refs[at] up to the next page. It returns how
// many it merged. A page that has become small absorbs its neighbours.
func (m *Merger) columnRegion(field uint32, refs []format.Ref, at int, edits []model.Edit) (taken int, err error) {
	w := &columnWriter{Out: m.Out, Field: field, Room: columnRoom{Layout: m.layout(field - 3)}}
	var old *format.Ref
	switch {
	case at >= 0 && refs[at].Piece > 0 && refs[at].First == edits[0].Row:
		n := countRow(edits)
		return n, m.columnPieces(w, m.base.Pages(field, edits[0].Row), edits[:n])
	case at >= 0 && refs[at].Piece == 0 && refs[at].Takes(edits[0].Row):
		old = &refs[at]
	}
	for {
		limit := uint64(math.MaxUint64)
		if at+1 < len(refs) {
			limit = refs[at+1].First
		}
		n := countBefore(edits[taken:], limit)
		if err := m.columnPage(w, old, edits[taken:taken+n]); err != nil {
			return taken, err
		}
		taken += n
		at++
		if len(w.Ends) == 0 || w.Room.bytes() >= format.Small || at >= len(refs) || refs[at].Piece > 0 ||
			!w.reaches(refs[at].First) || w.Room.bytes()+int(refs[at].Bytes) > format.Target {
			return taken, w.finish()
		}
		old = &refs[at]
	}
}

// columnPage adds the records of an old page (nil: none), as the edits change them, to w.
func (m *Merger) columnPage(w *columnWriter, old *format.Ref, edits []model.Edit) error {
	record := func(p *format.Page, row uint64, edits []model.Edit) error {
		m.had, m.has = m.had[:0], m.has[:0]
		if p != nil {
			var ok bool
			if m.had, ok = p.AppendRows(m.had, row-old.First); !ok {
				return model.Corrupt(old.String(), "record %d: got rows that do not ascend or have no end", row)
			}
		}
		m.has = reader.AppendEdited(m.has, m.had, edits)
		return w.add(row, m.has)
	}
	before := func(row uint64) error {
		for len(edits) > 0 && edits[0].Row < row {
			n := countRow(edits)
			if err := record(nil, edits[0].Row, edits[:n]); err != nil {
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
		m.Out.drop(old)
		for row := old.First; row-old.First < uint64(p.Count); row++ {
			if err := before(row); err != nil {
				return err
			}
			n := 0
			if len(edits) > 0 && edits[0].Row == row {
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

// columnPieces merges the edits of one record that has pages of its own.
func (m *Merger) columnPieces(w *columnWriter, refs []format.Ref, edits []model.Edit) error {
	var rows []uint64
	for i := range refs {
		p, err := m.read(&refs[i])
		if err != nil {
			return err
		}
		m.Out.drop(&refs[i])
		var ok bool
		n := len(rows)
		if rows, ok = p.AppendRows(rows, 0); !ok || n > 0 && n < len(rows) && rows[n] <= rows[n-1] {
			return model.Corrupt(refs[i].String(), "got rows that do not ascend or have no end")
		}
	}
	if err := w.add(refs[0].First, reader.AppendEdited(nil, rows, edits)); err != nil {
		return err
	}
	return w.finish()
}

// columnRows appends the rows of a record that pages of a column have.
func (m *Merger) columnRows(dst []uint64, field uint32, record uint64) ([]uint64, error) {
	refs := m.base.Pages(field, record)
	for i := range refs {
		p, err := m.read(&refs[i])
		if err != nil {
			return dst, err
		}
		var ok bool
		if dst, ok = p.AppendRows(dst, record-refs[i].First); !ok {
			return dst, model.Corrupt(refs[i].String(), "record %d: got rows that do not ascend or have no end", record)
		}
	}
	return dst, nil
}
