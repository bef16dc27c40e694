// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/uproar-db/uproar/api"
)

// Timeouts of a connection, whatever is asked on it.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second // a body included
	writeTimeout      = 30 * time.Second // beyond Options.Timeout: for the client to take its answer
	idleTimeout       = 2 * time.Minute
)

// Serve answers requests on a listener until ctx is done. Then it accepts no
// more connections, lets the running requests finish for at most
// Options.DrainTimeout, and returns nil; an error says that some were cut off, or
// that the listener failed. The listener is closed in any case, the database is
// not.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	// Requests outlive ctx, and end with the drain.
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + max(0, s.opts.Timeout) + writeTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("server: listening on %s: %w", ln.Addr(), err), hs.Close())
	case <-ctx.Done():
	}
	drain, stop := context.WithTimeout(base, s.opts.DrainTimeout)
	defer stop()
	if err := hs.Shutdown(drain); err != nil {
		cancel()
		return errors.Join(fmt.Errorf("server: requests cut off %v after the shutdown began: %w", s.opts.DrainTimeout, err), hs.Close())
	}
	<-served
	return nil
}

// ServeHTTP answers one request: it makes a Server an http.Handler, for a test or
// for a program that has a server of its own.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The mux would answer an unclean path with a redirect, in HTML.
	if p := r.URL.Path; p == "" || p[0] != '/' || p != path.Clean(p) {
		s.unknownPath(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// newMux binds endpoints to patterns. Every answer is JSON, so each path also
// takes the methods that it does not have.
func (s *Server) newMux(endpoints []endpoint) *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{"/metrics": {"GET", "HEAD"}}
	for _, e := range endpoints {
		mux.HandleFunc(e.method+" "+e.path, s.adapt(e))
		methods[e.path] = append(methods[e.path], e.method)
		if e.method == "GET" { // to which the mux adds HEAD
			methods[e.path] = append(methods[e.path], "HEAD")
		}
	}
	for path, allowed := range methods {
		slices.Sort(allowed)
		mux.HandleFunc(path, s.methodNotAllowed(strings.Join(allowed, ", ")))
	}
	metrics := promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{
		ErrorLog:      slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelError),
		ErrorHandling: promhttp.ContinueOnError,
	})
	refused := s.adapt(other(func(context.Context, call) (reply, error) {
		return nil, invalid("parameters after /metrics, want none")
	}))
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			refused(w, r)
			return
		}
		metrics.ServeHTTP(w, r)
	})
	mux.HandleFunc("/", s.unknownPath)
	return mux
}

// other is the endpoint of requests that are for none.
func other(handle handler) endpoint { return endpoint{name: "other", handle: handle} }

// adapt makes an HTTP handler of an endpoint.
func (s *Server) adapt(e endpoint) http.HandlerFunc {
	observed := s.metrics.endpoint(e.name)
	return func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		s.metrics.inFlight.Inc()
		defer s.metrics.inFlight.Dec()
		ctx := r.Context()
		if s.opts.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, s.opts.Timeout)
			defer cancel()
		}
		c := call{
			query:       r.URL.RawQuery,
			contentType: r.Header.Get("Content-Type"),
			encoding:    r.Header.Get("Content-Encoding"),
		}
		if e.method == http.MethodPost {
			c.body, c.bodyErr = s.readBody(w, r, start)
		}
		release, err := s.admit(ctx, len(c.body))
		if err != nil {
			c.bodyErr = err
		}
		defer release()
		buf := s.buffers.take()
		defer s.buffers.give(buf)
		var status int
		*buf, status = s.run(ctx, e, c, *buf)
		write(w, status, *buf)

		took := time.Since(start)
		observed.observe(status, took)
		if s.opts.Logger.Enabled(ctx, slog.LevelDebug) {
			s.opts.Logger.LogAttrs(ctx, slog.LevelDebug, "request",
				slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("endpoint", e.name),
				slog.String("query", r.URL.RawQuery), slog.String("remote", r.RemoteAddr),
				slog.Int("status", status), slog.Int("bytes", len(*buf)), slog.Duration("took", took))
		}
	}
}

// readBody reads the body of a request that came at start, up to the limits of size and time.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, start time.Time) ([]byte, error) {
	tooLarge := &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has more than %d bytes", s.opts.MaxBody)}
	if r.ContentLength > s.opts.MaxBody {
		return nil, tooLarge
	}
	if s.opts.Timeout > 0 {
		// A transport that has no deadlines, as in a test, waits for the whole body.
		_ = http.NewResponseController(w).SetReadDeadline(start.Add(s.opts.Timeout))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.opts.MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, context.DeadlineExceeded
	}
	if err != nil {
		return nil, invalid("body broke off after %d bytes", len(body))
	}
	return body, nil
}

func write(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("X-Content-Type-Options", "nosniff")
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	// It fails when the client has gone: nobody is left to be told.
	_, _ = w.Write(body)
}

func (s *Server) methodNotAllowed(allowed string) http.HandlerFunc {
	answer := s.adapt(other(func(context.Context, call) (reply, error) {
		return nil, &api.Error{Code: api.CodeMethodNotAllowed, Message: "this path has only the methods " + allowed}
	}))
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allowed)
		answer(w, r)
	}
}

func (s *Server) unknownPath(w http.ResponseWriter, r *http.Request) {
	s.adapt(other(func(context.Context, call) (reply, error) {
		return nil, &api.Error{Code: api.CodeUnknownPath, Message: "unknown path " + quote(r.URL.Path)}
	}))(w, r)
}
