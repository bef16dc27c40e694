// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"context"
	"math"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/store"
)

// Merger writes the pages that a set of edits changes: the work of a flush and of a bulk load. Only
// the pages that an edit falls into are read and written, and small neighbours that are taken in.
type Merger struct {
	ctx      context.Context
	read     func(*format.Ref) (*format.Page, error)
	Out      *PageBatch
	base     *format.Manifest
	memory   *memory.Bound                   // counts what the merge holds
	layout   func(field uint32) model.Column // of the column of a user's field
	Declared func(field uint32) model.Field
	builder  pack.Builder
	List     overlay.List
	cursor   overlay.Cursor
	had, has []uint64                                  // scratch: the rows of a record
	values   []uint64                                  // scratch: those of a short list
	words    []uint64                                  // scratch: those of records
	progress func(edits int)                           // told after each region how many edits it took; may be nil
	Changed  func(f model.ValueEdit, old uint64) error // told of each word that the value column changes; may be nil
}

// account returns an account of what the merge holds, to be set to 0 at the end.
func (m *Merger) account() *memory.Account {
	return m.memory.Account(memory.Merges)
}

// postings merges the edits of one field, ascending by row and record, each record of a list once.
func (m *Merger) postings(field uint32, edits []model.Edit) error {
	return m.postingsOf(field, m.base.Fields[field].Refs, edits)
}

// postingsOf is postings for edits that all belong to the first pages of a field.
func (m *Merger) postingsOf(field uint32, refs []format.Ref, edits []model.Edit) error {
	keys := hasEdgeKeys(m, field)
	for len(edits) > 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		at := format.FindRef(refs, pageRow(edits[0], keys))
		m.Out.warm = false // unless a page is read that is in the cache
		var n int
		var err error
		if keys {
			n, err = edgeKeyRegion(m, field, refs, at, edits)
		} else if reader.IsColumn(field) {
			n, err = m.columnRegion(field, refs, at, edits)
		} else if at >= 0 && refs[at].Piece > 0 && refs[at].First == edits[0].Row {
			n = countRow(edits)
			err = m.pieces(m.base.Pages(field, edits[0].Row), edits[:n])
		} else {
			n, err = m.region(field, refs, at, edits)
		}
		if err != nil {
			return err
		}
		edits = edits[n:]
		if m.progress != nil {
			m.progress(n)
		}
	}
	return nil
}

// countRow returns how many of the first edits are of one row.
func countRow(edits []model.Edit) int {
	n := 1
	for n < len(edits) && edits[n].Row == edits[0].Row {
		n++
	}
	return n
}

// countBefore returns how many of the first edits are of rows before limit.
func countBefore(edits []model.Edit, limit uint64) int {
	n := 0
	for n < len(edits) && edits[n].Row < limit {
		n++
	}
	return n
}

// region merges the edits from the page refs[at] up to the next page. It returns how many it
// merged. A page that has become small absorbs its neighbours.
func (m *Merger) region(field uint32, refs []format.Ref, at int, edits []model.Edit) (taken int, err error) {
	w := &rowWriter{Out: m.Out, Field: field}
	var old *format.Ref
	if at >= 0 && refs[at].Piece == 0 && refs[at].Takes(edits[0].Row) {
		old = &refs[at]
	}
	for {
		limit := uint64(math.MaxUint64)
		if at+1 < len(refs) {
			limit = refs[at+1].First
		}
		n := countBefore(edits[taken:], limit)
		if limit == math.MaxUint64 {
			n = len(edits) - taken
		}
		if err := m.rows(w, old, edits[taken:taken+n]); err != nil {
			return taken, err
		}
		taken += n
		at++
		if len(w.rows) == 0 || w.bytes >= format.Small || at >= len(refs) || refs[at].Piece > 0 ||
			!w.reaches(refs[at].Last()) || w.bytes+int(refs[at].Bytes) > format.Target {
			return taken, w.finish()
		}
		old = &refs[at]
	}
}

// rows adds the rows of an old page (nil: none), as the edits change them, to w.
func (m *Merger) rows(w *rowWriter, old *format.Ref, edits []model.Edit) error {
	if old != nil {
		p, err := m.read(old)
		if err != nil {
			return err
		}
		m.Out.drop(old)
		err = p.All(func(offset uint64, body []byte) error {
			row := old.First + offset
			for len(edits) > 0 && edits[0].Row < row {
				n := countRow(edits)
				if err := m.row(w, nil, edits[:n]); err != nil {
					return err
				}
				edits = edits[n:]
			}
			if len(edits) > 0 && edits[0].Row == row {
				n := countRow(edits)
				err := m.row(w, body, edits[:n])
				edits = edits[n:]
				return err
			}
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(old.String(), "row %d: %v", row, err)
			}
			return w.add(row, body, v.Len())
		})
		if err != nil {
			return err
		}
	}
	for len(edits) > 0 {
		n := countRow(edits)
		if err := m.row(w, nil, edits[:n]); err != nil {
			return err
		}
		edits = edits[n:]
	}
	return nil
}

// row adds one list: the old body as the edits change it. A list too large for a page is written in
// pieces.
func (m *Merger) row(w *rowWriter, body []byte, edits []model.Edit) error {
	v, err := view.OpenBody(body)
	if err != nil {
		return model.Corrupt("page", "field %d, row %d: %v", edits[0].Field, edits[0].Row, err)
	}
	m.List.Reset(v, edits)
	merged, n := m.merged(edits[0].Field)
	if n == 0 {
		return nil
	}
	if len(merged) <= format.Target {
		return w.add(edits[0].Row, merged, n)
	}
	if err := w.finish(); err != nil {
		return err
	}
	return m.split(edits[0].Field, edits[0].Row, 0, math.MaxUint64)
}

// merged returns the body of m.List, of one piece, as it shares a page with others, and its
// cardinality.
func (m *Merger) merged(field uint32) (body []byte, n uint64) {
	if m.List.AtMost() <= fewValues {
		return m.few()
	}
	return m.build(0, math.MaxUint64, m.shared(field))
}

// fewValues is up to how many values a list is merged value by value: blocks of few values each
// cost more.
const fewValues = 256

// few is build for all of a list of one piece with few values.
func (m *Merger) few() (body []byte, n uint64) {
	m.builder.Reset()
	m.values = m.List.First.AppendTo(m.values[:0])
	edits := m.List.Edits
	for _, x := range m.values {
		for len(edits) > 0 && edits[0].Record < x {
			m.appendEdit(edits[0])
			edits = edits[1:]
		}
		if len(edits) > 0 && edits[0].Record == x {
			m.appendEdit(edits[0])
			edits = edits[1:]
			continue
		}
		m.builder.Append(x)
	}
	for _, e := range edits {
		m.appendEdit(e)
	}
	if n = m.builder.Len(); n == 0 {
		return nil, 0
	}
	return m.builder.Body(nil), n
}

// appendEdit appends the record of an edit that sets it.
func (m *Merger) appendEdit(e model.Edit) {
	if e.Set {
		m.builder.Append(e.Record)
	}
}

// shared returns the layout of lists that share a page: the smallest, unless the field is declared
// to be fast. Single-valued fields have few records in all their lists together, one for each
// value, and lists of many of them are what is combined most.
func (m *Merger) shared(field uint32) pack.Layout {
	switch f := m.Declared(field); {
	case f.Fast:
		return pack.Fastest
	case f.Column == model.FastColumn || f.Kind == model.Rows:
		return pack.Balanced
	default:
		return pack.Smallest
	}
}

// build returns the body of m.List between two container keys, in new memory and some layout, and
// its cardinality: shared's, or of a piece a balanced one.
func (m *Merger) build(from, to uint64, layout pack.Layout) (body []byte, n uint64) {
	m.builder.Reset()
	m.cursor.Reset(&m.List)
	for ok := m.cursor.Seek(from); ok && m.cursor.Key() < to; ok = m.cursor.Next() {
		b := m.cursor.Block()
		if b.IsEmpty() {
			continue
		}
		n += uint64(b.Len())
		m.builder.AppendBlock(b)
	}
	if n == 0 {
		return nil, 0
	}
	return m.builder.BodyIn(nil, layout), n
}

// Edits merges edits of any fields, ascending, each record of a list once.
func (m *Merger) Edits(edits []model.Edit) error {
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].Field == edits[0].Field {
			n++
		}
		if err := m.postings(edits[0].Field, edits[:n]); err != nil {
			return err
		}
		edits = edits[n:]
	}
	return nil
}

// EditSize is what an edit or assignment takes while it is merged.
const EditSize = int64(max(unsafe.Sizeof(model.Edit{}), unsafe.Sizeof(model.ValueEdit{})))

// New returns a merger of edits into the pages of a manifest. next gives a page its
// generation.
func New(ctx context.Context, src *reader.Source, base *format.Manifest, next func() uint64) *Merger {
	out := &PageBatch{Store: src.Store, Index: src.ID, cache: src.Cache, Generation: next}
	out.Most, out.flights, out.sender = window(src)
	read := func(r *format.Ref) (*format.Page, error) {
		p, ok := src.Cache.Get(src.ID, r.Generation)
		if out.warm = ok; ok {
			return p, nil
		}
		return src.Read(r)
	}
	layout := func(field uint32) model.Column { return src.FieldOf(field).Column }
	return &Merger{ctx: ctx, read: read, Out: out, base: base, memory: src.Memory, layout: layout,
		Declared: src.FieldOf}
}

// Bytes returns what a merge holds beside its edits: pages that wait to be written or are on their
// way, which the store has once more; those read last; and the list being built.
func Bytes(src *reader.Source) int64 {
	most, flights, _ := window(src)
	return int64(most)*int64(1+2*flights) + 8*format.Target
}

// window returns how many bytes of pages a batch has, and how many batches may be on their way.
func window(src *reader.Source) (most, flights int, s store.Sender) {
	s, ok := src.Store.(store.Sender)
	if !ok {
		return src.Memory.BatchBytes(pageBatchBytes), 0, nil
	}
	flights, most = s.Window()
	return src.Memory.BatchBytes(most), flights, s
}

// pageBatchBytes is how many bytes of pages go into one batch of a store that takes one at a time:
// enough to use the disk well, little enough to leave gaps for commits.
const pageBatchBytes = 1 << 20
