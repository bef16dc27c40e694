// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// word returns the word of a record in a forward column as deltas and a manifest say it; 0: none.
func (ix *Index) word(active, frozen *delta.Table, m *format.Manifest, field uint32, record uint64) (uint64, error) {
	if active.Removals.IsDead(record) || frozen != nil && frozen.Removals.IsDead(record) {
		return 0, nil
	}
	if f, ok := active.Forward.Get(model.ValueEdit{Field: field, Record: record}); ok {
		return f.Word, nil
	}
	w, found := uint64(0), false
	if frozen != nil {
		var f model.ValueEdit
		if f, found = frozen.Forward.Get(model.ValueEdit{Field: field, Record: record}); found {
			w = f.Word
		}
	}
	if !found {
		var err error
		if w, err = ix.wordOnPage(m, field, record); err != nil {
			return 0, err
		}
		if w != 0 && frozen != nil && frozen.Removals.IsEmptied(field, w-1) {
			return 0, nil
		}
	}
	if w != 0 && active.Removals.IsEmptied(field, w-1) {
		return 0, nil
	}
	return w, nil
}

// wordOnPage returns the word of a record that a manifest's pages have; 0: none, or the field,
// which a log entry may have made up, has no words.
func (ix *Index) wordOnPage(m *format.Manifest, field uint32, record uint64) (uint64, error) {
	if ix.fieldOf(field).Kind == model.Lists {
		return 0, nil
	}
	refs := m.Pages(model.ValueField(field), record)
	if len(refs) == 0 {
		return 0, nil
	}
	p, err := ix.page(&refs[0])
	if err != nil {
		return 0, err
	}
	return p.Word(record - refs[0].First), nil
}

// resolveWords turns the assignments of an entry into words: the last one of a record counts, and
// Drops are answered.
func (ix *Index) resolveWords(entry *wal.Entry) error {
	if len(entry.Assigned) == 0 {
		return nil
	}
	st := ix.state.Load()
	words := make(map[model.RowName]model.ValueEdit, len(entry.Assigned))
	for _, a := range entry.Assigned {
		name := model.RowName{Field: a.Field, Row: a.Record}
		if a.Kind == model.WordDrop || a.Kind == model.WordDropInt {
			f, ok := words[name]
			if !ok {
				var err error
				if f, err = ix.assigned(st, a.Field, a.Record); err != nil {
					return err
				}
			}
			if a.Kind == model.WordDrop && f.Word != uint64(a.Only)+1 || a.Kind == model.WordDropInt &&
				(f.Word != a.Word || f.Least != a.Least) {
				continue
			}
		}
		f := model.ValueEdit{Field: a.Field, Record: a.Record}
		if a.Kind == model.WordRow || a.Kind == model.WordInt {
			f.Word, f.Least = a.Word, a.Least
		}
		words[name] = f
	}
	for _, f := range words {
		entry.Forward = append(entry.Forward, f)
	}
	slices.SortFunc(entry.Forward, func(a, b model.ValueEdit) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Record, b.Record))
	})
	return nil
}

// assigned returns what a record has in a single-valued or integer field, with the writes of the
// active delta.
func (ix *Index) assigned(st *state, field uint32, record uint64) (f model.ValueEdit, err error) {
	f = model.ValueEdit{Field: field, Record: record}
	if f.Word, err = ix.word(ix.active, st.frozen, st.version.Manifest, field, record); err != nil ||
		f.Word != model.LeastWord {
		return f, err
	}
	now := Snapshot{st: &state{ix: ix, version: st.version, frozen: st.frozen, active: ix.active}}
	f.Least, err = now.Contains(field, model.IntegerRow(63), record)
	return f, err
}

// follow makes an entry's lists: its edits, and those that follow from its assignments, out of the
// old row and into the new one. An assignment that changes nothing is dropped from the entry,
// unless a load is about to go below it: in a delta, a word goes with an edit that says the same.
func (ix *Index) follow(entry *wal.Entry) error {
	entry.Lists = slices.Clip(entry.Edits)
	if len(entry.Forward) == 0 {
		return nil
	}
	emptied := make(map[model.RowName]bool, len(entry.Emptied))
	for _, e := range entry.Emptied {
		emptied[e] = true
	}
	st := ix.state.Load()
	kept := entry.Forward[:0]
	for _, f := range entry.Forward {
		old, err := ix.word(ix.active, st.frozen, st.version.Manifest, f.Field, f.Record)
		if err != nil {
			return err
		}
		if old != 0 && emptied[model.RowName{Field: f.Field, Row: old - 1}] {
			old = 0
		}
		switch kind := ix.fieldOf(f.Field).Kind; {
		case f.Word != old || f.Word == model.LeastWord:
			kept = append(kept, f)
			entry.Lists = model.AppendChange(entry.Lists, kind, f, old)
		case ix.overload:
			kept = append(kept, f)
			entry.Lists = model.AppendChange(entry.Lists, kind, f, 0)
		}
	}
	entry.Forward = kept
	return nil
}

// Value returns the row of a record in a single-valued field. ok is false when it has none. Errors
// as of List.
func (s Snapshot) Value(field uint32, record uint64) (row uint64, ok bool, err error) {
	w, err := s.word(field, record)
	return w - 1, w != 0, err
}

// Int returns the integer of a record in an integer field. ok is false when it has none. Errors as
// of List.
func (s Snapshot) Int(field uint32, record uint64) (x int64, ok bool, err error) {
	w, err := s.word(field, record)
	if err != nil || w == 0 {
		return 0, false, err
	}
	f := model.ValueEdit{Word: w}
	if w == model.LeastWord {
		f.Least, err = s.Contains(field, model.IntegerRow(63), record)
	}
	return f.Integer(), err == nil, err
}

func (s Snapshot) word(field uint32, record uint64) (uint64, error) {
	if s.Closed() {
		return 0, model.ErrClosed
	}
	if record > model.MaxID {
		return 0, nil
	}
	misses := s.st.ix.misses.Load()
	w, err := s.st.ix.word(s.st.active, s.st.frozen, s.st.version.Manifest, field, record)
	if err == nil {
		err = s.patient(misses)
	}
	return w, err
}
