// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// mergeWords merges the assignments of the load into value columns, about chunk at a time. It adds
// the list edits that follow from them to the load's runs. An integer may be in 66 lists.
func (l *Loader) mergeWords(w *merge.Driver, last []model.Edit, chunk int, deleted *mutable.Bitmap) error {
	var follow []model.Edit
	spill := func() error {
		slices.SortFunc(follow, model.CompareEdits)
		err := l.Edits.Runs.Add(follow)
		follow = follow[:0]
		return err
	}
	changed := func(f model.ValueEdit, old uint64) error {
		if old == 0 && f.Word <= numberBit && f.Record < numberBit && l.src.FieldOf(f.Field).Kind == model.Rows &&
			(l.Pairs.Fields[f.Field] != nil || len(l.Pairs.Fields) < PairFields) {
			p := l.Pairs.of(f.Field, 0)
			if l.Pairs.put(p, (f.Word-1)<<32|f.Record); int64(l.Pairs.gathered)*loadPair > l.memory/4 {
				return l.Pairs.handLargest()
			}
			return nil
		}
		follow = model.AppendChange(follow, l.src.FieldOf(f.Field).Kind, f, old)
		if int64(len(follow))*loadEdit < l.memory/2 {
			return nil
		}
		return spill()
	}
	for _, field := range slices.Sorted(maps.Keys(l.Pairs.assigned)) {
		if err := l.mergeAssigned(w, l.Pairs.assigned[field], chunk, deleted, changed); err != nil {
			return err
		}
	}
	var assigned []model.ValueEdit
	err := l.values.words.merge(last, chunk, func(words []model.Edit) error {
		assigned = assigned[:0]
		for _, e := range words {
			if !deleted.Contains(e.Row) {
				assigned = append(assigned, model.ValueEdit{Field: e.Field, Least: !e.Set, Record: e.Row,
					Word: e.Record})
			}
		}
		return l.mergeValues(w, assigned, changed)
	})
	return errors.Join(err, spill())
}

// mergeAssigned is mergeWords for the assignments of a field that are pairs.
func (l *Loader) mergeAssigned(w *merge.Driver, p *pairBuffer, chunk int, deleted *mutable.Bitmap,
	changed func(f model.ValueEdit, old uint64) error) error {
	assigned := make([]model.ValueEdit, 0, min(chunk, p.Runs.pairs))
	flush := func() error {
		err := l.mergeValues(w, assigned, changed)
		assigned = assigned[:0]
		return err
	}
	err := p.Runs.merge(func(record uint32, rows []uint32) error {
		if deleted.Contains(uint64(record)) {
			return nil
		}
		assigned = append(assigned, model.ValueEdit{Field: p.field, Record: uint64(record), Word: uint64(rows[0]) + 1})
		if len(assigned) < chunk {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return errors.Join(err, p.Runs.Close())
}

// mergeValues merges assignments into value columns.
func (l *Loader) mergeValues(w *merge.Driver, assigned []model.ValueEdit,
	changed func(f model.ValueEdit, old uint64) error) error {
	m := w.Merger(l.ctx, w.Base)
	m.Changed = changed
	return w.Finish(m, m.MergeValues(assigned))
}
