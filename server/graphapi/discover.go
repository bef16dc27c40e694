// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// sources answers who has an account in a relation.
func (h *Handlers) sources(r graph.Relation) call.Handler {
	return call.Bind(decodeAccount, reads(h, func(ctx context.Context, g *graph.Graph,
		req api.AccountRequest) (call.Reply, error) {
		return answer(ctx, g.Sources(r, req.Account), req.Part)
	}))
}

func mutualsFollowing(ctx context.Context, g *graph.Graph, req api.PairRequest) (call.Reply, error) {
	return answer(ctx, g.MutualsFollowing(req.Account, req.Target), req.Part)
}

func reach(ctx context.Context, g *graph.Graph, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, g.Reach(req.Account), req.Part)
}

// defaultRanked is how many accounts of a ranking are given when the request does not say.
const defaultRanked = 20

// measures are the values of the parameter "by".
var measures = map[string]uproar.Measure{"": uproar.ByJaccard, "jaccard": uproar.ByJaccard, "cosine": uproar.ByCosine,
	"count": uproar.ByCount}

func decodeSuggestions(c call.Request) (api.RankRequest, error) {
	p := call.ParseParams(c.Query)
	req := rankParams(p)
	return req, p.Finish()
}

func decodeSimilar(c call.Request) (api.RankRequest, error) {
	p := call.ParseParams(c.Query)
	req := rankParams(p)
	by, given := p.Optional("by")
	if _, ok := measures[by]; !ok || given && by == "" {
		p.Fail(call.Invalid("parameter \"by\" is %s, want jaccard, cosine or count", call.Quote(by)))
	}
	req.By = by
	return req, p.Finish()
}

// rankParams takes "account", "limit" and "count".
func rankParams(p *call.Params) api.RankRequest {
	req := api.RankRequest{Account: p.Required("account"), Limit: defaultRanked}
	text, limited := p.Optional("limit")
	if limited {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > api.MaxRanked {
			p.Fail(call.Invalid("parameter \"limit\" is %s, want 1 to %d", call.Quote(text), api.MaxRanked))
		}
		req.Limit = n
	}
	req.Count = p.Flag("count")
	if req.Count && limited {
		p.Fail(call.Invalid("parameter \"count\" is given with \"limit\": a count has no entries"))
	}
	return req
}

func suggestions(ctx context.Context, g *graph.Graph, req api.RankRequest) (call.Reply, error) {
	if req.Count {
		req.Limit = 0
	}
	top, all, err := g.Suggestions(ctx, req.Account, req.Limit)
	return ranking(top, all, req.Count), err
}

func similar(ctx context.Context, g *graph.Graph, req api.RankRequest) (call.Reply, error) {
	if req.Count {
		req.Limit = 0
	}
	top, all, err := g.Similar(ctx, req.Account, measures[req.By], req.Limit)
	return ranking(top, all, req.Count), err
}

func ranking(top []graph.Ranked, all uint64, count bool) call.Reply {
	if count {
		return api.CountReply{Count: all}
	}
	r := api.RankedReply{Count: all}
	for _, x := range top {
		r.Accounts = append(r.Accounts, api.RankedAccount{Account: x.Key, Common: x.Count, Score: x.Score})
	}
	return r
}

func decodeLookup(c call.Request) (api.LookupRequest, error) {
	req, err := call.DecodeBody[api.LookupRequest](c)
	if err == nil && (req.Accounts == nil) == (req.IDs == nil) {
		err = call.Invalid("body has both or neither of \"accounts\" and \"ids\", want one of them")
	}
	return req, err
}

// lookup finds accounts by their keys, or by their IDs.
func lookup(ctx context.Context, g *graph.Graph, req api.LookupRequest) (call.Reply, error) {
	if err := uproar.Grow(ctx, call.EntriesBytes(len(req.Accounts)+len(req.IDs))); err != nil {
		return nil, err
	}
	var r api.LookupReply
	if req.IDs != nil {
		accounts, err := g.LookupIDs(ctx, req.IDs...)
		for i := range accounts {
			x := api.LookedUp{ID: &req.IDs[i]}
			if accounts[i] != "" {
				x.Account = &accounts[i]
			}
			r.Accounts = append(r.Accounts, x)
		}
		return r, err
	}
	ids, found, err := g.Lookup(ctx, req.Accounts...)
	for i := range ids {
		x := api.LookedUp{Account: &req.Accounts[i]}
		if found[i] {
			x.ID = &ids[i]
		}
		r.Accounts = append(r.Accounts, x)
	}
	return r, err
}
