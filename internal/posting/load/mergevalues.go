// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// mergeWords merges the assignments of the load that are no pairs into value columns, about chunk
// at a time. It adds the list edits that follow from them to the load's runs. An integer may be in
// 66 lists.
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
	var assigned []model.ValueEdit
	err := l.values.words.merge(last, chunk, func(words []model.Edit) error {
		assigned = assigned[:0]
		for _, e := range words {
			if !deleted.Contains(e.Row) {
				assigned = append(assigned, model.ValueEdit{Field: e.Field, Least: !e.Set, Record: e.Row,
					Word: e.Record})
			}
		}
		m := w.Merger(l.ctx, w.Base)
		m.Changed = changed
		err := w.Finish(m, m.MergeValues(assigned))
		w.Tell(len(words))
		return err
	})
	return errors.Join(err, spill())
}
