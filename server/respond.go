// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/call"
)

// limited returns a context in which queries may read as much as the server lets them.
func (s *Server) limited(ctx context.Context) context.Context {
	if s.opts.MaxQueryBytes > 0 {
		return uproar.LimitQueries(ctx, s.opts.MaxQueryBytes)
	}
	return ctx
}

// respond answers a request that came at start, in a limited context: it finds its endpoint, looks
// whether it may be answered, reads its body, waits for its turn, and appends the reply to dst.
// at is the route of its path, if the transport has found it. Whatever goes wrong is in the
// response.
func (s *Server) respond(parent context.Context, c *call.Request, at *route, start time.Time, dst []byte) response {
	e, allow := s.routes.find(c.Method, c.Path, at)
	if e.observed != nil {
		e.observed.inFlight.Inc()
		defer e.observed.inFlight.Dec()
	}
	ctx := newRequestContext(parent, start, s.opts.Timeout)
	defer ctx.end()
	ctx.charge = charge{of: s.memory, ctx: ctx, whole: e.errorFormat != nil && e.errorFormat.Whole}
	token, r := s.answer(ctx, e, c, allow, dst)
	s.encoders.encode(c, &r, len(dst))
	if err := ctx.charge.built(cap(r.body)); err != nil { // it grew without having asked
		r = s.fail(ctx, e, err, dst)
	}
	r.charge = &ctx.charge
	s.shareable(c, &r)
	if r.preflight == "" {
		r.allow = allow
	}
	took := time.Since(start)
	if e.observed != nil {
		e.observed.observe(&r, len(c.Body), len(r.body)-len(dst), took)
	}
	if level, logged := s.logged(ctx); logged {
		s.opts.Logger.LogAttrs(ctx, level, "request",
			slog.String("method", maskedWord(c.Method)), slog.String("path", s.loggedPath(e, c.Path)),
			slog.String("endpoint", e.Name),
			slog.String("query", masked(c.Query)), slog.String("remote", c.Remote()), slog.String("token", token),
			slog.Int("status", r.status), slog.Int("bytes", len(r.body)-len(dst)), slog.Duration("took", took))
	}
	return r
}

// answer answers a call if its caller may ask and its token allows it, in its turn. token is the
// name of the token. methods are those of the path, if the call's is none of them.
func (s *Server) answer(ctx *requestContext, e *bound, c *call.Request, methods string, dst []byte) (token string,
	r response) {
	if err := s.callers.check(e.access, c); err != nil {
		return "", s.fail(ctx, e, err, dst)
	}
	if r, ok := s.preflight(ctx, e, c, methods, dst); ok {
		return "", r
	}
	token, err := s.opts.Tokens.allow(e.access, c)
	if err != nil {
		return token, s.fail(ctx, e, err, dst)
	}
	if e.Method == "POST" && !e.streams {
		body := s.receive(ctx, c)
		defer s.leave(body)
	}
	if !e.always {
		if err := s.limiter.take(ctx); err != nil {
			return token, s.fail(ctx, e, err, dst)
		}
		defer s.limiter.give()
	}
	return token, s.run(uproar.WithGrow(ctx, ctx.charge.grow), e, *c, dst)
}

// loggedPath returns a path as it may stand in the log.
func (s *Server) loggedPath(e *bound, path string) string {
	if e == s.routes.unknown || e == s.routes.outside {
		return maskedPath(path)
	}
	return call.Cut(path, maxLogged)
}

// logged reports whether a request is logged, and at which level.
func (s *Server) logged(ctx context.Context) (slog.Level, bool) {
	if n := s.opts.LogRequests; n > 0 && (s.asked.Add(1)-1)%uint64(n) == 0 {
		return slog.LevelInfo, true
	}
	return slog.LevelDebug, s.opts.Logger.Enabled(ctx, slog.LevelDebug)
}
