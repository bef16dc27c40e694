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

// AppendEdgeKeys appends the keys of a record's edges in a relation with a KeyColumn, ascending: of
// those below one the last, up to a number. Cost: the pages that have these, of 1 024 keys each,
// and what deltas say of the record. Errors: as of List.
func AppendEdgeKeys(s Snapshot, dst []model.EdgeKey, field uint32, record, below uint64, most int) ([]model.EdgeKey,
	error) {
	k, err := edgeKeysOf(s, field, record)
	if err != nil {
		return dst, err
	}
	keys, start := []model.EdgeKey(nil), uint64(0) // what comes before is left out
	for i := len(k.refs) - 1; i >= 0 && len(keys)-len(k.edits) < most; i-- {
		if k.refs[i].Piece > 0 && k.refs[i].PieceKey() > below>>edgePieceShift {
			continue
		}
		before, err := k.piece(i)
		if err != nil {
			return dst, err
		}
		before = before[:firstFrom(before, below)]
		if keys = append(before, keys...); i > 0 {
			start = k.refs[i].PieceKey() << edgePieceShift
		} else {
			start = 0
		}
	}
	keys = k.edited(keys, start, below)
	return appendedTo(dst, keys[max(0, len(keys)-most):]), nil
}

// AppendEdgeKeysFrom is AppendEdgeKeys for the first keys from one on.
func AppendEdgeKeysFrom(s Snapshot, dst []model.EdgeKey, field uint32, record, from uint64, most int) ([]model.EdgeKey,
	error) {
	k, err := edgeKeysOf(s, field, record)
	if err != nil {
		return dst, err
	}
	keys, end := []model.EdgeKey(nil), uint64(model.EdgeGone) // what comes from there on is left out
	for i := range k.refs {
		if i+1 < len(k.refs) && k.refs[i+1].PieceKey() <= from>>edgePieceShift {
			continue
		}
		if len(keys)-len(k.edits) >= most {
			end = k.refs[i].PieceKey() << edgePieceShift
			break
		}
		after, err := k.piece(i)
		if err != nil {
			return dst, err
		}
		keys = append(keys, after[firstFrom(after, from):]...)
	}
	keys = k.edited(keys, from, end)
	return appendedTo(dst, keys[:min(most, len(keys))]), nil
}

// FindEdgeKey returns the target of the record that has a key; ok is false if none has it. Cost: a
// page, read up to the key, and what deltas say of the record. Errors: as of List.
func FindEdgeKey(s Snapshot, field uint32, record, key uint64) (target uint64, ok bool, err error) {
	k, err := edgeKeysOf(s, field, record)
	if err != nil {
		return 0, false, err
	}
	var room [2]model.EdgeKey
	keys := room[:0]
	for i := len(k.refs) - 1; i >= 0; i-- {
		if k.refs[i].Piece > 0 && k.refs[i].PieceKey() > key>>edgePieceShift {
			continue
		}
		p, err := s.page(&k.refs[i])
		if err != nil {
			return 0, false, err
		}
		if body := p.EdgeKeyBody(record - k.refs[i].First); len(body) > 0 {
			if keys, ok = format.FindEdgeKey(keys, body, key); !ok {
				return 0, false, k.damaged(i)
			}
		}
		break
	}
	if keys = k.edited(k.living(keys), key, key+1); len(keys) == 0 {
		return 0, false, nil
	}
	return keys[0].Target, true, nil
}

// appendedTo appends keys, which are given away.
func appendedTo(dst, keys []model.EdgeKey) []model.EdgeKey {
	if len(dst) == 0 {
		return keys
	}
	return append(dst, keys...)
}

// edgePieceShift leaves of a key what a piece is named by.
const edgePieceShift = 15

// mostAhead is for how many keys there is room before they are read.
const mostAhead = 1 << 12

// storedEdgeKeys is what pages and deltas say of the keys of a record's edges.
type storedEdgeKeys struct {
	s      Snapshot
	record uint64
	refs   []format.Ref
	edits  []model.Edit
}

// edgeKeysOf finds out where the keys of a record's edges are.
func edgeKeysOf(s Snapshot, field uint32, record uint64) (storedEdgeKeys, error) {
	if s.Closed() {
		return storedEdgeKeys{}, model.ErrClosed
	}
	if record > model.MaxEdgeID || s.St.Masks.IsDead(record) {
		return storedEdgeKeys{}, nil
	}
	column := model.ValueField(field)
	return storedEdgeKeys{s, record, s.St.Version.Pages(column, record), s.St.edgeEdits(column, record)}, nil
}

// piece returns the keys that a page has, ascending, without those of dead targets.
func (k *storedEdgeKeys) piece(i int) ([]model.EdgeKey, error) {
	p, err := k.s.page(&k.refs[i])
	if err != nil {
		return nil, err
	}
	body := p.EdgeKeyBody(k.record - k.refs[i].First)
	if len(body) == 0 {
		return nil, nil
	}
	keys, ok := format.AppendEdgeKeys(make([]model.EdgeKey, 0, min(format.EdgeKeyCount(body), mostAhead)), body)
	if !ok {
		return nil, k.damaged(i)
	}
	return k.living(keys), nil
}

// damaged is the error of a page whose keys cannot be read.
func (k *storedEdgeKeys) damaged(i int) error {
	return model.Corrupt(k.refs[i].String(), "got keys that do not ascend or have no end")
}

// living takes away the keys of dead targets.
func (k *storedEdgeKeys) living(keys []model.EdgeKey) []model.EdgeKey {
	if m := k.s.St.Masks; m != nil {
		keys = slices.DeleteFunc(keys, func(k model.EdgeKey) bool { return m.IsDead(k.Target) })
	}
	return keys
}

// edited returns keys as the deltas change them, which are all from one below another.
func (k *storedEdgeKeys) edited(keys []model.EdgeKey, from, below uint64) []model.EdgeKey {
	if len(k.edits) == 0 {
		return keys
	}
	edits := slices.DeleteFunc(k.edits, func(e model.Edit) bool { return e.Record < from || e.Record >= below })
	return k.living(model.EditEdgeKeys(keys, edits))
}

// firstFrom returns the place of the first key that is not below one.
func firstFrom(keys []model.EdgeKey, key uint64) int {
	if n := len(keys); n == 0 || keys[n-1].Key < key {
		return n
	}
	return sort.Search(len(keys), func(i int) bool { return keys[i].Key >= key })
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
