// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

func decodeBatch(c call.Request) (api.BatchRequest, error) {
	req, err := call.DecodeBody[api.BatchRequest](c)
	switch {
	case err != nil:
		return req, err
	case req.Calls == nil:
		return req, call.Invalid("member \"calls\" is missing")
	case len(req.Calls) > api.MaxCalls:
		return req, call.Invalid("body has %d calls, want at most %d", len(req.Calls), api.MaxCalls)
	}
	return req, nil
}

// batch answers calls one after the other, each with its reply or its error.
func (s *Server) batch(ctx context.Context, req api.BatchRequest) (call.Reply, error) {
	return &answers{ctx: ctx, server: s, calls: req.Calls}, nil
}

// answers are the replies of a batch, while they are asked for.
type answers struct {
	call.FromSource
	ctx    context.Context
	server *Server
	calls  []string
}

func (a *answers) Append(dst []byte) ([]byte, error) {
	dst = append(dst, `{"answers":[`...)
	start, before, full := len(dst), 0, false
	most := a.server.memory.mostOf(len(a.calls))
	ctx := uproar.WithGrow(a.ctx, func(bytes int) error {
		if before-start+bytes > most {
			return call.AnswerTooLarge("the answers have more than %d bytes with this one; ask for it in another batch, "+
				"or for less at a time", most)
		}
		return uproar.Grow(a.ctx, before+bytes)
	})
	for i, text := range a.calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		if err := uproar.Grow(a.ctx, len(dst)-start); err != nil {
			return dst, err
		}
		if full = full || len(dst)-start > most; full {
			refused := call.Invalid("the answers before this one have %d bytes; ask again, in another batch",
				len(dst)-start)
			dst = api.ErrorReply{Error: *call.Failure(refused)}.AppendJSON(dst)
			continue
		}
		path, query, _ := strings.Cut(text, "?")
		before = len(dst)
		e, _ := a.server.routes.find("GET", path, nil)
		if e.alone || e.errorFormat != nil || !strings.HasPrefix(path, "/v1/") {
			refused := call.Invalid("call %s: want a call by GET under /v1/ that does not wait", call.Quote(text))
			dst = api.ErrorReply{Error: *call.Failure(refused)}.AppendJSON(dst)
			continue
		}
		answer := a.server.run(ctx, e, call.Request{Method: "GET", Path: path, Query: query}, dst[before:])
		if len(answer.body) > 0 && cap(dst) > before && &answer.body[0] == &dst[:before+1][before] {
			dst = dst[:before+len(answer.body)]
		} else {
			dst = append(dst[:before], answer.body...)
		}
		dst = bytes.TrimRight(dst, "\n")
		// The next would be tried in vain, at the same cost.
		full = answer.code == api.CodeUnavailable || answer.code == api.CodeAnswerTooLarge
	}
	return append(dst, ']', '}'), nil
}
