// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
)

// EdgeKeys returns the keys of a record's edges in a relation with a KeyColumn. Errors: as of List,
// also of what is asked of them.
func EdgeKeys(s Snapshot, field uint32, record uint64) (k overlay.EdgeKeys, err error) {
	return edgeKeys(s, field, record, nil)
}

// FindEdgeKey returns the target of one of these keys; ok is false if there is no such key.
func FindEdgeKey(s Snapshot, field uint32, record, key uint64) (target uint64, ok bool, err error) {
	k, err := edgeKeys(s, field, record, &key)
	if err != nil {
		return 0, false, err
	}
	return k.Find(key)
}

// edgeKeys is EdgeKeys for questions about one key; nil: about any.
func edgeKeys(s Snapshot, field uint32, record uint64, key *uint64) (k overlay.EdgeKeys, err error) {
	if s.Closed() {
		return k, model.ErrClosed
	}
	if record > model.MaxEdgeID || s.St.Masks.IsDead(record) {
		return k, nil
	}
	column := model.ValueField(field)
	refs := s.St.Version.Pages(column, record)
	body := func(i int) ([]byte, error) {
		p, err := s.page(&refs[i])
		if err != nil {
			return nil, err
		}
		return p.EdgeKeyBody(record - refs[i].First), nil
	}
	return overlay.EdgeKeys{Refs: refs, Body: body, Edits: s.St.edgeEdits(column, record, key), Masks: s.St.Masks}, nil
}

// edgeEdits returns what the deltas say of the keys of a record's edges, in the order of targets
// and keys: the active one's word counts. key leaves out others, nil: none.
func (st *State) edgeEdits(column uint32, record uint64, key *uint64) []model.Edit {
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
			if key == nil {
				edits = delta.AppendEntries(edits, column, entries[:n])
			} else {
				for i := range entries[:n] {
					if entries[i].Record>>1 == *key {
						edits = delta.AppendEntries(edits, column, entries[i:i+1])
					}
				}
			}
			if n < len(entries) {
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
