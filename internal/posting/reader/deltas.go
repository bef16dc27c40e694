// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// overlay sets l to the deltas' edits of a list. It reports whether the pages count as well. edited
// is false if no delta has an edit of the list.
func (st *State) overlay(field uint32, row uint64, l *overlay.List, edited bool) (pages bool) {
	m := st.Masks
	l.Reset(view.View{}, l.Edits[:0])
	if row > model.MaxID {
		return false
	}
	switch {
	case !edited:
	case m == nil:
		st.addRuns(field, row, l)
	default:
		l.Edits = st.edits(l.Edits, field, row)
	}
	if m == nil {
		return true
	}
	if st.Source.FieldOf(field).Inverse != 0 && m.IsDead(row) {
		l.Clear()
		return false
	}
	l.Mask = m.Of(field)
	return !m.Active.IsEmptied(field, row) && !m.Frozen.IsEmptied(field, row)
}

// addRuns sets what the deltas say of a list, from which nothing was taken away as a whole: in
// runs if it is much, and merged if it is not.
func (st *State) addRuns(field uint32, row uint64, l *overlay.List) {
	if st.Frozen != nil {
		l.Much = st.Frozen.Of(field).AppendRuns(l.Much, row)
	}
	l.Much = st.Active.Of(field).AppendRuns(l.Much, row)
	l.FoldRuns(field)
}

// edits returns what the deltas say of a list: the active one's word counts over the frozen one's,
// and what was deleted is left out.
func (st *State) edits(dst []model.Edit, field uint32, row uint64) []model.Edit {
	start := len(dst)
	if older := st.olderEdits(field, row); len(older) == 0 {
		dst = st.Active.AppendEdits(dst, field, row)
	} else {
		dst = mergeEdits(dst, older, st.Active.AppendEdits(nil, field, row))
	}
	if m := st.Masks; m != nil && !m.Dead.IsEmpty() {
		kept := slices.DeleteFunc(dst[start:], func(e model.Edit) bool { return m.IsDead(e.Record) })
		dst = dst[:start+len(kept)]
	}
	return dst
}

// olderEdits returns the frozen delta's edits of a list. It leaves out edits that the active delta
// has emptied.
func (st *State) olderEdits(field uint32, row uint64) []model.Edit {
	newer := st.Active.Tombstones
	if st.Frozen == nil || newer.IsEmptied(field, row) {
		return nil
	}
	older := st.Frozen.AppendEdits(nil, field, row)
	inverse := st.Source.FieldOf(field).Inverse
	if newer == nil || inverse == 0 || newer.Emptied[inverse] == nil {
		return older
	}
	return slices.DeleteFunc(older, func(e model.Edit) bool { return newer.IsEmptied(inverse, e.Record) })
}

// mergeEdits appends two ascending sequences of edits of one list; where both name a record, newer
// counts.
func mergeEdits(dst, older, newer []model.Edit) []model.Edit {
	for len(older) > 0 && len(newer) > 0 {
		switch o, n := older[0], newer[0]; {
		case o.Record < n.Record:
			dst, older = append(dst, o), older[1:]
		case o.Record == n.Record:
			older = older[1:]
		default:
			dst, newer = append(dst, n), newer[1:]
		}
	}
	return append(append(dst, older...), newer...)
}

// removes reports whether deltas have taken away records or rows as a whole: then every list may
// have changed.
func (st *State) removes() bool {
	return st.Active.Tombstones != nil || st.Frozen != nil && st.Frozen.Tombstones != nil
}

// emptiedRow reports whether a delta has emptied a row.
func (st *State) emptiedRow(field uint32, row uint64) bool {
	return st.Active.Tombstones.IsEmptied(field, row) || st.Frozen != nil &&
		st.Frozen.Tombstones.IsEmptied(field, row)
}

// merged puts a merged list in the place of l, if there is one.
func (st *State) merged(field uint32, row uint64, l *overlay.List) bool {
	m := st.Merged.get(field, row)
	if m == nil {
		return false
	}
	l.Reset(m.view, l.Edits[:0])
	l.Held = m.Bytes
	return true
}

// lookupDelta returns the ID that a delta gave to a key.
func (st *State) lookupDelta(space uint32, key string) (id uint64, ok bool) {
	if id, ok = st.Active.Lookup(space, key); !ok && st.Frozen != nil {
		id, ok = st.Frozen.Lookup(space, key)
	}
	return id, ok
}
