// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// apply applies a log entry to the active delta and counts it.
func (w *writer) apply(entry *wal.Entry) error {
	where := fmt.Sprintf("log entry %d", w.sequence+1)
	var of model.Field // the one that was looked at last
	for _, f := range entry.Values {
		if of.ID != f.Field {
			of = w.source.FieldOf(f.Field)
		}
		if of.ID == 0 || of.Derived || of.Kind == model.Lists {
			return model.Corrupt(where, "got an assignment to field %d, which is not declared or takes none", f.Field)
		}
		if f.Least && of.Kind != model.Integers {
			return model.Corrupt(where, "got an integer for field %d, which has none", f.Field)
		}
	}
	for _, e := range entry.Emptied {
		if f := w.source.FieldOf(e.Field); f.ID == 0 || f.Kind == model.Integers {
			return model.Corrupt(where, "got field %d to empty a row of, which is not declared or has integers",
				e.Field)
		}
	}
	for _, run := range entry.Keys {
		if !declared(w.source, run.Space) {
			return model.Corrupt(where, "got keys of space %d, which no field has", run.Space)
		}
		for i, key := range run.Keys {
			if id := w.active.AddKey(run.Space, key); id != run.First+uint64(i) {
				return model.Corrupt(where, "got ID %d for a key of space %d, want %d", run.First+uint64(i), run.Space,
					id)
			}
		}
	}
	for _, e := range entry.Edits {
		if !w.source.Declared(e.Field) || w.source.FieldOf(e.Field).Kind != model.Lists {
			return model.Corrupt(where, "got field %d in lists, which is not declared or is assigned", e.Field)
		}
	}
	for _, e := range entry.Lists {
		if e.Row > model.MaxID || e.Record > model.MaxID {
			return model.Corrupt(where, "got row %d and record %d of field %d, want at most %d", e.Row, e.Record,
				e.Field,
				uint64(model.MaxID))
		}
	}
	for _, e := range entry.Emptied {
		w.empty(e)
	}
	for _, d := range entry.Deleted {
		w.active.Bury(d.Record)
	}
	w.put(entry.Lists)
	for _, f := range entry.Values {
		w.active.Assign(f)
	}
	w.sequence++
	if len(entry.Deleted) > 0 {
		w.deletions++
	}
	return nil
}

// empty empties the list of a row in the active delta: of a single-valued field, its records have
// no value any more.
func (w *writer) empty(name model.RowName) {
	f := w.source.FieldOf(name.Field)
	if f.Kind == model.Rows {
		w.active.Arrange()
		for _, e := range w.active.AppendEdits(nil, name.Field, name.Row) {
			if e.Set {
				w.active.Assign(model.ValueEdit{Field: name.Field, Record: e.Record})
			}
		}
	}
	w.active.Empty(name.Field, name.Row, w.source.Opposite(name.Field))
}

// put records edits in the active delta, and those of inverse fields and columns that follow from
// them.
func (w *writer) put(edits []model.Edit) {
	inverse := uint32(0)
	for i, e := range edits {
		if i == 0 || e.Field != edits[i-1].Field {
			inverse = w.source.Opposite(e.Field)
		}
		if w.active.Put(e); inverse != 0 {
			w.active.Put(model.Edit{Field: inverse, Set: e.Set, Row: e.Record, Record: e.Row})
		}
	}
}

// rebaseLoad has the assignments of the active delta go over a load whose manifest is about to be
// installed: their lists were told apart from what was on the pages before. An edit more does no
// harm, should the manifest not be installed after all. The caller holds w.mu, for as long as
// it takes to read the pages of value columns that commits have assigned to meanwhile.
func (w *writer) rebaseLoad(m *format.Manifest) error {
	if !w.overload {
		return nil
	}
	var edits []model.Edit
	var err error
	w.active.Values.Scan(func(f model.ValueEdit) bool {
		var below uint64
		if below, err = w.source.WordOnPage(m, f.Field, f.Record); err == nil &&
			(below != f.Word || below == model.LeastWord) {
			edits = model.AppendChange(edits, w.source.FieldOf(f.Field).Kind, f, below)
		}
		return err == nil
	})
	if err == nil {
		w.put(edits)
	}
	return err
}
