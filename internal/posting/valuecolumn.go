// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// resolveWords turns the assignments of an entry into words: the last one of a record counts, and
// Drops are answered.
func (w *writer) resolveWords(entry *wal.Entry) error {
	if len(entry.Assigned) == 0 {
		return nil
	}
	st := w.source.State.Load()
	words := make(map[model.RowName]model.ValueEdit, len(entry.Assigned))
	for _, a := range entry.Assigned {
		name := model.RowName{Field: a.Field, Row: a.Record}
		if a.Kind == model.WordDrop || a.Kind == model.WordDropInt {
			f, ok := words[name]
			if !ok {
				var err error
				if f, err = w.assigned(st, a.Field, a.Record); err != nil {
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
		entry.Values = append(entry.Values, f)
	}
	slices.SortFunc(entry.Values, func(a, b model.ValueEdit) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Record, b.Record))
	})
	return nil
}

// assigned returns what a record has in a single-valued or integer field, with the writes of the
// active delta.
func (w *writer) assigned(st *reader.State, field uint32, record uint64) (f model.ValueEdit, err error) {
	f = model.ValueEdit{Field: field, Record: record}
	if f.Word, err = w.source.Word(w.active, st.Frozen, st.Version.Manifest, field, record); err != nil ||
		f.Word != model.LeastWord {
		return f, err
	}
	now := reader.Snapshot{St: &reader.State{Source: w.source, Version: st.Version, Frozen: st.Frozen,
		Active: w.active}}
	f.Least, err = now.Contains(field, model.IntegerRow(63), record)
	return f, err
}

// listsOfValue is in how many lists an integer is, about.
const listsOfValue = 8

// follow makes an entry's lists from its edits and assignments. An assignment takes the record out
// of the old row and puts it into the new one. follow drops an assignment that changes nothing,
// unless a load is about to go below it: in a delta, a word goes with an edit that says the same.
func (w *writer) follow(entry *wal.Entry) error {
	entry.Lists = slices.Clip(entry.Edits)
	if len(entry.Values) == 0 {
		return nil
	}
	emptied := make(map[model.RowName]bool, len(entry.Emptied))
	for _, e := range entry.Emptied {
		emptied[e] = true
	}
	made := entry.Made() // records from here on have nothing yet
	entry.Lists = slices.Grow(entry.Lists, listsOfValue*len(entry.Values))
	st := w.source.State.Load()
	kept := entry.Values[:0]
	for _, f := range entry.Values {
		old, err := uint64(0), error(nil)
		if f.Record < made {
			old, err = w.source.Word(w.active, st.Frozen, st.Version.Manifest, f.Field, f.Record)
		}
		if err != nil {
			return err
		}
		if old != 0 && emptied[model.RowName{Field: f.Field, Row: old - 1}] {
			old = 0
		}
		switch kind := w.source.FieldOf(f.Field).Kind; {
		case f.Word != old || f.Word == model.LeastWord:
			kept = append(kept, f)
			entry.Lists = model.AppendChange(entry.Lists, kind, f, old)
		case w.overload:
			kept = append(kept, f)
			entry.Lists = model.AppendChange(entry.Lists, kind, f, 0)
		}
	}
	entry.Values = kept
	return nil
}
