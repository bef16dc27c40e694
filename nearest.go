// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"math"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/query"
)

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
