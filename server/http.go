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

	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/transport"
	"github.com/uproar-db/uproar/server/upload"
)

// ServeHTTP answers one request: it makes a Server an http.Handler, for a test or for a program
// that has a server of its own. Serve needs less time for each. What net/http has read is judged as
// Serve judges it, as far as it can still be seen: net/http removes a Content-Length beside chunks,
// and joins folded lines.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if refused := checkRequest(r); refused != nil {
		s.refuse(w, refused)
		return
	}
	c := call.Request{
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		Query:       r.URL.RawQuery,
		ContentType: r.Header.Get("Content-Type"),
		Encoding:    r.Header.Get("Content-Encoding"),
		Length:      r.ContentLength,
		Transport:   &httpTransport{w, r},
	}
	buf := s.buffers.take()
	defer s.buffers.give(buf)
	answer := s.respond(s.limited(r.Context()), &c, nil, time.Now(), *buf)
	defer answer.charge.sent()
	*buf = answer.body
	if c.Body == nil && r.ContentLength != 0 { // net/http reads what is left of the body before it sends an answer
		c.Transport.ReadUntil(time.Now().Add(upload.DrainTime))
	}
	h := w.Header()
	if answer.contentType != "" {
		h.Set("Content-Type", answer.contentType)
	}
	if answer.stream == nil && answer.status != http.StatusNoContent && answer.status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	answer.headers(h.Set)
	if c.BodyErr != nil {
		h.Set("Connection", "close") // what is left of the body is no request
	}
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
	if c.BodyErr != nil {
		finishUnread(w, r, answer.body)
		return
	}
	// It fails when the client has gone: nobody is left to be told.
	_, _ = w.Write(answer.body)
}

// checkRequest refuses what Serve would.
func checkRequest(r *http.Request) *transport.Error {
	for _, name := range transport.Single {
		if len(r.Header[name]) > 1 {
			return transport.Repeated(name)
		}
	}
	if expects := r.Header.Get("Expect"); expects != "" && r.ProtoAtLeast(1, 1) {
		if refused := transport.CheckExpect(expects); refused != nil {
			return refused
		}
	}
	if r.RequestURI == "" { // it did not come over a network
		return nil
	}
	if r.Host != "" || r.ProtoAtLeast(1, 1) {
		if refused := transport.CheckHost(r.Host); refused != nil {
			return refused
		}
	}
	return transport.CheckTarget(r.Method, r.RequestURI)
}

// refuse answers a request that has no way to a handler.
func (s *Server) refuse(w http.ResponseWriter, refused *transport.Error) {
	r := s.refusal(refused)
	w.Header().Set("Content-Type", r.contentType)
	w.Header().Set("Connection", "close")
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body)
}

// finishUnread sends an answer while the client is still sending its body, and reads on for a
// moment: one whose connection is closed in the midst of it may never read the answer.
func finishUnread(w http.ResponseWriter, r *http.Request, answer []byte) {
	conn := http.NewResponseController(w)
	_ = conn.EnableFullDuplex() // HTTP/2 has it anyway
	_, _ = w.Write(answer)
	_ = conn.Flush()
	until := time.Now().Add(lingerTime)
	for rest := make([]byte, 64<<10); time.Now().Before(until); {
		_ = conn.SetReadDeadline(time.Now().Add(upload.DrainTime))
		if _, err := r.Body.Read(rest); err != nil {
			return
		}
	}
}

// lingerTime is how long a body is read that nobody wants, at most.
const lingerTime = 5 * time.Second

// httpTransport is a request of net/http.
type httpTransport struct {
	w http.ResponseWriter
	r *http.Request
}

func (t *httpTransport) Read(p []byte) (int, error) { return t.r.Body.Read(p) }

// ReadUntil sets the deadline of reading. A transport that has none, as in a test, waits for the
// whole body.
func (t *httpTransport) ReadUntil(until time.Time) {
	_ = http.NewResponseController(t.w).SetReadDeadline(until)
}

func (t *httpTransport) Remote() string { return t.r.RemoteAddr }

func (t *httpTransport) Header(name string) string {
	if name == "Host" { // net/http takes it out of the others
		return strings.TrimPrefix(t.r.URL.User.String()+"@"+t.r.Host, "@")
	}
	return strings.Join(t.r.Header[name], ", ")
}

func (t *httpTransport) Has(name string) bool {
	return name == "Host" && t.r.Host != "" || len(t.r.Header[name]) > 0
}

func (t *httpTransport) Fields() iter.Seq2[string, string] {
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
