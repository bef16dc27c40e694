// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/transport"
	"github.com/uproar-db/uproar/server/upload"
)

// limiter bounds how many calls are worked on at a time. Up to room more wait for their turn, each
// at most wait long: a client that waits longer would rather ask elsewhere. So an overloaded server
// is done with its queue within that time.
type limiter struct {
	working chan struct{} // has one for each that is worked on
	waiting atomic.Int64
	room    int64
	wait    time.Duration
}

func newLimiter(working, waiting int, wait time.Duration) *limiter {
	return &limiter{working: make(chan struct{}, working), room: int64(waiting), wait: wait}
}

// take waits for a turn. Who got one gives it back.
func (t *limiter) take(ctx context.Context) error {
	select {
	case t.working <- struct{}{}:
		return nil
	default:
	}
	if t.waiting.Add(1) > t.room {
		t.waiting.Add(-1)
		return overloaded("more requests are waiting than this server has room for; try again later")
	}
	defer t.waiting.Add(-1)
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	select {
	case t.working <- struct{}{}:
		return nil
	case <-timer.C:
		return overloaded(fmt.Sprintf("this request had no turn within %v; try again later", t.wait))
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *limiter) give() { <-t.working }

func overloaded(message string) error {
	return &api.Error{Code: api.CodeOverloaded, Message: message}
}

// crowdedAnswer is the answer to connections beyond the limit.
func crowdedAnswer() []byte {
	body := api.ErrorReply{Error: api.Error{Code: api.CodeOverloaded,
		Message: "this server has as many connections as it may have; try again later"}}.AppendJSON(nil)
	return fmt.Appendf(nil,
		"HTTP/1.1 503 Service Unavailable\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: "+
			"1\r\nConnection: close\r\n\r\n%s\n",
		call.ContentJSON, len(body)+1, body)
}

const (
	// connectionShare bounds connections to one in connectionShare of the files that the process
	// can still open. The store needs the others: it takes no writes when it could open too few.
	connectionShare = 2

	// maxLeaving is how many refused connections may be taking their answer, unless there may be
	// fewer others, or few files.
	maxLeaving = 256

	// leavingShare bounds refused connections that still take their answer: they may be one in
	// leavingShare of that room.
	leavingShare = 4
)

// affordable returns how many of the wanted connections there may be, and how many refused ones
// beside them. files is how many more files the process can open.
func affordable(wanted, files int64) (most, leaving int64) {
	room := files / connectionShare
	leaving = max(0, min(maxLeaving, wanted, room/leavingShare))
	return max(1, min(wanted, room-leaving)), leaving
}

// mostConnections returns how many connections Serve has at a time, and how many refused ones
// beside them.
func (s *Server) mostConnections() (most, leaving int64) {
	wanted := int64(s.opts.MaxConnections)
	enough := min(wanted+maxLeaving, math.MaxInt32/connectionShare) * connectionShare
	files, err := descriptor.Free(int(enough))
	if err != nil {
		s.opts.Logger.Warn("how many files can be opened is not known", slog.Any("error", err))
		return wanted, min(maxLeaving, wanted)
	}
	most, leaving = affordable(wanted, int64(files))
	if most < wanted {
		s.opts.Logger.Warn("fewer connections than MaxConnections: with those that are refused, half of the files "+
			"that the process can still open. Try: a higher limit of open files (ulimit -n)",
			slog.Int64("connections", most), slog.Int64("wanted", wanted), slog.Int("files", files))
	}
	return most, leaving
}

// smallBody is the size up to which a body is read without waiting for memory.
const smallBody = 64 << 10

// admitted is a body that is being worked on. The zero value is none.
type admitted struct {
	weight int64   // of a large one: the room that it has among them
	room   *[]byte // of a small one: its memory
}

// admit gives a small body its memory. A large body waits, in order of arrival, until the bodies
// being worked on leave room for it.
func (s *Server) admit(ctx context.Context, body int64) (admitted, error) {
	if body <= smallBody {
		return admitted{room: s.rooms.take()}, nil
	}
	weight := min(body, s.opts.MaxBody)
	if err := s.bodies.Acquire(ctx, weight); err != nil {
		return admitted{}, err
	}
	return admitted{weight: weight}, nil
}

// leave makes room for others. The body of the call must not be read from then on.
func (s *Server) leave(a admitted) {
	if a.weight > 0 {
		s.bodies.Release(a.weight)
	}
	if a.room != nil {
		s.rooms.give(a.room)
	}
}

// receive reads the body of a call, up to the limits of size and time. A large body waits for its
// turn before a byte of it is read, so that many large ones together take no more memory than those
// that are worked on. leave is called when the call has been answered.
func (s *Server) receive(ctx context.Context, c *call.Request) admitted {
	if c.Length > s.opts.MaxBody {
		c.BodyErr = s.tooLarge()
		return admitted{}
	}
	length := c.Length
	if length < 0 || c.Encoding != "" { // it does not say how much it is
		length = s.opts.MaxBody
	}
	a, err := s.admit(ctx, length)
	if err != nil {
		c.BodyErr = err
		return a
	}
	if until, ok := ctx.Deadline(); ok {
		c.Transport.ReadUntil(until)
	}
	from, end, err := upload.Decoded(c.Transport, c.Encoding)
	if err != nil {
		c.BodyErr = err
		return a
	}
	defer end()
	if a.room == nil {
		c.Body, c.BodyErr = s.readBody(from, c, nil)
		return a
	}
	if *a.room, c.BodyErr = s.readBody(from, c, *a.room); c.BodyErr == nil {
		c.Body = *a.room
	}
	return a
}

func (s *Server) tooLarge() error {
	return &api.Error{Code: api.CodeBodyTooLarge, Message: transport.TooLarge(s.opts.MaxBody).Text}
}

// readBody reads the body of a call into body. It takes memory of its own if the body does not fit.
func (s *Server) readBody(from io.Reader, c *call.Request, body []byte) ([]byte, error) {
	if want := min(max(c.Length, 512), s.opts.MaxBody) + 1; int64(cap(body)) < want { // a byte more tells the end
		body = make([]byte, 0, want)
	}
	for {
		// Net/http waits until it has as much of a chunk as is asked for.
		n, err := from.Read(body[len(body):min(int64(cap(body)), s.opts.MaxBody+1)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > s.opts.MaxBody:
			return nil, s.tooLarge()
		case err == io.EOF:
			return body, nil
		case upload.IsTimeout(err):
			return nil, context.DeadlineExceeded
		case err != nil && c.Encoding != "":
			return nil, call.Invalid("body is no %s, or broke off: %s", c.Encoding, err)
		case err != nil:
			return nil, call.Invalid("body broke off after %d bytes", len(body))
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}
