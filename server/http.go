// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ServeHTTP answers one request: it makes a Server an http.Handler, for a test or for a program that has a server of its own. Serve needs less time for each.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := call{
		method:      r.Method,
		path:        r.URL.EscapedPath(),
		query:       r.URL.RawQuery,
		contentType: r.Header.Get("Content-Type"),
		encoding:    r.Header.Get("Content-Encoding"),
		length:      r.ContentLength,
		transport:   &httpTransport{w, r},
	}
	buf := s.buffers.take()
	defer s.buffers.give(buf)
	answer := s.respond(s.limited(r.Context()), &c, time.Now(), *buf)
	defer answer.charge.sent()
	*buf = answer.body
	if c.body == nil && r.ContentLength != 0 { // net/http reads what is left of the body before it sends an answer
		c.transport.readUntil(time.Now().Add(drainTime))
	}
	h := w.Header()
	if answer.contentType != "" {
		h.Set("Content-Type", answer.contentType)
	}
	if answer.stream == nil && answer.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	answer.headers(h.Set)
	w.WriteHeader(answer.status)
	if answer.stream != nil {
		conn := http.NewResponseController(w)
		_ = conn.SetReadDeadline(time.Time{}) // the stream may take longer than a request may take to arrive
		in := &patientStream{stream: answer.stream, setDeadline: conn.SetWriteDeadline}
		_, err := io.Copy(flushed{w, conn}, in)
		if errors.Join(err, in.Close()) != nil {
			panic(http.ErrAbortHandler) // the one way to have the client see that there is more to come
		}
		return
	}
	// It fails when the client has gone: nobody is left to be told.
	_, _ = w.Write(answer.body)
}

// httpTransport is a request of net/http.
type httpTransport struct {
	w http.ResponseWriter
	r *http.Request
}

func (t *httpTransport) Read(p []byte) (int, error) { return t.r.Body.Read(p) }

// readUntil sets the deadline of reading. A transport that has none, as in a test, waits for the whole body.
func (t *httpTransport) readUntil(until time.Time) {
	_ = http.NewResponseController(t.w).SetReadDeadline(until)
}

func (t *httpTransport) remote() string { return t.r.RemoteAddr }

func (t *httpTransport) header(name string) string {
	if name == "Host" { // net/http takes it out of the others
		return strings.TrimPrefix(t.r.URL.User.String()+"@"+t.r.Host, "@")
	}
	return t.r.Header.Get(name)
}

func (t *httpTransport) fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, values := range t.r.Header {
			for _, value := range values {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}
