// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

func decodeWrite(c call.Request) (api.WriteRequest, error) {
	req, err := call.DecodeBody[api.WriteRequest](c)
	switch {
	case err != nil:
		return req, err
	case req.Changes == nil && req.Stream == "":
		return req, call.Invalid("body has neither \"changes\" nor \"stream\"")
	case (req.Stream != "") != (req.Position != nil):
		return req, call.Invalid("body has one of \"stream\" and \"position\", want both or neither")
	}
	return req, nil
}

// write is the call: with changes that only a graph with keys can take, it makes one where there is
// none.
func (h *Handlers) write(ctx context.Context, req api.WriteRequest) (call.Reply, error) {
	hasKeys := slices.ContainsFunc(req.Changes, func(c api.ChangeRequest) bool {
		return c.Key != "" || len(c.Edges) > 0 || c.Op == "replace" || c.Op == "hide" || c.Op == "show"
	})
	if _, err := h.reading(); hasKeys && errors.Is(err, uproar.ErrUnknownIndex) {
		g, err := graph.OpenWith(ctx, h.db, graph.Records)
		if err != nil {
			return nil, err
		}
		h.graph.Store(g)
	}
	g, err := h.writing(ctx)
	if err != nil {
		return nil, err
	}
	return write(ctx, g, req)
}

// write writes changes of any relation, with the position of the stream that they come from.
func write(ctx context.Context, g *graph.Graph, req api.WriteRequest) (call.Reply, error) {
	c := graph.Changes{List: make([]graph.Change, len(req.Changes)), Stream: req.Stream}
	for i, x := range req.Changes {
		c.List[i] = graph.Change{Op: graph.Op(x.Op), Relation: graph.Relation(x.Relation), Account: x.Account,
			Target: x.Target, Key: x.Key}
		for _, e := range x.Edges {
			c.List[i].Edges = append(c.List[i].Edges, graph.Edge(e))
		}
	}
	if req.Position != nil {
		c.Position = *req.Position
	}
	sequence, err := g.Write(ctx, c)
	return api.WriteReply{Sequence: sequence}, err
}

func decodeStream(c call.Request) (string, error) {
	p := call.ParseParams(c.Query)
	stream := p.Required("stream")
	return stream, p.Finish()
}

// position answers how far a stream has come.
// position answers null as well while there is no graph, for one who is about to fill it.
func (h *Handlers) position(_ context.Context, stream string) (call.Reply, error) {
	g, err := h.reading()
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return api.PositionReply{}, nil
	}
	if err != nil {
		return nil, err
	}
	x, ok, err := g.Position(stream)
	if !ok {
		return api.PositionReply{}, err
	}
	return api.PositionReply{Position: &x}, err
}
