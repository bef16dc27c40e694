// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"

	"github.com/uproar-db/uproar"
)

// Between says what an account and a target have to do with each other: the keys of the records,
// "" where there is none.
type Between struct {
	Following, FollowedBy, Blocking, BlockedBy string

	Muting bool // the account mutes the target; mutes have no keys
}

// EdgesBetween returns what an account has to do with each target, and the keys of the records by
// which it is on lists, both in their order and of one state. Who does not exist has no edges.
// Cost: a pass over the records of the account, and over those of each target and list that has it.
// Errors: *UnkeyedError, *InvalidAccountError, ctx's, or the database's.
func (g *Graph) EdgesBetween(ctx context.Context, account string, targets, lists []string) (edges []Between,
	on []string, err error) {
	needed := make([]Relation, 0, 3)
	if len(targets) > 0 {
		needed = append(needed, Follows, Blocks)
	}
	if len(lists) > 0 {
		needed = append(needed, Members)
	}
	for _, r := range needed {
		if err := g.checkEdges(r, account); err != nil {
			return nil, nil, err
		}
	}
	for _, of := range [][]string{{account}, targets, lists} {
		for _, key := range of {
			if err := CheckAccount(key); err != nil {
				return nil, nil, err
			}
		}
	}
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	edges, on = make([]Between, len(targets)), make([]string, len(lists))
	var q questions
	for i, target := range targets {
		q.ask(Follows, account, target, &edges[i].Following)
	}
	for i, target := range targets {
		q.ask(Blocks, account, target, &edges[i].Blocking)
	}
	for i, target := range targets {
		if edges[i].Muting, err = s.Has(MutesField, account, target); knownOnly(err) != nil {
			return nil, nil, err
		}
		if err := q.askIf(s, Follows, target, account, &edges[i].FollowedBy); err != nil {
			return nil, nil, err
		}
		if err := q.askIf(s, Blocks, target, account, &edges[i].BlockedBy); err != nil {
			return nil, nil, err
		}
	}
	for i, list := range lists {
		if err := q.askIf(s, Members, list, account, &on[i]); err != nil {
			return nil, nil, err
		}
	}
	keys, err := g.keysOf(ctx, s, q.of)
	if err != nil {
		return nil, nil, err
	}
	for i, key := range keys {
		*q.answers[i] = key
	}
	return edges, on, nil
}

// questions are those about edges, and where their answers belong.
type questions struct {
	of      []EdgeQuestion
	answers []*string
}

// ask adds a question.
func (q *questions) ask(r Relation, account, target string, answer *string) {
	q.of, q.answers = append(q.of, EdgeQuestion{r, account, target}), append(q.answers, answer)
}

// askIf adds a question if there is such an edge.
func (q *questions) askIf(s uproar.Snapshot, r Relation, account, target string, answer *string) error {
	has, err := s.Has(string(r), account, target)
	if err == nil && has {
		q.ask(r, account, target, answer)
	}
	return knownOnly(err)
}
