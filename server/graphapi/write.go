// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"

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

// write writes changes of any relation, with the position of the stream that they come from.
func (h *Handlers) write(ctx context.Context, req api.WriteRequest) (call.Reply, error) {
	c := graph.Changes{List: make([]graph.Change, len(req.Changes)), Stream: req.Stream}
	for i, x := range req.Changes {
		c.List[i] = graph.Change{Op: graph.Op(x.Op), Relation: graph.Relation(x.Relation), Account: x.Account,
			Target: x.Target}
	}
	if req.Position != nil {
		c.Position = *req.Position
	}
	sequence, err := h.graph.Write(ctx, c)
	return api.WriteReply{Sequence: sequence}, err
}

func decodeStream(c call.Request) (string, error) {
	p := call.ParseParams(c.Query)
	stream := p.Required("stream")
	return stream, p.Finish()
}

// position answers how far a stream has come.
func (h *Handlers) position(_ context.Context, stream string) (call.Reply, error) {
	x, ok, err := h.graph.Position(stream)
	if !ok {
		return api.PositionReply{}, err
	}
	return api.PositionReply{Position: &x}, err
}
