// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

const contentJSON = "application/json"

// response is what a transport sends.
type response struct {
	status      int
	code        api.Code // of an error
	contentType string
	allow       string // header Allow, if any
	body        []byte
	stream      io.ReadCloser // instead of a body, if not nil: sent until its end; the transport closes it
}

// headers gives set the headers of a response, but for those about its body.
func (r *response) headers(set func(name, value string)) {
	set("X-Content-Type-Options", "nosniff")
	if r.allow != "" {
		set("Allow", r.allow)
	}
	switch r.status {
	case 401:
		set("WWW-Authenticate", `Bearer realm="uproar"`)
	case 429, 503:
		set("Retry-After", "1")
	}
}

// limited returns a context in which queries may read as much as the server lets them.
func (s *Server) limited(ctx context.Context) context.Context {
	if s.opts.MaxQueryBytes > 0 {
		return uproar.LimitQueries(ctx, s.opts.MaxQueryBytes)
	}
	return ctx
}

// respond answers a request that came at start, in a limited context: it finds its endpoint, looks whether it may be answered, reads its body, waits for its turn, and appends the reply to dst. Whatever goes wrong is in
// the response.
func (s *Server) respond(parent context.Context, c *call, start time.Time, dst []byte) response {
	e, allow := s.routes.find(c.method, c.path, c.route)
	if e.observed != nil {
		e.observed.inFlight.Inc()
		defer e.observed.inFlight.Dec()
	}
	ctx := newRequestContext(parent, start, s.opts.Timeout)
	defer ctx.end()
	token, r := s.answer(ctx, e, c, dst)
	r.allow = allow
	took := time.Since(start)
	if e.observed != nil {
		e.observed.observe(&r, len(c.body), len(r.body)-len(dst), took)
	}
	if level, logged := s.logged(ctx); logged {
		s.opts.Logger.LogAttrs(ctx, level, "request",
			slog.String("method", c.method), slog.String("path", c.path), slog.String("endpoint", e.name),
			slog.String("query", c.query), slog.String("remote", c.remote()), slog.String("token", token),
			slog.Int("status", r.status), slog.Int("bytes", len(r.body)-len(dst)), slog.Duration("took", took))
	}
	return r
}

// answer answers a call if its token allows it, in its turn. token is the name of the token.
func (s *Server) answer(ctx context.Context, e *bound, c *call, dst []byte) (token string, r response) {
	token, err := s.opts.Tokens.allow(e.access, c)
	if err != nil {
		return token, s.fail(ctx, e, err, dst)
	}
	if e.method == "POST" && !e.streams {
		body := s.receive(ctx, c)
		defer s.leave(body)
	}
	if !e.always {
		if err := s.turns.take(ctx); err != nil {
			return token, s.fail(ctx, e, err, dst)
		}
		defer s.turns.give()
	}
	return token, s.run(ctx, e, *c, dst)
}

// logged reports whether a request is logged, and at which level.
func (s *Server) logged(ctx context.Context) (slog.Level, bool) {
	if n := s.opts.LogRequests; n > 0 && (s.asked.Add(1)-1)%uint64(n) == 0 {
		return slog.LevelInfo, true
	}
	return slog.LevelDebug, s.opts.Logger.Enabled(ctx, slog.LevelDebug)
}
