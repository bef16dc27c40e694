// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math"
	"net"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/transport"
	"github.com/uproar-db/uproar/server/upload"
	"github.com/valyala/fasthttp"
)

// Bounds of a connection, whatever is asked on it.
const (
	writeTimeout = 30 * time.Second // for the client to take its answer
	idleTimeout  = 2 * time.Minute
	maxHeader    = 64 << 10 // the address of an intersection of 1 000 accounts fits
	writeBuffer  = 16 << 10 // a page of a list leaves at once
)

// The default of MaxConnectionsPerAddress: one in addressShare of all connections, and at least
// leastPerAddress.
const (
	addressShare    = 4
	leastPerAddress = 16
)

// slackShare is which part of its time the deadline of a connection may come too early: one that is
// so little later than the last is not set.
const slackShare = 32

// copiedBody is the largest reply that is copied to the connection's own memory. Larger ones are
// sent from where they are.
const copiedBody = 64 << 10

// Serve answers requests on a listener until ctx is done. Then it accepts no
// more connections, lets the running requests finish for at most
// Options.DrainTimeout, and returns nil; an error says that some were cut off, or
// that the listener failed. The listener is closed in any case, the database is
// not.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	counting := s.listener(ln)
	ln = counting
	// Requests outlive ctx, and end with the drain.
	base, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), call.StoppingKey{}, ctx))
	defer cancel()
	limited := s.limited(base)
	hs := &fasthttp.Server{
		Handler:                      func(f *fasthttp.RequestCtx) { s.serveFast(limited, f) },
		ErrorHandler:                 s.malformed,
		ReadTimeout:                  s.patience(),
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ReadBufferSize:               maxHeader,
		WriteBufferSize:              writeBuffer,
		Concurrency:                  math.MaxInt32, // the listener refuses, in JSON
		StreamRequestBody:            true,
		MaxRequestBodySize:           int(s.opts.MaxBody),
		DisablePreParseMultipartForm: true,
		NoDefaultServerHeader:        true,
		SecureErrorLogMessage:        true, // requests have tokens
		NoDefaultContentType:         true,
		CloseOnShutdown:              true,
		ConnState:                    noteState,
		Logger:                       slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	if !s.db.ReadOnly() || s.copy != nil {
		keeping, end := context.WithCancel(ctx)
		kept := make(chan struct{})
		go func() { defer close(kept); keep(s.limited(keeping), s.db, s.opts.Logger) }()
		defer func() { end(); <-kept }()
	}
	watching, unwatch := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() { defer close(watched); watchDisk(watching, s) }()
	defer func() { unwatch(); <-watched }()
	select {
	case err := <-served:
		if err == nil {
			err = net.ErrClosed
		}
		cancel()
		counting.Abort()
		return fmt.Errorf("server: listening on %s: %w", ln.Addr(), errors.Join(err, ln.Close()))
	case <-ctx.Done():
	}
	s.backups.Stop()
	s.uploads.Turn.Stop()
	drain, stop := context.WithTimeout(base, s.opts.DrainTimeout)
	defer stop()
	notClosed := ln.Close()
	<-served // fasthttp counts one who accepts as a connection that is open
	counting.CloseWaiting()
	err := hs.ShutdownWithContext(drain)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		cancel()
		counting.Abort()
		return fmt.Errorf("server: requests cut off %v after the shutdown began: %w", s.opts.DrainTimeout, err)
	case err == nil:
		err = notClosed
	}
	if err != nil { // all were answered
		return fmt.Errorf("server: end of listening on %s: %w", ln.Addr(), err)
	}
	return nil
}

// listener returns a listener of at most MaxConnections connections, or as many as the process can
// open.
func (s *Server) listener(ln net.Listener) *transport.Listener {
	most, leaving := s.mostConnections()
	perAddress := s.opts.MaxConnectionsPerAddress
	if perAddress == 0 {
		perAddress = int(max(most/addressShare, leastPerAddress))
	}
	counting := transport.NewListener(ln, transport.Options{
		Most: int(most), PerAddress: max(perAddress, 0), Refusals: int(leaving),
		TLS: s.opts.TLS, HeadTime: s.patience(), MaxHead: maxHeader, MaxBody: s.opts.MaxBody, AnyBody: s.streams,
		Slack: min(s.patience(), writeTimeout, upload.DrainTime) / slackShare, Refusal: crowdedAnswer(),
		Refused: s.metrics.refused.Inc, GaveWay: s.metrics.gaveWay.Inc, Troubled: s.acceptFailed,
	})
	s.metrics.connections.Store(counting)
	return counting
}

// noteState notes a new state of a connection.
func noteState(conn net.Conn, state fasthttp.ConnState) {
	if c, ok := conn.(*transport.Conn); ok && state == fasthttp.StateIdle {
		c.Waiting()
	}
}

// streams reports whether a request may have a body of any length. Its endpoint then reads the body
// as it comes.
func (s *Server) streams(method, target []byte) bool {
	path, _, at := s.target(target)
	e, _ := s.routes.find(string(method), path, at)
	return e.streams
}

// acceptFailed logs why no connection is accepted for a while.
func (s *Server) acceptFailed(err error) {
	s.opts.Logger.Warn("no connection is accepted for a moment", slog.Any("error", err))
}

// patience returns how long the bytes of a request may take to arrive.
func (s *Server) patience() time.Duration {
	if s.opts.Timeout > 0 {
		return min(s.opts.Timeout, upload.ReadTimeout)
	}
	return upload.ReadTimeout
}

// serveFast answers one request.
func (s *Server) serveFast(base context.Context, f *fasthttp.RequestCtx) {
	start := time.Now()
	if conn, ok := f.Conn().(*transport.Conn); ok {
		conn.BeginAnswer()
	}
	if string(f.RequestURI()) == "*" { // OPTIONS alone has it (RFC 9110, 9.3.7)
		return
	}
	t := fastTransport{f}
	c := call.Request{
		Method:      methodOf(f.Method()),
		ContentType: mediaOf(f.Request.Header.ContentType()),
		Encoding:    string(f.Request.Header.ContentEncoding()),
		Length:      max(int64(f.Request.Header.ContentLength()), -1),
		Transport:   t,
	}
	var at *route
	c.Path, c.Query, at = s.target(f.RequestURI())
	buf := s.buffers.take()
	answer := s.respond(base, &c, at, start, *buf)
	// What is left of a body must not be taken for the next request.
	if c.BodyErr != nil || c.Body == nil && f.Request.Header.ContentLength() != 0 && f.Request.IsBodyStream() {
		f.SetConnectionClose()
	}
	h := &f.Response.Header
	h.SetStatusCode(answer.status)
	h.SetContentType(answer.contentType)
	answer.headers(func(name, value string) { h.SetCanonical([]byte(name), []byte(value)) })
	if answer.stream != nil {
		// An error of the stream ends the connection, so that the client sees that there is more to
		// come.
		f.Response.SetBodyStream(&patientStream{stream: answer.stream, setDeadline: f.Conn().SetWriteDeadline}, -1)
		return
	}
	*buf = answer.body
	if len(answer.body) > copiedBody {
		f.Response.SetBodyRaw(answer.body)                                   // sent after this function has returned
		f.SetUserValue(lentKey, &lentBuffer{&s.buffers, buf, answer.charge}) // closed when it was sent
		return
	}
	f.Response.SetBody(answer.body)
	answer.charge.sent()
	s.buffers.give(buf)
}

const lentKey = "buffer"

// lentBuffer is a buffer that is used again when its reply has been sent.
type lentBuffer struct {
	of     *buffers
	buf    *[]byte
	charge *charge
}

// Close gives the buffer back.
func (l *lentBuffer) Close() error {
	l.of.give(l.buf)
	l.charge.sent()
	return nil
}

// refusals are the codes of requests that the transport refuses, by status.
var refusals = map[int]api.Code{
	400: api.CodeInvalidRequest, 408: api.CodeRequestTimeout, 413: api.CodeBodyTooLarge, 414: api.CodeTargetTooLong,
	417: api.CodeExpectationFailed, 431: api.CodeHeaderTooLarge, 501: api.CodeNotImplemented, 505: api.CodeHTTPVersion,
}

// malformed answers what is no request, or did not arrive in time.
func (s *Server) malformed(f *fasthttp.RequestCtx, err error) {
	r := s.refusal(err)
	f.Response.Header.SetStatusCode(r.status)
	f.Response.Header.SetContentType(r.contentType)
	f.Response.SetBody(r.body)
}

// refusal returns what a request is answered with that has not reached its endpoint. If the
// endpoint is known, it is answered and counted as one of its own.
func (s *Server) refusal(err error) response {
	failed := &api.Error{Code: api.CodeInvalidRequest, Message: "the request is malformed"}
	refused, ok := errors.AsType[*transport.Error](err)
	switch {
	case ok && refused.Target != "":
		path, _, at := s.target([]byte(refused.Target))
		e, _ := s.routes.find(refused.Method, path, at)
		r := s.fail(context.Background(), e, s.tooLarge(), nil)
		if e.observed != nil {
			e.observed.observe(&r, 0, len(r.body), 0)
		}
		return r
	case ok:
		failed = &api.Error{Code: refusals[refused.Status], Message: refused.Text}
	case upload.IsTimeout(err):
		failed = &api.Error{Code: api.CodeRequestTimeout, Message: "the request did not arrive in time"}
	}
	s.metrics.malformed(failed)
	return response{status: failed.Code.Status(), code: failed.Code, contentType: call.ContentJSON,
		body: append(api.ErrorReply{Error: *failed}.AppendJSON(nil), '\n')}
}

// fastTransport is a request of fasthttp.
type fastTransport struct{ f *fasthttp.RequestCtx }

func (t fastTransport) Read(p []byte) (int, error) {
	if body := t.f.RequestBodyStream(); body != nil {
		return body.Read(p)
	}
	return 0, io.EOF
}

func (t fastTransport) ReadUntil(until time.Time) { _ = t.f.Conn().SetReadDeadline(until) }

func (t fastTransport) Remote() string { return t.f.RemoteAddr().String() }

func (t fastTransport) Header(name string) string {
	if name == "Host" {
		if authority := transport.Authority(string(t.f.RequestURI())); authority != "" {
			return authority
		}
	}
	return string(bytes.Join(t.f.Request.Header.PeekAll(name), []byte(", ")))
}

func (t fastTransport) Has(name string) bool { return len(t.f.Request.Header.PeekAll(name)) > 0 }

func (t fastTransport) Fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, value := range t.f.Request.Header.All() {
			if !yield(string(name), string(value)) {
				return
			}
		}
	}
}
