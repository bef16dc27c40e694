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

// targets answers whom an account has in a relation.
func (h *Handlers) targets(r graph.Relation) call.Handler {
	return call.Bind(decodeAccount, func(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
		return answer(ctx, h.graph.Targets(r, req.Account), req.Part)
	})
}

// sources answers who has an account in a relation.
func (h *Handlers) sources(r graph.Relation) call.Handler {
	return call.Bind(decodeAccount, func(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
		return answer(ctx, h.graph.Sources(r, req.Account), req.Part)
	})
}

func (h *Handlers) mutualsFollowing(ctx context.Context, req api.PairRequest) (call.Reply, error) {
	return answer(ctx, h.graph.MutualsFollowing(req.Account, req.Target), req.Part)
}

func (h *Handlers) reach(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
	return answer(ctx, h.graph.Reach(req.Account), req.Part)
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

func (h *Handlers) suggestions(ctx context.Context, req api.RankRequest) (call.Reply, error) {
	if req.Count {
		req.Limit = 0
	}
	top, all, err := h.graph.Suggestions(ctx, req.Account, req.Limit)
	return ranking(top, all, req.Count), err
}

func (h *Handlers) similar(ctx context.Context, req api.RankRequest) (call.Reply, error) {
	if req.Count {
		req.Limit = 0
	}
	top, all, err := h.graph.Similar(ctx, req.Account, measures[req.By], req.Limit)
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

// lookup finds accounts by their keys, or by their IDs.
func (h *Handlers) lookup(ctx context.Context, req api.LookupRequest) (call.Reply, error) {
	if (req.Accounts == nil) == (req.IDs == nil) {
		return nil, call.Invalid("body has both or neither of \"accounts\" and \"ids\", want one of them")
	}
	if err := uproar.Grow(ctx, call.EntriesBytes(len(req.Accounts)+len(req.IDs))); err != nil {
		return nil, err
	}
	var r api.LookupReply
	if req.IDs != nil {
		accounts, err := h.graph.LookupIDs(ctx, req.IDs...)
		for i := range accounts {
			x := api.LookedUp{ID: &req.IDs[i]}
			if accounts[i] != "" {
				x.Account = &accounts[i]
			}
			r.Accounts = append(r.Accounts, x)
		}
		return r, err
	}
	ids, found, err := h.graph.Lookup(ctx, req.Accounts...)
	for i := range ids {
		x := api.LookedUp{Account: &req.Accounts[i]}
		if found[i] {
			x.ID = &ids[i]
		}
		r.Accounts = append(r.Accounts, x)
	}
	return r, err
}
