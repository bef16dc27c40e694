// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"math"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
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

// Nearness asks for the records in the most rows of a relation. Only the rows of the records of a
// query count. With Field "follows" and Of follows(alice) the answer is the accounts that are
// followed most by the accounts alice follows. With Field "followers" it is the accounts that
// follow the most of them; a record's own values are then the accounts it follows.
type Nearness struct {
	Field  string     // a relation
	Of     query.Expr // whose rows in it are counted
	Except query.Expr // records that are left out; nil: none
	By     Measure    // neither ByLift nor ByRatio; "" means ByCount
	Limit  int        // records at most
}

// Neighbour is a record of an answer to Nearness, with how many of the rows it is in.
type Neighbour struct {
	Key   string
	Count uint64
	Score float64 // by the measure
}

// Nearest returns the first records, exactly, equal ones in the order of their IDs; and how many
// there are. Cost: a walk over all of the rows, and 4 bytes of memory for each record of the index,
// or some 32 for each value of the rows if those are few. Errors as of Count.
func (s Snapshot) Nearest(ctx context.Context, r Nearness) (top []Neighbour, records uint64, err error) {
	s = s.Under(ctx)
	f, err := s.field(r.Field)
	if err != nil {
		return nil, 0, err
	}
	if f.Type != schema.Relation {
		return nil, 0, invalid("nearness: got field %s of type %q, want a relation", r.Field, f.Type)
	}
	by, ok := measures[r.By]
	if r.Limit < 0 || !ok || by == ranking.ByLift || by == ranking.ByRatio || r.Of == nil {
		return nil, 0, invalid("nearness: got limit %d, measure %q and query %v, want 0 or more, %q, %q or %q, and "+
			"a query", r.Limit, r.By, r.Of, ByCount, ByJaccard, ByCosine)
	}
	rows, _, err := eval.AppendIDs(ctx, nil, s.lists, r.Of, s.bindQuery, 0, 0)
	if err != nil {
		return nil, 0, err
	}
	var except []uint64
	if r.Except != nil {
		if except, _, err = eval.AppendIDs(ctx, nil, s.lists, r.Except, s.bindQuery, 0, 0); err != nil {
			return nil, 0, err
		}
	}
	list, records, err := ranking.Nearest(ctx, s.lists, ranking.Nearness{Field: f.ID, Rows: rows, Except: except,
		Measure: by, Own: f.InverseID, Limit: r.Limit})
	if err != nil {
		return nil, 0, err
	}
	ids := make([]uint64, len(list))
	for i, x := range list {
		ids[i] = x.ID
	}
	keys, err := s.KeysOf(ids)
	if err != nil {
		return nil, 0, err
	}
	for i, x := range list {
		score, c := float64(x.Count), float64(x.Count)
		switch r.By {
		case ByJaccard:
			score = c / (float64(uint64(len(rows))+x.Own) - c)
		case ByCosine:
			score = c / math.Sqrt(float64(len(rows))*float64(x.Own))
		}
		top = append(top, Neighbour{Key: keys[i], Count: x.Count, Score: score})
	}
	return top, records, nil
}
