// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// MutualsFollowing asks which mutuals of an account follow target: the friends who know it.
func (g *Graph) MutualsFollowing(account, target string) Accounts {
	return g.ask(query.And{Of: []query.Expr{
		related(FollowsField, account), related(FollowersField, account), related(FollowersField, target),
	}}, account, target)
}

// Reach asks whom an account reaches over one or two follows: whom it follows, and whom they
// follow. It is itself among them if one of those follows it.
func (g *Graph) Reach(account string) Accounts {
	follows := related(FollowsField, account)
	return g.ask(query.Or{Of: []query.Expr{follows, query.Through{Field: FollowsField, Of: follows}}}, account)
}

// Ranked is an account of a ranking.
type Ranked = uproar.Neighbour

// Suggestions returns the accounts that most of those follow whom an account follows: friends of
// friends, by how many friends follow them. The account itself, whom it follows already, whom it
// blocks or mutes and who blocks it are left out. They are exact, at most limit of them, equal ones
// in the order of first appearance; all is how many there are. Cost: a walk over everything that
// the friends follow.
func (g *Graph) Suggestions(ctx context.Context, account string, limit int) (top []Ranked, all uint64, err error) {
	friends := related(FollowsField, account)
	return g.rank(ctx, account, uproar.Nearness{
		Field: FollowsField, Of: friends, Limit: limit,
	}, friends, hidden(account))
}

// Similar returns the accounts whose following has most in common with an account's, by a measure.
// It leaves out the account itself, whom it blocks or mutes, and who blocks it. The ranks are
// exact, at most limit of them, equal ones in the order of first appearance. all is how many
// accounts have anything in common with it. Cost: a walk over the followers of everybody that the
// account follows.
func (g *Graph) Similar(ctx context.Context, account string, by uproar.Measure, limit int) (top []Ranked, all uint64,
	err error) {
	return g.rank(ctx, account, uproar.Nearness{
		Field: FollowersField, Of: related(FollowsField, account), By: by, Limit: limit,
	}, hidden(account))
}

// rank makes a ranking without an account itself, and without others.
func (g *Graph) rank(ctx context.Context, account string, r uproar.Nearness, except ...query.Expr) (top []Ranked,
	all uint64, err error) {
	if err := CheckAccount(account); err != nil {
		return nil, 0, err
	}
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	id, err := s.ID(account)
	if err != nil {
		return nil, 0, unknown(err)
	}
	r.Except = query.Or{Of: append(except, query.Bitmap{Bytes: single(id)})}
	top, all, err = s.Nearest(ctx, r)
	return top, all, unknown(err)
}

// single returns a serialized set of one record.
func single(id uint64) []byte { return bitmap.Of(id).Bytes() }
