// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package replica

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/trace"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/ship"
)

// Forward says what a copy that follows does with calls that write.
type Forward string

// What it does. The zero value is Redirect.
const (
	Redirect Forward = "redirect" // answers 307 with the address of the copy that leads
	Proxy    Forward = "proxy"    // asks the copy that leads, and answers what that answers
	Refuse   Forward = "refuse"   // answers 503, and names the copy that leads
)

// passedBy is the field of a call that a copy has passed on: its name. Such a call is passed on no
// further.
const passedBy = "Uproar-Passed-By"

// mostAnswer bounds the answer to a call that was passed on.
const mostAnswer = 64 << 20

// writerWait is how long a call that writes waits for a copy that leads, at most: this one may hear
// of it just now.
const writerWait = 2 * time.Second

// awaitWriter returns how the copy is doing when it knows of one that leads, or after writerWait.
func (c *Copy) awaitWriter(ctx context.Context) ship.Status {
	for end := time.Now().Add(writerWait); ; {
		st := c.replica.Status()
		if st.Leads || st.Writer.ID != "" && st.Writer.ID != st.Node.ID || st.Failure != nil || time.Now().After(end) {
			return st
		}
		select {
		case <-ctx.Done():
			return st
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// elsewhere returns where a call that writes is to go from a copy that follows.
func (c *Copy) elsewhere(req *call.Request, st ship.Status) (location string, err error) {
	by := ""
	if req.Transport != nil {
		by = req.Transport.Header(passedBy)
	}
	switch {
	case st.Failure != nil && st.Writer.ID == st.Node.ID:
		return "", noWriter("%s", errStopped.Message)
	case st.Writer.URL == "" || st.Writer.ID == st.Node.ID:
		return "", noWriter("no copy takes writes now, or it has no address; try again later")
	case st.Writer.Address() == st.Node.Address():
		return "", noWriter("copy %s takes the writes, and says that it is reached at %s, as this one does: start "+
			"each with an address of its own (--advertise)", call.Quote(st.Writer.ID), st.Writer.URL)
	case by != "":
		return "", noWriter("copy %s passed this write on to one that does not lead, and nothing was written; "+
			"another copy has just taken over, or the address of the one that leads, %s, is that of all",
			call.Quote(by), st.Writer.URL)
	case c.forward == Refuse:
		return "", &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonFollows,
			Message: "this copy follows, and passes no writes on; write to " + st.Writer.URL}
	}
	location = strings.TrimSuffix(st.Writer.URL, "/") + req.Path
	if req.Query != "" {
		location += "?" + req.Query
	}
	return location, nil
}

// noWriter is the error of a write for which there is no copy now. Nothing was written.
func noWriter(format string, args ...any) error {
	return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonNoWriter, Message: fmt.Sprintf(format, args...)}
}

// Proxies reports whether the copy passes calls that write on itself.
func (c *Copy) Proxies() bool { return c.forward == Proxy }

// newTransport returns what sends calls on. keep has it keep connections.
func newTransport(keep bool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // the answer is compressed for the client
	t.DisableKeepAlives = !keep
	t.MaxIdleConnsPerHost = 64
	return t
}

// Answer is what the copy that leads has answered.
type Answer struct {
	Status      int
	Code        api.Code // of an error
	ContentType string
	Fields      [][2]string // those of copies
	Body        []byte      // appended to what Pass was given
}

// Pass asks the copy that leads, at a location that Admit has returned, and appends its answer to
// dst. The body of the call is req.Body, or what stream brings, if that is not nil: so much of it
// as the call has announced. Errors: ctx's, or *api.Error, which says whether a write may have been
// done.
func (c *Copy) Pass(ctx context.Context, req *call.Request, location string, stream io.Reader, dst []byte) (
	answer Answer, err error) {
	c.passed.Add(1)
	// What is sent may still be read after the answer, when the bytes of the call are another's.
	transport, body := c.kept, io.Reader(bytes.NewReader(bytes.Clone(req.Body)))
	if stream != nil {
		transport, body = c.fresh, io.NopCloser(stream) // a kept connection may just end, and a stream is there once
	}
	r, err := http.NewRequestWithContext(ctx, req.Method, location, body)
	if err != nil {
		return answer, noWriter("the copy that leads says that it is reached at %s, which is no address",
			call.Quote(location))
	}
	if stream != nil {
		r.ContentLength = req.Length
	}
	passFields(r.Header, req, stream != nil)
	st := c.replica.Status()
	if r.URL.Scheme != "https" && r.Header.Get("Authorization") != "" && strings.HasPrefix(st.Node.URL, "https:") {
		return answer, noWriter("the copy that leads, at %s, is not encrypted as this one is, and gets no token from it",
			st.Writer.URL)
	}
	r.Header.Set(passedBy, st.Node.ID)
	if req.ID != "" {
		r.Header.Set("X-Request-Id", req.ID)
	}
	trace.Forward(ctx, r.Header.Set)
	reply, err := transport.RoundTrip(r)
	if err != nil {
		return answer, unreached(ctx, err, st.Writer.URL)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, mostAnswer+1))
	if err != nil {
		return answer, unreached(ctx, err, st.Writer.URL)
	}
	if len(text) > mostAnswer || reply.StatusCode < 200 || reply.StatusCode >= 300 && reply.StatusCode < 400 {
		return answer, doubtful("the answer of " + st.Writer.URL + " is none of a copy")
	}
	answer = Answer{Status: reply.StatusCode, ContentType: reply.Header.Get("Content-Type"), Body: append(dst, text...)}
	for name, values := range reply.Header {
		if strings.HasPrefix(name, ownFields) {
			answer.Fields = append(answer.Fields, [2]string{name, values[0]})
		}
	}
	if reply.StatusCode >= 400 {
		answer.Code = codeOf(text)
	}
	return answer, nil
}

// notPassed are fields that are of a connection, or of what this copy has judged already.
var notPassed = map[string]bool{
	"Accept-Encoding": true, "Connection": true, "Content-Length": true, "Cookie": true, "Expect": true, "Host": true,
	"Keep-Alive": true, "Origin": true, "Proxy-Authenticate": true, "Proxy-Authorization": true,
	"Proxy-Connection": true, "Referer": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
}

// passFields passes the fields of a call on. coded tells that its body is as it came.
func passFields(to http.Header, req *call.Request, coded bool) {
	if req.Transport == nil {
		return
	}
	var ofConnection []string
	for name := range strings.SplitSeq(req.Transport.Header("Connection"), ",") {
		ofConnection = append(ofConnection, http.CanonicalHeaderKey(strings.TrimSpace(name)))
	}
	for name, value := range req.Transport.Fields() {
		name = http.CanonicalHeaderKey(name)
		if !notPassed[name] && !strings.HasPrefix(name, "Sec-") && (coded || name != "Content-Encoding") {
			to.Add(name, value)
		}
	}
	for _, name := range ofConnection {
		to.Del(name)
	}
}

// unreached is the error of a call that the copy which leads has not answered.
func unreached(ctx context.Context, err error, writer string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return noWriter("the copy that leads cannot be reached at %s, and nothing was written; try again later", writer)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return noWriter("this server does not trust the certificate of the copy that leads, at %s", writer)
	}
	return doubtful("the copy that leads, at " + writer + ", has not answered")
}

// doubtful is the error of a write that may have been done.
func doubtful(why string) error {
	return &api.Error{Code: api.CodeUnavailable,
		Message: why + "; the write may have been done all the same, and may be repeated"}
}
