// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
)

func decodeAccount(c call) (api.AccountRequest, error) {
	p := parseParams(c.query)
	req := api.AccountRequest{Account: p.required("account"), Part: p.part()}
	return req, p.finish()
}

func decodeProbe(c call) (api.PairRequest, error) {
	p := parseParams(c.query)
	req := api.PairRequest{Account: p.required("account"), Target: p.required("target")}
	return req, p.finish()
}

func decodePair(c call) (api.PairRequest, error) {
	p := parseParams(c.query)
	req := api.PairRequest{Account: p.required("account"), Target: p.required("target"), Part: p.part()}
	return req, p.finish()
}

func decodeIntersect(c call) (api.IntersectRequest, error) {
	p := parseParams(c.query)
	req := api.IntersectRequest{Accounts: p.all("account"), Part: p.part()}
	if len(req.Accounts) == 0 {
		p.fail(invalid("parameter \"account\" is missing, want it once for each account"))
	}
	return req, p.finish()
}

// decodeFollows reads either form of the body into the one with a list.
func decodeFollows(c call) (api.FollowRequest, error) {
	req, err := decodeBody[api.FollowRequest](c)
	if err != nil {
		return req, err
	}
	single := req.Account != "" || req.Target != ""
	switch {
	case single && req.Follows != nil:
		return req, invalid("body has both \"follows\" and a single follow, want one of them")
	case single && req.Account == "":
		return req, invalid("member \"account\" is missing or empty")
	case single && req.Target == "":
		return req, invalid("member \"target\" is missing or empty")
	case !single && req.Follows == nil:
		return req, invalid("body has neither \"follows\" nor \"account\" and \"target\"")
	case single:
		req.Follows = []api.Follow{{Account: req.Account, Target: req.Target}}
	}
	return req, nil
}

func (s *Server) followers(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, s.graph.Followers(req.Account), req.Part)
}

func (s *Server) following(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, s.graph.Following(req.Account), req.Part)
}

func (s *Server) mutuals(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, s.graph.Mutuals(req.Account), req.Part)
}

func (s *Server) follows(ctx context.Context, req api.PairRequest) (reply, error) {
	follows, err := s.graph.Follows(ctx, req.Account, req.Target)
	return api.FollowsReply{Follows: follows}, err
}

func (s *Server) followsFollowing(ctx context.Context, req api.PairRequest) (reply, error) {
	return answer(ctx, s.graph.FollowsFollowing(req.Account, req.Target), req.Part)
}

func (s *Server) intersectFollowers(ctx context.Context, req api.IntersectRequest) (reply, error) {
	return answer(ctx, s.graph.IntersectFollowers(req.Accounts...), req.Part)
}

func (s *Server) intersectFollowing(ctx context.Context, req api.IntersectRequest) (reply, error) {
	return answer(ctx, s.graph.IntersectFollowing(req.Accounts...), req.Part)
}

// answer gives the part of a set of accounts that is wanted.
func answer(ctx context.Context, accounts graph.Accounts, part api.Part) (reply, error) {
	if part.Viewer != "" {
		accounts = accounts.For(part.Viewer)
	}
	if part.Count {
		n, err := accounts.Count(ctx)
		return api.CountReply{Count: n}, err
	}
	p, err := page(part.Limit, part.Cursor, accounts)
	if err != nil {
		return nil, err
	}
	return &accountsPage{ctx: ctx, of: accounts, page: p}, nil
}

// accountsPage is an api.AccountsReply that is still to be read.
type accountsPage struct {
	fromSource
	ctx  context.Context
	of   graph.Accounts
	page uproar.Page
}

// jsonKeys is how the accounts of a list are written in JSON.
var jsonKeys = uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscaped}

func (r *accountsPage) append(dst []byte) ([]byte, error) {
	dst, next, err := r.of.AppendPage(r.ctx, append(dst, `{"accounts":[`...), r.page, jsonKeys)
	if err != nil {
		return dst, err
	}
	dst = append(dst, ']')
	if next > 0 {
		dst = api.AppendString(append(dst, `,"cursor":`...), encodeCursor(next, questionOf(r.of)))
	}
	return append(dst, '}'), nil
}

func (s *Server) follow(ctx context.Context, req api.FollowRequest) (reply, error) {
	sequence, err := s.graph.Follow(ctx, follows(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func (s *Server) unfollow(ctx context.Context, req api.FollowRequest) (reply, error) {
	sequence, err := s.graph.Unfollow(ctx, follows(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func follows(req api.FollowRequest) []graph.Follow {
	list := make([]graph.Follow, len(req.Follows))
	for i, f := range req.Follows {
		list[i] = graph.Follow(f)
	}
	return list
}
