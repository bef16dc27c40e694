// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// pieceMost is the size above which a piece is cut in two.
const pieceMost = format.Target + format.Target/2

// pieces merges the edits of one list that is kept in pieces. It rewrites only pieces that have
// edits. A piece that has become small absorbs the next one. A list that has become small is an
// ordinary row again.
func (m *Merger) pieces(refs []format.Ref, edits []model.Edit) error {
	total := 0
	for i := range refs {
		total += int(refs[i].Bytes)
	}
	if total <= format.Target {
		if err := m.listOf(refs, edits); err != nil {
			return err
		}
		if body, n := m.build(0, math.MaxUint64, m.shared(refs[0].Field)); len(body) <= format.Target {
			return m.whole(refs, body, n)
		}
	}
	for at := 0; at < len(refs); {
		next, n, err := m.piece(refs, at, edits)
		if err != nil {
			return err
		}
		at, edits = next, edits[n:]
	}
	return nil
}

// whole makes an ordinary row of a list in pieces that has become small.
func (m *Merger) whole(refs []format.Ref, body []byte, n uint64) error {
	for i := range refs {
		m.Out.drop(&refs[i])
	}
	if n == 0 {
		return nil
	}
	w := &rowWriter{Out: m.Out, Field: refs[0].Field}
	if err := w.add(refs[0].First, body, n); err != nil {
		return err
	}
	return w.finish()
}

// piece rewrites the piece refs[at] if an edit falls into it. It returns the piece to go on with,
// and how many edits it took.
func (m *Merger) piece(refs []format.Ref, at int, edits []model.Edit) (next, taken int, err error) {
	limit := func(i int) uint64 {
		if i+1 < len(refs) {
			return refs[i+1].PieceKey()
		}
		return math.MaxUint64
	}
	count := func(i int) (n int) {
		for n < len(edits)-taken && edits[taken+n].Record>>16 < limit(i) {
			n++
		}
		return n
	}
	if taken = count(at); taken == 0 {
		return at + 1, 0, nil
	}
	from, end := refs[at].PieceKey(), at+1
	for {
		if err := m.listOf(refs[at:end], edits[:taken]); err != nil {
			return 0, 0, err
		}
		body, _ := m.build(from, limit(end-1), pack.Balanced)
		if len(body) >= format.Small || end == len(refs) || len(body)+int(refs[end].Bytes) > format.Target {
			break
		}
		taken += count(end)
		end++
	}
	for i := at; i < end; i++ {
		m.Out.drop(&refs[i])
	}
	return end, taken, m.split(refs[at].Field, refs[at].First, from, limit(end-1))
}

// listOf sets m.list to some pieces of a list and the edits that fall into them.
func (m *Merger) listOf(refs []format.Ref, edits []model.Edit) error {
	m.List.Reset(view.View{}, edits)
	for i := range refs {
		p, err := m.read(&refs[i])
		if err != nil {
			return err
		}
		v, err := view.OpenBody(p.Row(0))
		if err != nil {
			return model.Corrupt(refs[i].String(), "%v", err)
		}
		m.List.AddPiece(v, refs[i].PieceKey())
	}
	return nil
}

// split writes m.list between two container keys as pieces. It cuts where the values before and
// after balance. It writes an empty piece only as the first of a list.
func (m *Merger) split(field uint32, row, from, to uint64) error {
	body, n := m.build(from, to, pack.Balanced)
	if len(body) > pieceMost {
		if middle, ok := m.middle(from, to, n); ok {
			if err := m.split(field, row, from, middle); err != nil {
				return err
			}
			return m.split(field, row, middle, to)
		}
	}
	if n == 0 && from > 0 {
		return nil
	}
	return m.Out.page(format.Ref{Field: field, First: row, Piece: from + 1, Rows: 1, Values: n},
		format.AppendPage(format.Postings, []format.Row{{Body: body}}))
}

// middle returns the container key that halves the values of m.list between two container keys. It
// is not ok when all values are in one container.
func (m *Merger) middle(from, to, n uint64) (key uint64, ok bool) {
	m.cursor.Reset(&m.List)
	before, first := uint64(0), true
	for more := m.cursor.Seek(from); more && m.cursor.Key() < to; more = m.cursor.Next() {
		b := m.cursor.Block()
		if b.IsEmpty() {
			continue
		}
		if !first && before >= n/2 {
			return m.cursor.Key(), true
		}
		if !first {
			key, ok = m.cursor.Key(), true
		}
		before, first = before+uint64(b.Len()), false
	}
	return key, ok
}
