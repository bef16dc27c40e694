// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Assign gives a record a row in a single-valued field, in the place of the one it has. Errors as
// of Set.
func (l *Loader) Assign(field uint32, record, row model.Ref) error {
	if err := l.check(field, model.Rows, record, row); err != nil {
		return err
	}
	l.assigned = append(l.assigned, model.Edit{Field: field, Set: true, Row: uint64(record), Record: uint64(row)})
	return l.makeRoom()
}

// AssignInt gives a record an integer in an integer field, in the place of the one it has. Errors
// as of Set.
func (l *Loader) AssignInt(field uint32, record model.Ref, x int64) error {
	if err := l.check(field, model.Integers, record); err != nil {
		return err
	}
	// An assignment that is not set is of the least int64.
	l.assigned = append(l.assigned, model.Edit{Field: field, Set: x != math.MinInt64, Row: uint64(record),
		Record: model.IntegerWord(x)})
	return l.makeRoom()
}

// sortedWords returns the assignments gathered, with IDs, ascending, the last one of each record,
// and begins anew. The keys have IDs.
func (l *Loader) sortedWords() []model.Edit {
	words := slices.Clone(l.assigned)
	l.assigned = l.assigned[:0]
	for i := range words {
		w := &words[i]
		w.Row = model.Resolve(w.Row, l.ids)
		if l.src.FieldOf(w.Field).Kind == model.Rows {
			w.Record = model.Resolve(w.Record, l.ids) + 1
		}
	}
	if !slices.IsSortedFunc(words, l.words.compare) {
		words = byField(words) // and most loads name records in the order of their IDs
		if !slices.IsSortedFunc(words, l.words.compare) {
			slices.SortStableFunc(words, l.words.compare)
		}
	}
	n := 0
	for i, w := range words {
		if i+1 < len(words) && l.words.compare(w, words[i+1]) == 0 {
			continue
		}
		words[n] = w
		n++
	}
	return words[:n]
}

// byField returns edits in the order of their fields, those of a field as they were.
func byField(edits []model.Edit) []model.Edit {
	counts := make(map[uint32]int)
	for i := range edits {
		counts[edits[i].Field]++
	}
	at, sum := make(map[uint32]*int, len(counts)), 0
	for _, field := range slices.Sorted(maps.Keys(counts)) {
		begin := sum
		at[field], sum = &begin, sum+counts[field]
	}
	sorted := make([]model.Edit, len(edits))
	for i := range edits {
		to := at[edits[i].Field]
		sorted[*to] = edits[i]
		*to++
	}
	return sorted
}

// mergeWords merges the assignments of the load into forward columns, so many at a time, and adds
// the edits of lists that follow to its runs: an integer may be in 66 lists.
func (l *Loader) mergeWords(w *merge.Driver, last []model.Edit, chunk int, deleted *bitmap.Bitmap) error {
	var follow []model.Edit
	spill := func() error {
		slices.SortFunc(follow, model.CompareEdits)
		err := l.Runs.Add(follow)
		follow = follow[:0]
		return err
	}
	changed := func(f model.ValueEdit, old uint64) error {
		if old == 0 && f.Word <= NumberBit && f.Record < NumberBit && l.src.FieldOf(f.Field).Kind == model.Rows &&
			(l.Pairs[f.Field] != nil || len(l.Pairs) < PairFields) {
			p := l.pairsOf(f.Field, 0)
			if l.put(p, (f.Word-1)<<32|f.Record); int64(l.gathered)*loadPair > l.memory/4 {
				return l.handLargest()
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
	err := l.words.merge(last, chunk, func(words []model.Edit) error {
		assigned = assigned[:0]
		for _, e := range words {
			if !deleted.Contains(e.Row) {
				assigned = append(assigned, model.ValueEdit{Field: e.Field, Least: !e.Set, Record: e.Row,
					Word: e.Record})
			}
		}
		m := w.Merger(l.ctx, w.Base)
		m.Changed = changed
		return w.Finish(m, m.MergeValues(assigned))
	})
	return errors.Join(err, spill())
}
