// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// response is what a transport sends.
type response struct {
	status      int
	contentType string
	allow       string // header Allow, if any
	body        []byte
	stream      io.ReadCloser // instead of a body, if not nil: sent until its end; the transport closes it
}

// respond answers a request that came at start: it finds its endpoint, reads its body, and appends the reply to dst. Whatever goes wrong is in the response.
func (s *Server) respond(parent context.Context, c *call, start time.Time, dst []byte) response {
	e, allow := s.routes.find(c.method, c.path)
	if e.observed != nil {
		s.metrics.inFlight.Inc()
		defer s.metrics.inFlight.Dec()
	}
	ctx := newRequestContext(parent, start, s.opts.Timeout)
	defer ctx.end()
	release := func() {}
	if e.method == "POST" && !e.streams {
		release = s.receive(ctx, c)
	}
	r := s.run(ctx, e, *c, dst)
	r.allow = allow
	release()

	took := time.Since(start)
	if e.observed != nil {
		e.observed.observe(r.status, took)
	}
	if s.opts.Logger.Enabled(ctx, slog.LevelDebug) {
		s.opts.Logger.LogAttrs(ctx, slog.LevelDebug, "request",
			slog.String("method", c.method), slog.String("path", c.path), slog.String("endpoint", e.name),
			slog.String("query", c.query), slog.String("remote", c.remote()),
			slog.Int("status", r.status), slog.Int("bytes", len(r.body)), slog.Duration("took", took))
	}
	return r
}

const contentJSON = "application/json"
