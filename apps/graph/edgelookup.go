// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
)

// EdgeQuestion asks for the record of an edge.
type EdgeQuestion struct {
	Relation        Relation
	Account, Target string
}

// RecordKeys returns the key of the first record of each edge that is asked for, in their order, of
// one state; "" where there is no such edge, or none with a record. Questions about one
// account that follow each other share a pass over its records. Errors: *RelationError,
// *UnkeyedError, *InvalidAccountError, ctx's, or the database's.
func (g *Graph) RecordKeys(ctx context.Context, of ...EdgeQuestion) (keys []string, err error) {
	for _, q := range of {
		if err := g.checkEdges(q.Relation, q.Account); err != nil {
			return nil, err
		}
		if err := CheckAccount(q.Target); err != nil {
			return nil, err
		}
	}
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	return g.keysOf(ctx, s, of)
}

// keysOf is RecordKeys of a state, for questions that were checked.
func (g *Graph) keysOf(ctx context.Context, s uproar.Snapshot, of []EdgeQuestion) (keys []string, err error) {
	keys = make([]string, len(of))
	for from := 0; from < len(of); {
		to := from + 1
		for to < len(of) && of[to].Account == of[from].Account && of[to].Relation == of[from].Relation {
			to++
		}
		if err := g.recordKeys(ctx, s, of[from:to], keys[from:to]); err != nil {
			return nil, err
		}
		from = to
	}
	return keys, nil
}

// recordKeys is RecordKeys for questions about one account and relation.
func (g *Graph) recordKeys(ctx context.Context, s uproar.Snapshot, of []EdgeQuestion, keys []string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, records, err := recordsOf(s, of[0].Relation, of[0].Account)
	if err != nil {
		return knownOnly(err)
	}
	places := make(map[uint64][]int, len(of)) // of questions about a target
	for i, q := range of {
		id, err := s.ID(q.Target)
		if errors.Is(err, uproar.ErrUnknownRecord) {
			continue
		}
		if err != nil {
			return err
		}
		places[id] = append(places[id], i)
	}
	for _, k := range records {
		at, ok := places[k.Target]
		if !ok {
			continue
		}
		key, err := text.AppendText(nil, k.Key)
		if err != nil {
			return err
		}
		for _, i := range at {
			keys[i] = string(key)
		}
		if delete(places, k.Target); len(places) == 0 {
			return nil
		}
	}
	return nil
}

// recordsOf returns the records of an account, ascending by key, and what has their texts. Errors:
// uproar.ErrUnknownRecord, or those of reading.
func recordsOf(s uproar.Snapshot, r Relation, account string) (keys uproar.EdgeKeys, records []uproar.EdgeKey,
	err error) {
	if keys, err = s.EdgeKeys(string(r)); err != nil {
		return keys, nil, err
	}
	id, err := s.ID(account)
	if err != nil {
		return keys, nil, err
	}
	records, err = keys.Append(nil, id, noKey, allKeys)
	return keys, records, err
}
