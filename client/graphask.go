// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// Follows reports whether an account follows target.
func (g Graph) Follows(ctx context.Context, account, target string) (bool, error) {
	var reply api.FollowsReply
	err := g.c.get(ctx, "/v1/graph/follows", url.Values{"account": {account}, "target": {target}}, &reply)
	return reply.Follows, err
}

// Follow makes follows, all or none, and returns the number of their commit: they are durable, and
// every later read sees them.
func (g Graph) Follow(ctx context.Context, follows ...api.Follow) (sequence uint64, err error) {
	return g.write(ctx, "/v1/graph/follow", api.FollowRequest{Follows: follows}, len(follows))
}

// Unfollow undoes follows, all or none.
func (g Graph) Unfollow(ctx context.Context, follows ...api.Follow) (sequence uint64, err error) {
	return g.write(ctx, "/v1/graph/unfollow", api.FollowRequest{Follows: follows}, len(follows))
}

// Write makes changes of any relation, all or none. With them it stores how far their stream has
// come.
func (g Graph) Write(ctx context.Context, req api.WriteRequest) (sequence uint64, err error) {
	return g.write(ctx, "/v1/graph/write", req, 1)
}

func (g Graph) write(ctx context.Context, path string, body any, changes int) (uint64, error) {
	if changes == 0 { // which JSON would leave out
		body = map[string][]api.Follow{"follows": {}}
	}
	var reply api.WriteReply
	err := g.c.post(ctx, path, body, &reply, true)
	return reply.Sequence, err
}

// Position returns how far a stream has come; ok is false if it was never written.
func (g Graph) Position(ctx context.Context, stream string) (position int64, ok bool, err error) {
	var reply api.PositionReply
	if err := g.c.get(ctx, "/v1/graph/position", url.Values{"stream": {stream}}, &reply); err != nil ||
		reply.Position == nil {
		return 0, false, err
	}
	return *reply.Position, true, nil
}

// Lookup returns the IDs of accounts, in their order; ID is nil of one that does not exist.
func (g Graph) Lookup(ctx context.Context, accounts ...string) ([]api.LookedUp, error) {
	return g.lookup(ctx, api.LookupRequest{Accounts: accounts})
}

// LookupIDs returns the accounts of IDs, in their order; Account is nil of one that does not exist.
func (g Graph) LookupIDs(ctx context.Context, ids ...uint64) ([]api.LookedUp, error) {
	return g.lookup(ctx, api.LookupRequest{IDs: ids})
}

func (g Graph) lookup(ctx context.Context, req api.LookupRequest) ([]api.LookedUp, error) {
	if len(req.Accounts)+len(req.IDs) == 0 {
		return nil, nil
	}
	var reply api.LookupReply
	err := g.c.post(ctx, "/v1/graph/lookup", req, &reply, false)
	return reply.Accounts, err
}

// Edges returns what an account has to do with each target, and which records put it on lists, by
// the keys of a graph that keeps them, of one state.
func (g Graph) Edges(ctx context.Context, req api.EdgesRequest) (reply api.EdgesReply, err error) {
	err = g.c.post(ctx, "/v1/graph/edges", req, &reply, false)
	return reply, err
}

// Suggestions returns friends of friends, most common friends first. By must be empty. With Count
// only their number is in the reply.
func (g Graph) Suggestions(ctx context.Context, req api.RankRequest) (api.RankedReply, error) {
	return g.ranked(ctx, "/v1/graph/suggestions", req)
}

// Similar returns who follows most of the same.
func (g Graph) Similar(ctx context.Context, req api.RankRequest) (api.RankedReply, error) {
	return g.ranked(ctx, "/v1/graph/similar", req)
}

func (g Graph) ranked(ctx context.Context, path string, req api.RankRequest) (reply api.RankedReply, err error) {
	query := url.Values{"account": {req.Account}}
	if req.By != "" {
		query.Set("by", req.By)
	}
	if req.Limit != 0 {
		query.Set("limit", strconv.Itoa(req.Limit))
	}
	if req.Count {
		query.Set("count", "true")
	}
	err = g.c.get(ctx, path, query, &reply)
	return reply, err
}
