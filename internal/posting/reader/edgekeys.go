// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// AppendEdgeKeys appends the keys of a record's edges in a relation with a KeyColumn, ascending:
// all below one, or the last of them up to a number. Cost: the pages that have these, of 2 048 keys
// each, and what deltas say of the record. Errors: as of List.
func AppendEdgeKeys(s Snapshot, dst []model.EdgeKey, field uint32, record, below uint64, most int) ([]model.EdgeKey,
	error) {
	if s.Closed() {
		return dst, model.ErrClosed
	}
	if record > model.MaxEdgeID || s.St.Masks.IsDead(record) {
		return dst, nil
	}
	column := model.ValueField(field)
	edits := s.St.edgeEdits(column, record)
	refs := s.St.Version.Pages(column, record)
	var keys []model.EdgeKey
	from := uint64(0) // what comes before is left out
	for i := len(refs) - 1; i >= 0 && (len(keys)-len(edits) < most || s.St.Masks != nil); i-- {
		if refs[i].Piece > 0 && refs[i].PieceKey() > below>>edgePieceShift {
			continue
		}
		p, err := s.page(&refs[i])
		if err != nil {
			return dst, err
		}
		if keys, err = prependKeys(keys, &refs[i], p.EdgeKeyBody(record-refs[i].First), below); err != nil {
			return dst, err
		}
		if from = 0; i > 0 {
			from = refs[i].PieceKey() << edgePieceShift
		}
	}
	if len(edits) > 0 {
		edits = slices.DeleteFunc(edits, func(e model.Edit) bool { return e.Record < from || e.Record >= below })
		keys = model.EditEdgeKeys(keys, edits)
	}
	if m := s.St.Masks; m != nil {
		keys = slices.DeleteFunc(keys, func(k model.EdgeKey) bool { return m.IsDead(k.Target) })
	}
	if keys = keys[max(0, len(keys)-most):]; len(dst) == 0 {
		return keys, nil
	}
	return append(dst, keys...), nil
}

// edgePieceShift leaves of a key what a piece is named by.
const edgePieceShift = 15

// mostAhead is for how many keys there is room before they are read.
const mostAhead = 1 << 12

// prependKeys puts those keys of a body that are below one before others.
func prependKeys(keys []model.EdgeKey, r *format.Ref, body []byte, below uint64) ([]model.EdgeKey, error) {
	if len(body) == 0 {
		return keys, nil
	}
	before, ok := format.AppendEdgeKeys(make([]model.EdgeKey, 0, min(format.EdgeKeyCount(body), mostAhead)), body)
	if !ok {
		return nil, model.Corrupt(r.String(), "got keys that do not ascend or have no end")
	}
	if n := len(before); before[n-1].Key >= below {
		before = before[:sort.Search(n, func(i int) bool { return before[i].Key >= below })]
	}
	return append(before, keys...), nil
}

// edgeEdits returns what the deltas say of the keys of a record's edges, in the order of targets
// and keys: the active one's word counts.
func (st *State) edgeEdits(column uint32, record uint64) []model.Edit {
	walk := func(d *delta.Table) (edits []model.Edit) {
		if d == nil {
			return nil
		}
		w := d.Of(column).Walk(model.EdgeRow(record, 0))
		for entries := w.Next(); entries != nil; entries = w.Next() {
			n := len(entries)
			if row := entries[n-1].Row >> 1; row > model.EdgeRow(record, model.MaxEdgeID) {
				n = sort.Search(n, func(i int) bool { return entries[i].Row>>1 >= model.EdgeRow(record+1, 0) })
			}
			if edits = delta.AppendEntries(edits, column, entries[:n]); n < len(entries) {
				break
			}
		}
		return edits
	}
	older, newer := walk(st.Frozen), walk(st.Active)
	if len(older) == 0 {
		return newer
	}
	return model.NormalizeEdits(append(older, newer...))
}
