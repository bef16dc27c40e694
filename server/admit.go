// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/uproar-db/uproar/api"
)

// smallBody is the size of a body up to which its request is not worth waiting for.
const smallBody = 64 << 10

// admitted is a body that is being worked on. The zero value is none.
type admitted struct {
	weight int64   // of a large one: the room that it has among them
	room   *[]byte // of a small one: its memory
}

// admit gives a small body its memory, and has a large one wait until those that are being worked on leave room for it, in order of arrival.
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

// receive reads the body of a call, up to the limits of size and time. A large body waits for its turn before a byte of it is read, so that many large ones
// together take no more memory than those that are worked on. leave is called when the call has been answered.
func (s *Server) receive(ctx context.Context, c *call) admitted {
	if c.length > s.opts.MaxBody {
		c.bodyErr = s.tooLarge()
		return admitted{}
	}
	length := c.length
	if length < 0 || c.encoding != "" { // it does not say how much it is
		length = s.opts.MaxBody
	}
	a, err := s.admit(ctx, length)
	if err != nil {
		c.bodyErr = err
		return a
	}
	if until, ok := ctx.Deadline(); ok {
		c.transport.readUntil(until)
	}
	from, end, err := decoded(c.transport, c.encoding)
	if err != nil {
		c.bodyErr = err
		return a
	}
	defer end()
	if a.room == nil {
		c.body, c.bodyErr = s.readBody(from, c, nil)
		return a
	}
	if *a.room, c.bodyErr = s.readBody(from, c, *a.room); c.bodyErr == nil {
		c.body = *a.room
	}
	return a
}

func (s *Server) tooLarge() error {
	return &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has more than %d bytes", s.opts.MaxBody)}
}

// readBody reads the body of a call, into memory of its own if it does not fit into that given.
func (s *Server) readBody(from io.Reader, c *call, body []byte) ([]byte, error) {
	if want := min(max(c.length, 512), s.opts.MaxBody) + 1; int64(cap(body)) < want { // a byte more tells the end
		body = make([]byte, 0, want)
	}
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > s.opts.MaxBody:
			return nil, s.tooLarge()
		case err == io.EOF:
			return body, nil
		case isTimeout(err):
			return nil, context.DeadlineExceeded
		case err != nil && c.encoding != "":
			return nil, invalid("body is no %s, or broke off: %s", c.encoding, err)
		case err != nil:
			return nil, invalid("body broke off after %d bytes", len(body))
		}
		if len(body) == cap(body) {
			body = append(body, 0)[:len(body)]
		}
	}
}

// isTimeout reports whether reading took longer than it may.
func isTimeout(err error) bool {
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return errors.Is(err, os.ErrDeadlineExceeded) || ok && timeout.Timeout()
}

// transport is the connection that a call came on, as far as a call needs it.
type transport interface {
	io.Reader // the body
	readUntil(time.Time)
	remote() string                    // address of the client
	header(name string) string         // of the request, the first of that name; "" when there is none. "Host" is what the target names, if it does
	fields() iter.Seq2[string, string] // all of the request's header, each name as often as it stands there
}
