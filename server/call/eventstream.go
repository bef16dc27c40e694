// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

const (
	// keepAlive is how often a stream without events sends a comment, which finds out that nobody
	// reads it.
	keepAlive = 15 * time.Second

	// maxStreams is how many streams of events a server sends at a time.
	maxStreams = 1_024
)

// Events counts the streams of events that are being sent. The zero value is ready for use.
type Events struct{ streams atomic.Int64 }

// AsksForEvents reports whether a request wants its reply as server-sent events. after is the ID of
// the last event that the client has seen, if it says so.
func AsksForEvents(c *Request) (after uint64, seen, yes bool, err error) {
	if c.Transport == nil || c.Method != "GET" || !strings.Contains(c.Transport.Header("Accept"), ContentEvents) {
		return 0, false, false, nil
	}
	last := c.Transport.Header("Last-Event-ID")
	if last == "" {
		return 0, false, true, nil
	}
	if after, err = strconv.ParseUint(last, 10, 64); err != nil {
		return 0, false, true, Invalid("Last-Event-ID is %s, want the number of an event", Quote(last))
	}
	return after, true, true, nil
}

// Send returns the reply that sends events as they come: first, and then what next returns again
// and again. next waits for more until its context ends, and then returns the context's error. The
// stream ends with the server, or after the first other error, which is an event of its own.
func (e *Events) Send(ctx context.Context, first []byte, next func(context.Context) ([]byte, error)) (Reply, error) {
	if e.streams.Add(1) > maxStreams {
		e.streams.Add(-1)
		return nil, &api.Error{Code: api.CodeOverloaded, Message: "as many streams of events as this server sends are " +
			"being read, try again later or ask with \"wait\""}
	}
	s := &eventStream{next: next, unread: append([]byte("retry: 1000\n\n"), first...), of: e}
	// The time of the request is that of its beginning.
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.detach = func() bool { return false }
	if stopping, ok := ctx.Value(StoppingKey{}).(context.Context); ok {
		s.detach = context.AfterFunc(stopping, s.cancel)
	}
	return Streamed{ContentType: ContentEvents, Stream: s}, nil
}

// eventStream is a stream of events. For one reader.
type eventStream struct {
	ctx    context.Context
	cancel context.CancelFunc
	detach func() bool // from the end of the server
	next   func(context.Context) ([]byte, error)
	unread []byte
	failed bool
	closed bool
	of     *Events
}

// Read reads what is there, and waits while nothing is.
func (s *eventStream) Read(p []byte) (int, error) {
	for len(s.unread) == 0 {
		if s.failed || s.ctx.Err() != nil {
			return 0, io.EOF
		}
		waiting, cancel := context.WithTimeout(s.ctx, keepAlive)
		var err error
		s.unread, err = s.next(waiting)
		late := waiting.Err() != nil && s.ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
		case late:
			s.unread = []byte(": nothing yet\n\n")
		case s.ctx.Err() != nil || errors.Is(err, uproar.ErrClosed):
			return 0, io.EOF
		default:
			s.failed = true
			failure := api.ErrorReply{Error: *Failure(err)}
			s.unread = append(failure.AppendJSON([]byte("event: error\ndata: ")), "\n\n"...)
		}
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

// Close ends the stream.
func (s *eventStream) Close() error {
	s.detach()
	s.cancel()
	if !s.closed {
		s.closed = true
		s.of.streams.Add(-1)
	}
	return nil
}
