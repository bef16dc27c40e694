// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// decodeOrdered is decodeAccount for lists that may be asked for by time.
func decodeOrdered(c call.Request) (api.AccountRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.AccountRequest{Account: p.Required("account"), Part: p.Part()}
	order, ordered := p.Optional("order")
	switch req.Order, req.Keys = order, p.Flag("keys"); {
	case ordered && order != "newest" && order != "oldest":
		p.Fail(call.Invalid("parameter \"order\" is %s, want newest or oldest", call.Quote(order)))
	case ordered && (req.Count || req.Viewer != ""):
		p.Fail(call.Invalid("parameter \"order\" is given with \"count\" or \"viewer\", want it without"))
	case !ordered && req.Keys:
		p.Fail(call.Invalid("parameter \"keys\" is given without \"order\", want both"))
	}
	return req, p.Finish()
}

// targets answers whom an account has in a relation.
func (h *Handlers) targets(r graph.Relation) call.Handler {
	return call.Bind(decodeOrdered, reads(h, func(ctx context.Context, g *graph.Graph,
		req api.AccountRequest) (call.Reply, error) {
		if req.Order != "" {
			return ordered(ctx, g, r, req)
		}
		return answer(ctx, g.Targets(r, req.Account), req.Part)
	}))
}

// ordered answers a page of a list by time.
func ordered(ctx context.Context, g *graph.Graph, r graph.Relation, req api.AccountRequest) (call.Reply, error) {
	if err := uproar.Grow(ctx, call.EntriesBytes(req.Limit)); err != nil {
		return nil, err
	}
	edges, cursor, err := g.Edges(ctx, r, req.Account, graph.EdgesPage{Oldest: req.Order == "oldest",
		Cursor: req.Cursor, Limit: req.Limit})
	if e, ok := errors.AsType[*graph.CursorError](err); ok {
		return nil, &api.Error{Code: api.CodeInvalidCursor, Message: e.Error()}
	}
	reply := api.AccountsReply{Accounts: make([]string, len(edges)), Cursor: cursor}
	for i, e := range edges {
		reply.Accounts[i] = e.Target
		if req.Keys {
			reply.Keys = append(reply.Keys, e.Key)
		}
	}
	return reply, err
}

func decodeEdges(c call.Request) (api.EdgesRequest, error) {
	req, err := call.DecodeBody[api.EdgesRequest](c)
	switch {
	case err != nil:
		return req, err
	case req.Account == "":
		return req, call.Invalid("member \"account\" is missing or empty")
	case len(req.Targets) == 0 && len(req.Lists) == 0:
		return req, call.Invalid("body has neither \"targets\" nor \"lists\"")
	case len(req.Targets) > api.MaxEdges || len(req.Lists) > api.MaxEdges:
		return req, call.Invalid("body has %d targets and %d lists, want at most %d of each", len(req.Targets),
			len(req.Lists), api.MaxEdges)
	}
	return req, nil
}

// edges answers what an account has to do with others, by the keys of records.
func edges(ctx context.Context, g *graph.Graph, req api.EdgesRequest) (call.Reply, error) {
	between, lists, err := g.EdgesBetween(ctx, req.Account, req.Targets, req.Lists)
	reply := api.EdgesReply{Lists: lists}
	for _, b := range between {
		reply.Edges = append(reply.Edges, api.EdgesOf(b))
	}
	return reply, err
}
