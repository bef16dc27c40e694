// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// Endpoints lists the calls about the graph.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get("/v1/graph/followers", "followers", call.Bind(decodeAccount, h.followers)),
		call.Get("/v1/graph/following", "following", call.Bind(decodeAccount, h.following)),
		call.Get("/v1/graph/mutuals", "mutuals", call.Bind(decodeAccount, h.mutuals)),
		call.Get("/v1/graph/follows", "follows", call.Bind(decodeProbe, h.follows)),
		call.Get("/v1/graph/follows-following", "follows-following", call.Bind(decodePair, h.followsFollowing)),
		call.Get("/v1/graph/intersect-followers", "intersect-followers", call.Bind(decodeIntersect,
			h.intersectFollowers)),
		call.Get("/v1/graph/intersect-following", "intersect-following", call.Bind(decodeIntersect,
			h.intersectFollowing)),
		call.Post("/v1/graph/follow", "follow", call.Bind(decodeFollows, h.follow)),
		call.Post("/v1/graph/unfollow", "unfollow", call.Bind(decodeFollows, h.unfollow)),
		call.Get("/v1/graph/mutuals-following", "mutuals-following", call.Bind(decodePair, h.mutualsFollowing)),
		call.Get("/v1/graph/reach", "reach", call.Bind(decodeAccount, h.reach)),
		call.Get("/v1/graph/suggestions", "suggestions", call.Bind(decodeSuggestions, h.suggestions)),
		call.Get("/v1/graph/similar", "similar", call.Bind(decodeSimilar, h.similar)),
		call.Get("/v1/graph/blocks", "blocks", h.targets(graph.Blocks)),
		call.Get("/v1/graph/blockers", "blockers", h.sources(graph.Blocks)),
		call.Get("/v1/graph/mutes", "mutes", h.targets(graph.Mutes)),
		call.Get("/v1/graph/muters", "muters", h.sources(graph.Mutes)),
		call.Get("/v1/graph/members", "members", h.targets(graph.Members)),
		call.Get("/v1/graph/lists", "lists", h.sources(graph.Members)),
		call.Post("/v1/graph/lookup", "lookup", call.Bind(call.DecodeBody[api.LookupRequest], h.lookup)),
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

func (h *Handlers) followers(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, h.graph.Followers(req.Account), req.Part)
}

func (h *Handlers) following(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, h.graph.Following(req.Account), req.Part)
}

func (h *Handlers) mutuals(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, h.graph.Mutuals(req.Account), req.Part)
}

func (h *Handlers) follows(ctx context.Context, req api.PairRequest) (call.Reply, error) {
	follows, err := h.graph.Follows(ctx, req.Account, req.Target)
	return api.FollowsReply{Follows: follows}, err
}

func (h *Handlers) followsFollowing(ctx context.Context, req api.PairRequest) (call.Reply, error) {
	return answer(ctx, h.graph.FollowsFollowing(req.Account, req.Target), req.Part)
}

func (h *Handlers) intersectFollowers(ctx context.Context, req api.IntersectRequest) (call.Reply, error) {
	return answer(ctx, h.graph.IntersectFollowers(req.Accounts...), req.Part)
}

func (h *Handlers) intersectFollowing(ctx context.Context, req api.IntersectRequest) (call.Reply, error) {
	return answer(ctx, h.graph.IntersectFollowing(req.Accounts...), req.Part)
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
	return &accountsPage{ctx: ctx, of: accounts, page: p}, nil
}

// accountsPage is an api.AccountsReply that is still to be read.
type accountsPage struct {
	call.FromSource
	ctx  context.Context
	of   graph.Accounts
	page uproar.Page
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
		dst = api.AppendString(append(dst, `,"cursor":`...), call.NextCursor(next, true, r.of))
	}
	return append(dst, '}'), nil
}

func (h *Handlers) follow(ctx context.Context, req api.FollowRequest) (call.Reply, error) {
	sequence, err := h.graph.Follow(ctx, follows(req)...)
	return api.WriteReply{Sequence: sequence}, err
}

func (h *Handlers) unfollow(ctx context.Context, req api.FollowRequest) (call.Reply, error) {
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

// Handlers answers the calls about the graph.
type Handlers struct {
	graph   *graph.Graph
	uploads *upload.Uploads
}

// New returns the handlers of a graph, whose imports take turns with other uploads.
func New(g *graph.Graph, uploads *upload.Uploads) *Handlers { return &Handlers{g, uploads} }
