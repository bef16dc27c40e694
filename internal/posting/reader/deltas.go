// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
)

// overlay sets l to what the deltas say of a list, and reports whether the pages have a say as
// well. edited is false if no delta has an edit of it.
func (s Snapshot) overlay(field uint32, row uint64, l *overlay.List, edited bool) (pages bool) {
	m := s.St.Masks
	l.Reset(bitmap.View{}, l.Edits[:0])
	if row > model.MaxID {
		return false
	}
	switch {
	case !edited:
	case m == nil:
		s.addRuns(field, row, l)
	default:
		l.Edits = s.edits(l.Edits, field, row)
	}
	if m == nil {
		return true
	}
	if s.St.Source.FieldOf(field).Inverse != 0 && m.IsDead(row) {
		l.Clear()
		return false
	}
	l.Mask = m.Of(field)
	return !m.Active.IsEmptied(field, row) && !m.Frozen.IsEmptied(field, row)
}

// addRuns sets what the deltas say of a list, from which nothing was taken away as a whole: in
// layers if it is much, and merged if it is not.
func (s Snapshot) addRuns(field uint32, row uint64, l *overlay.List) {
	if s.St.Frozen != nil {
		l.Much = s.St.Frozen.Of(field).AppendRuns(l.Much, row)
	}
	l.Much = s.St.Active.Of(field).AppendRuns(l.Much, row)
	l.FoldRuns(field)
}

// edits returns what the deltas say of a list: the active one's word counts over the frozen one's,
// and what was deleted is left out.
func (s Snapshot) edits(dst []model.Edit, field uint32, row uint64) []model.Edit {
	start := len(dst)
	if older := s.olderEdits(field, row); len(older) == 0 {
		dst = s.St.Active.AppendEdits(dst, field, row)
	} else {
		dst = mergeEdits(dst, older, s.St.Active.AppendEdits(nil, field, row))
	}
	if m := s.St.Masks; m != nil && !m.Dead.IsEmpty() {
		kept := slices.DeleteFunc(dst[start:], func(e model.Edit) bool { return m.IsDead(e.Record) })
		dst = dst[:start+len(kept)]
	}
	return dst
}

// olderEdits returns what the frozen delta says of a list, as far as the active one has not emptied
// it.
func (s Snapshot) olderEdits(field uint32, row uint64) []model.Edit {
	newer := s.St.Active.Removals
	if s.St.Frozen == nil || newer.IsEmptied(field, row) {
		return nil
	}
	older := s.St.Frozen.AppendEdits(nil, field, row)
	inverse := s.St.Source.FieldOf(field).Inverse
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
func (s Snapshot) removes() bool {
	return s.St.Active.Removals != nil || s.St.Frozen != nil && s.St.Frozen.Removals != nil
}

// emptiedRow reports whether a delta has emptied a row.
func (s Snapshot) emptiedRow(field uint32, row uint64) bool {
	return s.St.Active.Removals.IsEmptied(field, row) || s.St.Frozen != nil &&
		s.St.Frozen.Removals.IsEmptied(field, row)
}
