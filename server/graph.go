// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
)

// endpoints lists the calls about the graph.
func (h *graphCalls) endpoints() []endpoint {
	return []endpoint{
		{"GET", "/v1/graph/followers", "followers", bind(decodeAccount, h.followers)},
		{"GET", "/v1/graph/following", "following", bind(decodeAccount, h.following)},
		{"GET", "/v1/graph/mutuals", "mutuals", bind(decodeAccount, h.mutuals)},
		{"GET", "/v1/graph/follows", "follows", bind(decodeProbe, h.follows)},
		{"GET", "/v1/graph/follows-following", "follows-following", bind(decodePair, h.followsFollowing)},
		{"GET", "/v1/graph/intersect-followers", "intersect-followers", bind(decodeIntersect, h.intersectFollowers)},
		{"GET", "/v1/graph/intersect-following", "intersect-following", bind(decodeIntersect, h.intersectFollowing)},
		{"POST", "/v1/graph/follow", "follow", bind(decodeFollows, h.follow)},
		{"POST", "/v1/graph/unfollow", "unfollow", bind(decodeFollows, h.unfollow)},
		{"GET", "/v1/graph/mutuals-following", "mutuals-following", bind(decodePair, h.mutualsFollowing)},
		{"GET", "/v1/graph/reach", "reach", bind(decodeAccount, h.reach)},
		{"GET", "/v1/graph/suggestions", "suggestions", bind(decodeSuggestions, h.suggestions)},
		{"GET", "/v1/graph/similar", "similar", bind(decodeSimilar, h.similar)},
		{"GET", "/v1/graph/blocks", "blocks", h.targets(graph.Blocks)},
		{"GET", "/v1/graph/blockers", "blockers", h.sources(graph.Blocks)},
		{"GET", "/v1/graph/mutes", "mutes", h.targets(graph.Mutes)},
		{"GET", "/v1/graph/muters", "muters", h.sources(graph.Mutes)},
		{"GET", "/v1/graph/members", "members", h.targets(graph.Members)},
		{"GET", "/v1/graph/lists", "lists", h.sources(graph.Members)},
		{"POST", "/v1/graph/lookup", "lookup", bind(decodeBody[api.LookupRequest], h.lookup)},
		{"POST", "/v1/graph/write", "write", bind(decodeWrite, h.write)},
		{"POST", importPath, "import", h.importEdges},
		{"GET", "/v1/graph/position", "position", bind(decodeStream, h.position)},
	}
}

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

func (h *graphCalls) followers(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, h.graph.Followers(req.Account), req.Part)
}

func (h *graphCalls) following(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, h.graph.Following(req.Account), req.Part)
}

func (h *graphCalls) mutuals(ctx context.Context, req api.AccountRequest) (reply, error) {
	return answer(ctx, h.graph.Mutuals(req.Account), req.Part)
}

func (h *graphCalls) follows(ctx context.Context, req api.PairRequest) (reply, error) {
	follows, err := h.graph.Follows(ctx, req.Account, req.Target)
	return api.FollowsReply{Follows: follows}, err
}

func (h *graphCalls) followsFollowing(ctx context.Context, req api.PairRequest) (reply, error) {
	return answer(ctx, h.graph.FollowsFollowing(req.Account, req.Target), req.Part)
}

func (h *graphCalls) intersectFollowers(ctx context.Context, req api.IntersectRequest) (reply, error) {
	return answer(ctx, h.graph.IntersectFollowers(req.Accounts...), req.Part)
}

func (h *graphCalls) intersectFollowing(ctx context.Context, req api.IntersectRequest) (reply, error) {
	return answer(ctx, h.graph.IntersectFollowing(req.Accounts...), req.Part)
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

func (h *graphCalls) follow(ctx context.Context, req api.FollowRequest) (reply, error) {
	sequence, err := h.graph.Follow(ctx, follows(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func (h *graphCalls) unfollow(ctx context.Context, req api.FollowRequest) (reply, error) {
	sequence, err := h.graph.Unfollow(ctx, follows(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func follows(req api.FollowRequest) []graph.Follow {
	list := make([]graph.Follow, len(req.Follows))
	for i, f := range req.Follows {
		list[i] = graph.Follow(f)
	}
	return list
}
