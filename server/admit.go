// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"io"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/transport"
	"github.com/uproar-db/uproar/server/upload"
)

// smallBody is the size of a body up to which its request is not worth waiting for.
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
