// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/api"
)

// A call is a request as a transport delivers it. Its bytes belong to the
// transport, and are valid until the reply is written.
type call struct {
	query       string // what follows the question mark, undecoded
	contentType string
	encoding    string // Content-Encoding
	body        []byte
	bodyErr     error // why there is no body: too large, or broken off
}

// A reply is what a call is answered with.
type reply interface {
	AppendJSON(dst []byte) []byte
}

// A handler answers a call.
type handler func(context.Context, call) (reply, error)

// An endpoint is a handler with where it is found and how metrics and logs call
// it.
type endpoint struct {
	method, path, name string
	handle             handler
}

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

// run answers a call: it appends the body of the reply to dst, and returns its
// status. It never panics.
func (s *Server) run(ctx context.Context, e endpoint, c call, dst []byte) (body []byte, status int) {
	length := len(dst)
	body, err := s.try(ctx, e.handle, c, dst)
	if err == nil {
		return append(body, '\n'), 200
	}
	failed := failure(err)
	if failed.Code == api.CodeInternal {
		failed.RequestID = s.ids.next()
		attrs := []slog.Attr{slog.String("request_id", failed.RequestID), slog.String("endpoint", e.name), slog.Any("error", err)}
		if p, ok := err.(*panicked); ok {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
		s.opts.Logger.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
	}
	body = api.ErrorReply{Error: *failed}.AppendJSON(dst[:length])
	return append(body, '\n'), failed.Code.Status()
}

// panicked is the error of a handler that panicked.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("server: handler panicked: %v", p.value) }

func (s *Server) try(ctx context.Context, handle handler, c call, dst []byte) (body []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value, debug.Stack()}
		}
	}()
	r, err := handle(ctx, c)
	if err != nil {
		return dst, err
	}
	return r.AppendJSON(dst), nil
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
const maxKept = 1 << 20

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
