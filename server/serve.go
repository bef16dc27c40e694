// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/uproar-db/uproar/api"
)

// Bounds of a connection, whatever is asked on it.
const (
	readTimeout  = 30 * time.Second // a body included
	writeTimeout = 30 * time.Second // for the client to take its answer
	idleTimeout  = 2 * time.Minute
	maxHeader    = 64 << 10 // the address of an intersection of 1 000 accounts fits
	writeBuffer  = 16 << 10 // a page of a list leaves at once
)

// slackShare is which part of its time the deadline of a connection may come too early: one that is so little later than the last is not set.
const slackShare = 32

// copiedBody is the size up to which a reply is copied to the connection's own memory; larger ones are sent from where they are.
const copiedBody = 64 << 10

// Serve answers requests on a listener until ctx is done. Then it accepts no
// more connections, lets the running requests finish for at most
// Options.DrainTimeout, and returns nil; an error says that some were cut off, or
// that the listener failed. The listener is closed in any case, the database is
// not.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	s.shareProcessors()
	counting := s.crowded(ln)
	// Requests outlive ctx, and end with the drain.
	base, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, ctx))
	defer cancel()
	limited := s.limited(base)
	var open connections
	hs := &fasthttp.Server{
		Handler:                      func(f *fasthttp.RequestCtx) { s.serveFast(limited, f) },
		ErrorHandler:                 s.malformed,
		ReadTimeout:                  s.patience(),
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ReadBufferSize:               maxHeader,
		WriteBufferSize:              writeBuffer,
		Concurrency:                  2 * (s.opts.MaxConnections + 1), // never reached: the listener refuses before, and fasthttp counts those that have left a loop twice
		StreamRequestBody:            true,
		MaxRequestBodySize:           int(s.opts.MaxBody),
		DisablePreParseMultipartForm: true,
		NoDefaultServerHeader:        true,
		SecureErrorLogMessage:        true, // requests have tokens
		NoDefaultContentType:         true,
		CloseOnShutdown:              true,
		ConnState:                    open.note,
		Logger:                       slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelDebug),
	}
	ln = counting
	loops := s.newLoops(limited)
	var leaving sync.WaitGroup // connections that have left their loop, until they are served
	if loops != nil {
		ln = &entrance{counting, loops}
		counting.left = func(c *counted) {
			leaving.Add(1)
			begun := sync.OnceFunc(leaving.Done)
			c.begun = begun
			open.note(c, fasthttp.StateNew)
			go func() {
				defer begun()
				_ = hs.ServeConn(c)                // an error is the client's
				open.note(c, fasthttp.StateClosed) // which fasthttp does not say of one that it refuses
			}()
		}
	}
	if s.opts.TLS != nil {
		ln = tls.NewListener(ln, s.opts.TLS)
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	select {
	case err := <-served:
		if err == nil {
			err = net.ErrClosed
		}
		cancel()
		loops.Stop()
		_ = loops.Wait(base) // which is done: those who take an answer are cut off
		open.close()
		return fmt.Errorf("server: listening on %s: %w", ln.Addr(), errors.Join(err, ln.Close()))
	case <-ctx.Done():
	}
	s.backups.stop()
	s.imports.stop()
	drain, stop := context.WithTimeout(base, s.opts.DrainTimeout)
	defer stop()
	notClosed := ln.Close()
	<-served // fasthttp counts one who accepts as a connection that is open
	loops.Stop()
	leaving.Wait()
	err := hs.ShutdownWithContext(drain)
	if cut := loops.Wait(drain); cut != nil {
		err = cut
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		cancel()
		open.close()
		return fmt.Errorf("server: requests cut off %v after the shutdown began: %w", s.opts.DrainTimeout, err)
	case err == nil:
		err = notClosed
	}
	if err != nil { // all were answered
		return fmt.Errorf("server: end of listening on %s: %w", ln.Addr(), err)
	}
	return nil
}

// crowded returns a listener of at most MaxConnections connections, or as many as the process can open.
func (s *Server) crowded(ln net.Listener) *crowded {
	most, leaving := s.mostConnections()
	limited := &crowded{Listener: ln, most: most, mostLeaving: leaving, troubled: s.acceptFailed, slack: min(s.patience(), writeTimeout, drainTime) / slackShare, yields: s.opts.Slice > 0, refusal: crowdedAnswer(), refused: s.metrics.refused.Inc}
	s.metrics.connections.Store(limited)
	if s.opts.TLS != nil {
		limited.refusal = nil
	}
	return limited
}

// acceptFailed is told why no connection is accepted for a while.
func (s *Server) acceptFailed(err error) {
	s.opts.Logger.Warn("no connection is accepted for a moment", slog.Any("error", err))
}

// patience returns how long the bytes of a request may take to arrive.
func (s *Server) patience() time.Duration {
	if s.opts.Timeout > 0 {
		return min(s.opts.Timeout, readTimeout)
	}
	return readTimeout
}

// serveFast answers one request.
func (s *Server) serveFast(base context.Context, f *fasthttp.RequestCtx) {
	start := time.Now()
	t := fastTransport{f}
	c := call{
		method:      methodOf(f.Method()),
		contentType: mediaOf(f.Request.Header.ContentType()),
		encoding:    string(f.Request.Header.ContentEncoding()),
		length:      max(int64(f.Request.Header.ContentLength()), -1),
		transport:   t,
	}
	c.path, c.query, c.route = s.target(f.RequestURI())
	buf := s.buffers.take()
	answer := s.respond(base, &c, start, *buf)
	// What is left of a body must not be taken for the next request.
	if c.bodyErr != nil || c.body == nil && f.Request.Header.ContentLength() != 0 && f.Request.IsBodyStream() {
		f.SetConnectionClose()
	}
	h := &f.Response.Header
	h.SetStatusCode(answer.status)
	h.SetContentType(answer.contentType)
	answer.headers(func(name, value string) { h.SetCanonical([]byte(name), []byte(value)) })
	if answer.stream != nil {
		// An error of the stream ends the connection, so that the client sees that there is more to come.
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

// target splits what stands in the first line of a request into path and query. The route is nil when the path has none as it stands there.
func (s *Server) target(uri []byte) (path, query string, at *route) {
	if len(uri) > 0 && uri[0] != '/' { // the absolute form, of proxies
		if u, err := url.Parse(string(uri)); err == nil {
			return u.EscapedPath(), u.RawQuery, nil
		}
	}
	before, after, _ := bytes.Cut(uri, []byte("?"))
	if at = s.routes.at(before); at != nil {
		return at.path, string(after), at
	}
	return string(before), string(after), nil
}

// methodOf returns a method as a string, which for the most frequent ones is no new one.
func methodOf(method []byte) string {
	switch string(method) {
	case "GET":
		return "GET"
	case "POST":
		return "POST"
	}
	return string(method)
}

// mediaOf returns a content type as a string, which for the most frequent ones is no new one.
func mediaOf(media []byte) string {
	if string(media) == contentJSON {
		return contentJSON
	}
	return string(media)
}

// malformed answers what is no request, or did not arrive in time.
func (s *Server) malformed(f *fasthttp.RequestCtx, err error) {
	failed := &api.Error{Code: api.CodeInvalidRequest, Message: "the request is malformed"}
	switch {
	case errors.As(err, new(*fasthttp.ErrSmallBuffer)):
		failed.Message = fmt.Sprintf("the header has more than %d bytes", maxHeader)
	case isTimeout(err):
		failed = failure(context.DeadlineExceeded)
		f.Response.Header.Set("Retry-After", "1")
	}
	f.Response.Header.SetStatusCode(failed.Code.Status())
	f.Response.Header.SetContentType(contentJSON)
	f.Response.SetBody(append(api.ErrorReply{Error: *failed}.AppendJSON(nil), '\n'))
}

// fastTransport is a request of fasthttp.
type fastTransport struct{ f *fasthttp.RequestCtx }

func (t fastTransport) Read(p []byte) (int, error) {
	if body := t.f.RequestBodyStream(); body != nil {
		return body.Read(p)
	}
	return 0, io.EOF
}

func (t fastTransport) readUntil(until time.Time) { _ = t.f.Conn().SetReadDeadline(until) }

func (t fastTransport) remote() string { return t.f.RemoteAddr().String() }

func (t fastTransport) header(name string) string {
	if uri := t.f.RequestURI(); name == "Host" && len(uri) > 0 && uri[0] != '/' { // the absolute form goes before (RFC 9112, 3.2.2)
		if u, err := url.Parse(string(uri)); err == nil && u.Host != "" {
			return strings.TrimPrefix(u.User.String()+"@"+u.Host, "@")
		}
	}
	return string(t.f.Request.Header.Peek(name))
}

func (t fastTransport) fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, value := range t.f.Request.Header.All() {
			if !yield(string(name), string(value)) {
				return
			}
		}
	}
}

// connections are those that are open, to be closed when draining has taken too long.
type connections struct{ open sync.Map }

// note is told what becomes of a connection.
func (c *connections) note(conn net.Conn, state fasthttp.ConnState) {
	switch state {
	case fasthttp.StateNew:
		c.open.Store(conn, nil)
	case fasthttp.StateClosed, fasthttp.StateHijacked:
		c.open.Delete(conn)
	}
}

func (c *connections) close() {
	c.open.Range(func(conn, _ any) bool {
		_ = conn.(net.Conn).Close()
		return true
	})
}
