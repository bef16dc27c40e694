// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// Endpoints lists the calls about the graph.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get("/v1/graph/followers", "followers", call.Bind(decodeAccount, reads(h, followers))),
		call.Get("/v1/graph/following", "following", h.targets(graph.Follows)),
		call.Get("/v1/graph/mutuals", "mutuals", call.Bind(decodeAccount, reads(h, mutuals))),
		call.Get("/v1/graph/follows", "follows", call.Bind(decodeProbe, reads(h, follows))),
		call.Get("/v1/graph/follows-following", "follows-following", call.Bind(decodePair, reads(h, followsFollowing))),
		call.Get("/v1/graph/intersect-followers", "intersect-followers", call.Bind(decodeIntersect,
			reads(h, intersectFollowers))),
		call.Get("/v1/graph/intersect-following", "intersect-following", call.Bind(decodeIntersect,
			reads(h, intersectFollowing))),
		call.Post("/v1/graph/follow", "follow", call.Bind(decodeFollows, writes(h, follow))),
		call.Post("/v1/graph/unfollow", "unfollow", call.Bind(decodeFollows, writes(h, unfollow))),
		call.Get("/v1/graph/mutuals-following", "mutuals-following", call.Bind(decodePair, reads(h, mutualsFollowing))),
		call.Get("/v1/graph/reach", "reach", call.Bind(decodeAccount, reads(h, reach))),
		call.Get("/v1/graph/suggestions", "suggestions", call.Bind(decodeSuggestions, reads(h, suggestions))),
		call.Get("/v1/graph/similar", "similar", call.Bind(decodeSimilar, reads(h, similar))),
		call.Get("/v1/graph/blocks", "blocks", h.targets(graph.Blocks)),
		call.Get("/v1/graph/blockers", "blockers", h.sources(graph.Blocks)),
		call.Get("/v1/graph/mutes", "mutes", call.Bind(decodeAccount, reads(h, mutes))),
		call.Get("/v1/graph/muters", "muters", h.sources(graph.Mutes)),
		call.Get("/v1/graph/members", "members", h.targets(graph.Members)),
		call.Get("/v1/graph/lists", "lists", h.sources(graph.Members)),
		call.Post("/v1/graph/lookup", "lookup", call.Bind(decodeLookup, reads(h, lookup))),
		call.Post("/v1/graph/edges", "edges", call.Bind(decodeEdges, reads(h, edges))),
		call.Post("/v1/graph/write", "write", call.Bind(decodeWrite, h.write)),
		call.Post(importPath, "import", h.importEdges),
		call.Get("/v1/graph/position", "position", call.Bind(decodeStream, h.position)),
	}
}

func decodeAccount(c call.Request) (api.AccountRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.AccountRequest{Account: p.Required("account"), Part: p.Part()}
	return req, p.Finish()
}

func decodeProbe(c call.Request) (api.PairRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.PairRequest{Account: p.Required("account"), Target: p.Required("target")}
	return req, p.Finish()
}

func decodePair(c call.Request) (api.PairRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.PairRequest{Account: p.Required("account"), Target: p.Required("target"), Part: p.Part()}
	return req, p.Finish()
}

func decodeIntersect(c call.Request) (api.IntersectRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.IntersectRequest{Accounts: p.All("account"), Part: p.Part()}
	if len(req.Accounts) == 0 {
		p.Fail(call.Invalid("parameter \"account\" is missing, want it once for each account"))
	}
	return req, p.Finish()
}

// decodeFollows reads either form of the body into the one with a list.
func decodeFollows(c call.Request) (api.FollowRequest, error) {
	req, err := call.DecodeBody[api.FollowRequest](c)
	if err != nil {
		return req, err
	}
	single := req.Account != "" || req.Target != ""
	switch {
	case single && req.Follows != nil:
		return req, call.Invalid("body has both \"follows\" and a single follow, want one of them")
	case single && req.Account == "":
		return req, call.Invalid("member \"account\" is missing or empty")
	case single && req.Target == "":
		return req, call.Invalid("member \"target\" is missing or empty")
	case !single && req.Follows == nil:
		return req, call.Invalid("body has neither \"follows\" nor \"account\" and \"target\"")
	case single:
		req.Follows = []api.Follow{{Account: req.Account, Target: req.Target}}
	}
	return req, nil
}

func followers(ctx context.Context, g *graph.Graph, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, g.Followers(req.Account), req.Part)
}

func mutuals(ctx context.Context, g *graph.Graph, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, g.Mutuals(req.Account), req.Part)
}

func mutes(ctx context.Context, g *graph.Graph, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, g.Targets(graph.Mutes, req.Account), req.Part)
}

func follows(ctx context.Context, g *graph.Graph, req api.PairRequest) (call.Reply, error) {
	follows, err := g.Follows(ctx, req.Account, req.Target)
	return api.FollowsReply{Follows: follows}, err
}

func followsFollowing(ctx context.Context, g *graph.Graph, req api.PairRequest) (call.Reply, error) {
	return answer(ctx, g.FollowsFollowing(req.Account, req.Target), req.Part)
}

func intersectFollowers(ctx context.Context, g *graph.Graph, req api.IntersectRequest) (call.Reply, error) {
	return answer(ctx, g.IntersectFollowers(req.Accounts...), req.Part)
}

func intersectFollowing(ctx context.Context, g *graph.Graph, req api.IntersectRequest) (call.Reply, error) {
	return answer(ctx, g.IntersectFollowing(req.Accounts...), req.Part)
}

// answer gives the part of a set of accounts that is wanted.
func answer(ctx context.Context, accounts graph.Accounts, part api.Part) (call.Reply, error) {
	if part.Viewer != "" {
		accounts = accounts.For(part.Viewer)
	}
	if part.Count {
		n, err := accounts.Count(ctx)
		return api.CountReply{Count: n}, err
	}
	p, err := call.Page(part.Limit, part.Cursor, accounts)
	if err != nil {
		return nil, err
	}
	return &accountsPage{ctx: ctx, question: accounts, of: accounts.Shown(), page: p}, nil
}

// accountsPage is an api.AccountsReply that is still to be read.
type accountsPage struct {
	call.FromSource
	ctx      context.Context
	question graph.Accounts // whoever is hidden meanwhile
	of       graph.Accounts
	page     uproar.Page
}

// jsonKeys is how the accounts of a list are written in JSON.
var jsonKeys = uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscaped}

func (r *accountsPage) Append(dst []byte) ([]byte, error) {
	dst, next, err := r.of.AppendPage(r.ctx, append(dst, `{"accounts":[`...), r.page, jsonKeys)
	if err != nil {
		return dst, err
	}
	dst = append(dst, ']')
	if next > 0 {
		dst = api.AppendString(append(dst, `,"cursor":`...), call.NextCursor(next, true, r.question))
	}
	return append(dst, '}'), nil
}

func follow(ctx context.Context, g *graph.Graph, req api.FollowRequest) (call.Reply, error) {
	sequence, err := g.Follow(ctx, followsOf(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func unfollow(ctx context.Context, g *graph.Graph, req api.FollowRequest) (call.Reply, error) {
	sequence, err := g.Unfollow(ctx, followsOf(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func followsOf(req api.FollowRequest) []graph.Follow {
	list := make([]graph.Follow, len(req.Follows))
	for i, f := range req.Follows {
		list[i] = graph.Follow(f)
	}
	return list
}
