// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// preflight tells a browser whether a page may send a request with one of a path's methods. handled
// is false if the request does not ask that. It needs no token, because browsers send none with it.
// The callers have been checked.
func (s *Server) preflight(ctx context.Context, e *bound, c *call.Request, methods string, dst []byte) (r response,
	handled bool) {
	if c.Method != "OPTIONS" || methods == "" || !s.callers.origins.some() ||
		c.Transport.Header("Access-Control-Request-Method") == "" {
		return r, false
	}
	origin := c.Transport.Header("Origin")
	if _, ok := s.callers.origins.allow(origin); !ok {
		err := &api.Error{Code: api.CodeForbidden, Message: "Origin is " + call.Quote(origin) +
			": this server takes requests from pages of sites given by --cors (Options.Origins) only"}
		return s.fail(ctx, e, err, dst), true
	}
	return response{status: 204, body: dst, preflight: methods}, true
}

// shareable says in an answer which pages may read it.
func (s *Server) shareable(c *call.Request, r *response) {
	if !s.callers.origins.some() || c.Transport == nil {
		return
	}
	if !s.callers.origins.all || len(s.callers.origins.list) > 0 { // and not the same answer for everybody
		r.varies = "Origin"
	}
	r.origin, _ = s.callers.origins.allow(c.Transport.Header("Origin"))
}
