// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// values are the assignments of a load.
type values struct {
	src    *reader.Source
	naming *naming
	// row is the Ref of a record, record what it is assigned: the Ref of a row, or the word of an
	// integer
	assigned []model.Edit
	words    runs // sorted ones that did not fit into memory
}

// sorted returns the assignments gathered, with IDs, ascending, the last one of each record,
// and begins anew. The keys have IDs.
func (v *values) sorted() []model.Edit {
	words := slices.Clone(v.assigned)
	v.assigned = v.assigned[:0]
	for i := range words {
		w := &words[i]
		w.Row = model.Resolve(w.Row, v.naming.ids)
		if v.src.FieldOf(w.Field).Kind == model.Rows {
			w.Record = model.Resolve(w.Record, v.naming.ids) + 1
		}
	}
	if !slices.IsSortedFunc(words, v.words.compare) {
		words = byField(words) // and most loads name records in the order of their IDs
		if !slices.IsSortedFunc(words, v.words.compare) {
			slices.SortStableFunc(words, v.words.compare)
		}
	}
	n := 0
	for i, w := range words {
		if i+1 < len(words) && v.words.compare(w, words[i+1]) == 0 {
			continue
		}
		words[n] = w
		n++
	}
	return words[:n]
}

// take takes over runs of the assignments of a field, which has no others yet.
func (v *values) take(field uint32, runs *pairRuns) error {
	w, err := v.words.Begin()
	if err != nil {
		return err
	}
	err = runs.merge(func(record uint32, rows []uint32) error {
		return w.Put(&model.Edit{Field: field, Set: true, Row: uint64(record), Record: uint64(rows[0]) + 1})
	})
	return errors.Join(err, w.End())
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
