// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/transport"
)

// smallBody is the size of a body up to which its request is not worth waiting for.
const smallBody = 64 << 10

// admitted is a body that is being worked on. The zero value is none.
type admitted struct {
	weight int64   // of a large one: the room that it has among them
	room   *[]byte // of a small one: its memory
}

// admit gives a small body its memory, and has a large one wait until those that are being worked
// on leave room for it, in order of arrival.
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
	return &api.Error{Code: api.CodeBodyTooLarge, Message: transport.TooLarge(s.opts.MaxBody).Text}
}

// readBody reads the body of a call, into memory of its own if it does not fit into that given.
func (s *Server) readBody(from io.Reader, c *call, body []byte) ([]byte, error) {
	if want := min(max(c.length, 512), s.opts.MaxBody) + 1; int64(cap(body)) < want { // a byte more tells the end
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

// carrier is the request that a call came in, as far as a call needs it. Every transport has one.
type carrier interface {
	io.Reader // the body
	readUntil(time.Time)
	remote() string // address of the client

	// header returns the value of a field of the request, by its canonical name. Those of several
	// fields of one name are joined with commas, in their order. It is "" if there is none. Of
	// transport.Single there is never more than one. Host is that of the target where it has one.
	header(name string) string

	// has reports whether there is such a field, be it empty.
	has(name string) bool

	// fields are all fields of the request, each name as often as it stands there.
	fields() iter.Seq2[string, string]
}
