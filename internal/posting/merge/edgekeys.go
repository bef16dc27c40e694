// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// hasEdgeKeys reports whether a field is the KeyColumn of a relation.
func hasEdgeKeys(m *Merger, field uint32) bool {
	return reader.IsColumn(field) && m.layout(field-3) == model.KeyColumn
}

// pageRow returns the row of an edit as pages count rows: of a KeyColumn it is the record.
func pageRow(e model.Edit, keys bool) uint64 {
	if keys {
		record, _ := model.EdgeOf(e.Row)
		return record
	}
	return e.Row
}

// appendEdgeGone appends the edit by which the pages of a KeyColumn lose the records of an edge.
// The edge is in a list of the relation or of its inverse.
func appendEdgeGone(edits []model.Edit, src *reader.Source, f model.Field, row, record uint64) []model.Edit {
	if f.Derived {
		f, row, record = src.FieldOf(f.Inverse), record, row
	}
	if f.Column != model.KeyColumn || max(row, record) > model.MaxEdgeID { // of which there are no keys
		return edits
	}
	return append(edits, model.Edit{Field: model.ValueField(f.ID), Row: model.EdgeRow(row, record),
		Record: model.EdgeGone})
}

// countEdges returns how many of the first edits of a KeyColumn are of records before limit.
func countEdges(edits []model.Edit, limit uint64) int {
	return sort.Search(len(edits), func(i int) bool { return pageRow(edits[i], true) >= limit })
}

// edgeKeyRegion merges the edits of a KeyColumn from the page refs[at] up to the next page. It
// returns how many it merged. A page that has become small absorbs its neighbours.
func edgeKeyRegion(m *Merger, field uint32, refs []format.Ref, at int, edits []model.Edit) (taken int, err error) {
	w := &edgeKeyWriter{Out: m.Out, Field: field}
	record := pageRow(edits[0], true)
	var old *format.Ref
	switch {
	case at >= 0 && refs[at].Piece > 0 && refs[at].First == record:
		n := countEdges(edits, record+1)
		return n, edgeKeyPieces(m, w, m.base.Pages(field, record), edits[:n])
	case at >= 0 && refs[at].Piece == 0 && refs[at].Takes(record):
		old = &refs[at]
	}
	for {
		limit := uint64(math.MaxUint64)
		if at+1 < len(refs) {
			limit = refs[at+1].First
		}
		n := countEdges(edits[taken:], limit)
		if err := edgeKeyPage(m, w, old, edits[taken:taken+n]); err != nil {
			return taken, err
		}
		taken += n
		at++
		if len(w.ends) == 0 || w.bytes() >= format.Small || at >= len(refs) || refs[at].Piece > 0 ||
			!w.reaches(refs[at].First) || w.bytes()+int(refs[at].Bytes) > format.Target {
			return taken, w.finish()
		}
		old = &refs[at]
	}
}

// edgeKeyPage adds the records of an old page (nil: none), as the edits change them, to w.
func edgeKeyPage(m *Merger, w *edgeKeyWriter, old *format.Ref, edits []model.Edit) error {
	before := func(limit uint64) error {
		for len(edits) > 0 && pageRow(edits[0], true) < limit {
			record := pageRow(edits[0], true)
			n := countEdges(edits, record+1)
			if err := w.add(record, model.EditEdgeKeys(nil, edits[:n])); err != nil {
				return err
			}
			edits = edits[n:]
		}
		return nil
	}
	if old == nil {
		return before(math.MaxUint64)
	}
	p, err := m.read(old)
	if err != nil {
		return err
	}
	m.Out.drop(old)
	for i := range uint64(p.Count) {
		record, body := old.First+i, p.EdgeKeyBody(i)
		if err := before(record); err != nil {
			return err
		}
		if n := countEdges(edits, record+1); n == 0 {
			err = w.copy(record, body)
		} else {
			var keys []model.EdgeKey
			if keys, err = decoded(old, record, body); err == nil {
				err = w.add(record, model.EditEdgeKeys(keys, edits[:n]))
			}
			edits = edits[n:]
		}
		if err != nil {
			return err
		}
	}
	return before(math.MaxUint64)
}

// decoded returns the keys of a body, which may be empty.
func decoded(of *format.Ref, record uint64, body []byte) ([]model.EdgeKey, error) {
	if len(body) == 0 {
		return nil, nil
	}
	keys, ok := format.AppendEdgeKeys(nil, body)
	if !ok {
		return nil, model.Corrupt(of.String(), "record %d: got keys that do not ascend or have no end", record)
	}
	return keys, nil
}

// edgeKeyPieces merges the edits of one record that has pages of its own: those that edits fall
// into are written anew, or all when one of them has become small.
func edgeKeyPieces(m *Merger, w *edgeKeyWriter, refs []format.Ref, edits []model.Edit) error {
	record := refs[0].First
	slices.SortFunc(edits, func(a, b model.Edit) int {
		return cmp.Or(cmp.Compare(a.Record, b.Record), cmp.Compare(a.Row, b.Row))
	})
	whole := edits[len(edits)-1].Record == model.EdgeGone
	changed, left := make(map[int][]model.EdgeKey), edits
	for i := 0; i < len(refs) && !whole; i++ {
		n := len(left)
		if i+1 < len(refs) {
			n = sort.Search(n, func(j int) bool { return edgePiece(left[j].Record) >= refs[i+1].Piece })
		}
		if n == 0 {
			continue
		}
		keys, err := keysOfPiece(m, &refs[i])
		if err != nil {
			return err
		}
		changed[i] = model.EditEdgeKeys(keys, left[:n])
		whole, left = len(changed[i]) < edgeKeyPiece/8, left[n:]
	}
	if !whole {
		for i := range refs {
			if keys, ok := changed[i]; ok {
				m.Out.drop(&refs[i])
				if err := w.pieces(record, refs[i].Piece, keys); err != nil {
					return err
				}
			}
		}
		return nil
	}
	var all []model.EdgeKey
	for i := range refs {
		keys, err := keysOfPiece(m, &refs[i])
		if err != nil {
			return err
		}
		m.Out.drop(&refs[i])
		all = append(all, keys...)
	}
	if err := w.add(record, model.EditEdgeKeys(all, edits)); err != nil {
		return err
	}
	return w.finish()
}

// keysOfPiece reads the keys of a piece.
func keysOfPiece(m *Merger, r *format.Ref) ([]model.EdgeKey, error) {
	p, err := m.read(r)
	if err != nil {
		return nil, err
	}
	return decoded(r, r.First, p.EdgeKeyBody(0))
}
