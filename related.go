// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// relatedMost is how many relations are a few.
const relatedMost = 4

// relatedRoom is the memory in which a few relations are bound.
type relatedRoom struct {
	keys [relatedMost]reader.Lookup
	rows [relatedMost]eval.Row
}

// allRelated returns the operands of a conjunction of two relations or a few more, and none of
// another query.
func allRelated(room *[relatedMost]query.Related, q query.Expr) []query.Related {
	and, ok := q.(query.And)
	if !ok || len(and.Of) < 2 || len(and.Of) > len(room) {
		return nil
	}
	for i, e := range and.Of {
		if room[i], ok = e.(query.Related); !ok {
			return nil
		}
	}
	return room[:len(and.Of)]
}

// bindRelated says which posting lists some relations are. Their keys are looked up together.
func (s Snapshot) bindRelated(room *relatedRoom, of []query.Related) ([]eval.Row, error) {
	keys, rows := room.keys[:0], room.rows[:0]
	for i := range of {
		f, err := s.field(of[i].Field)
		if err != nil {
			return nil, err
		}
		if err := binding.CheckRelated(f, of[i]); err != nil {
			return nil, err
		}
		keys, rows = append(keys, reader.Lookup{Key: of[i].Key, Near: f.ID}), append(rows, eval.Row{Field: f.ID})
	}
	if err := s.lookUp(keys); err != nil {
		return nil, err
	}
	for i := range keys {
		rows[i].Row = keys[i].ID
	}
	return rows, nil
}

// lookUp finds the IDs of records by their keys, which are looked up together. Errors: ErrCorrupt
// or the store's of any, and otherwise ErrUnknownRecord of the first that there is not.
func (s Snapshot) lookUp(keys []reader.Lookup) error {
	for i := range keys {
		keys[i].Space, keys[i].Exists = model.RecordSpace, true
	}
	if err := s.lists.MultiGet(keys); err != nil {
		return err
	}
	for i := range keys {
		if !keys[i].OK {
			return &UnknownError{What: "record", Name: keys[i].Key}
		}
	}
	return nil
}
