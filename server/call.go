// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/api"
)

// A call is a request as a transport delivers it. Its bytes belong to the
// transport, and are valid until the reply is written.
type call struct {
	method, path string // the path as it came, still escaped
	query        string // what follows the question mark, undecoded
	contentType  string
	encoding     string // Content-Encoding
	length       int64  // of the body, as it was announced; -1: it was not
	transport    carrier
	body         []byte
	bodyErr      error // why there is no body: too large, broken off, or not admitted in time
}

// remote returns the address of the client.
func (c *call) remote() string {
	if c.transport == nil {
		return ""
	}
	return c.transport.remote()
}

// A reply is what a call is answered with.
type reply interface {
	AppendJSON(dst []byte) []byte
}

// A source is a reply that is still to be read, and goes straight into the bytes that are sent: a
// long list is never held in another form.
type source interface {
	reply
	// append appends the reply, or fails; what was appended until then is not sent.
	append(dst []byte) ([]byte, error)
}

// fromSource is part of every source.
type fromSource struct{}

// AppendJSON is never called: append is.
func (fromSource) AppendJSON([]byte) []byte { panic("server: a source is appended with its errors") }

// text is a reply that is no JSON.
type text struct {
	contentType string
	body        []byte
}

// AppendJSON is never called: what is no JSON is sent as it is.
func (text) AppendJSON([]byte) []byte { panic("server: a text is not JSON") }

// streamed is a reply that is sent while it is made.
type streamed struct {
	contentType string
	stream      io.ReadCloser
}

// AppendJSON is never called: what is no JSON is sent as it is.
func (streamed) AppendJSON([]byte) []byte { panic("server: a stream is not JSON") }

// A handler answers a call.
type handler func(context.Context, call) (reply, error)

// An endpoint is a handler with where it is found and how metrics and logs call
// it.
type endpoint struct {
	method, path, name string
	handle             handler
}

// errorFormat is how an endpoint's answers differ from those of docs/http.md.
type errorFormat struct {
	contentType string
	// appends what an error is answered with
	fail   func(dst []byte, e *api.Error, err error) (body []byte, status int)
	access func(e endpoint) (need access, always bool) // what a call needs
	whole  bool                                        // its lists have no pages
}

// StatusError is an error in the words of another server's interface, with its status.
type StatusError struct {
	Status int
	Text   string
}

func (e *StatusError) Error() string { return "server: " + e.Text }

// bind makes a handler of a decoder of calls and a function of what it decodes.
func bind[Q any](decode func(call) (Q, error), handle func(context.Context, Q) (reply, error)) handler {
	return func(ctx context.Context, c call) (reply, error) {
		q, err := decode(c)
		if err != nil {
			return nil, err
		}
		return handle(ctx, q)
	}
}

// run answers a call, and appends the body of the answer to dst. It never panics.
func (s *Server) run(ctx context.Context, e *bound, c call, dst []byte) response {
	contentType := contentJSON
	if e.errorFormat != nil {
		contentType = e.errorFormat.contentType
	}
	body, stream, special, err := s.try(ctx, e.handle, c, dst)
	if err == nil && stream != nil {
		return response{status: 200, contentType: special, body: dst, stream: stream}
	}
	if err == nil && special != "" {
		return response{status: 200, contentType: special, body: body}
	}
	if err == nil {
		return response{status: 200, contentType: contentType, body: append(body, '\n')}
	}
	return s.fail(ctx, e, err, dst)
}

// fail appends what an error is answered with to dst.
func (s *Server) fail(ctx context.Context, e *bound, err error, dst []byte) response {
	failed := failure(err)
	if failed.Code == api.CodeInternal {
		failed.RequestID = s.ids.next()
		attrs := []slog.Attr{slog.String("request_id", failed.RequestID), slog.String("endpoint", e.name),
			slog.Any("error", err)}
		if p, ok := err.(*panicked); ok {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
	}
	if isDisk(failed) && e.name != "readyz" {
		s.diskFailed(ctx, e, failed, err)
	}
	if e.errorFormat != nil {
		body, status := e.errorFormat.fail(dst, failed, err)
		return response{status: status, code: failed.Code, contentType: e.errorFormat.contentType,
			body: append(body, '\n')}
	}
	body := api.ErrorReply{Error: *failed}.AppendJSON(dst)
	return response{status: failed.Code.Status(), code: failed.Code, contentType: contentJSON, body: append(body, '\n')}
}

// panicked is the error of a handler that panicked.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("server: handler panicked: %v", p.value) }

func (s *Server) try(ctx context.Context, handle handler, c call, dst []byte) (body []byte, stream io.ReadCloser,
	contentType string, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value, debug.Stack()}
		}
	}()
	r, err := handle(ctx, c)
	if err != nil {
		return dst, nil, "", err
	}
	switch r := r.(type) {
	case source:
		body, err = r.append(dst)
	case text:
		return append(dst, r.body...), nil, r.contentType, nil
	case streamed:
		return dst, r.stream, r.contentType, nil
	default:
		body = r.AppendJSON(dst)
	}
	return body, nil, "", err
}

// requestIDs numbers the requests that the log speaks of. A random prefix tells
// the runs of a server apart.
type requestIDs struct {
	run  string
	last atomic.Uint64
}

func newRequestIDs() requestIDs {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return requestIDs{run: hex.EncodeToString(b[:])}
}

func (ids *requestIDs) next() string {
	return ids.run + "-" + strconv.FormatUint(ids.last.Add(1), 10)
}

// buffers are reused between replies.
type buffers struct{ pool sync.Pool }

// maxKept is the largest buffer that is reused, so that one huge reply does not
// stay in memory.
const maxKept = 256 << 10

func (b *buffers) take() *[]byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return buf
	}
	return new([]byte)
}

func (b *buffers) give(buf *[]byte) {
	if cap(*buf) <= maxKept {
		*buf = (*buf)[:0]
		b.pool.Put(buf)
	}
}

// stoppingKey finds, in the context of a request, the one that ends when the server is told to
// stop.
type stoppingKey struct{}

// maxMessage bounds the text of an error, in bytes: it repeats what a client has sent.
const maxMessage = 1 << 10

// cut returns a text of at most about so many bytes: the middle of a longer one is left out,
// because its end says what was wanted.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := most / 4
	return strings.ToValidUTF8(text[:most-end], "") + " ... " + strings.ToValidUTF8(text[len(text)-end:], "")
}
