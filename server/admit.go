// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/uproar-db/uproar/api"
)

const (
	// smallBody is the size of a body up to which its request is not worth waiting for.
	smallBody = 64 << 10

	// admittedBodies is how many bodies of the largest size may be worked on at a time. Decoded and bound to records, a body takes some ten times its
	// size; more requests at a time would not be faster, because commits are made one after the other.
	admittedBodies = 2
)

// admit waits until the large bodies that are being worked on leave room for another, in order of arrival. release, which is never nil, makes room again.
func (s *Server) admit(ctx context.Context, body int64) (release func(), err error) {
	if body <= smallBody {
		return func() {}, nil
	}
	weight := min(body, s.opts.MaxBody)
	if err := s.bodies.Acquire(ctx, weight); err != nil {
		return func() {}, err
	}
	return func() { s.bodies.Release(weight) }, nil
}

// receive reads the body of a call, up to the limits of size and time. A large body waits for its turn before a byte of it is read, so that many large ones
// together take no more memory than those that are worked on. release is called when the call has been answered.
func (s *Server) receive(ctx context.Context, c *call) (release func()) {
	if c.length > s.opts.MaxBody {
		c.bodyErr = s.tooLarge()
		return func() {}
	}
	length := c.length
	if length < 0 { // it does not say
		length = s.opts.MaxBody
	}
	release, c.bodyErr = s.admit(ctx, length)
	if c.bodyErr != nil {
		return release
	}
	if until, ok := ctx.Deadline(); ok {
		c.transport.readUntil(until)
	}
	c.body, c.bodyErr = s.readBody(c)
	return release
}

func (s *Server) tooLarge() error {
	return &api.Error{Code: api.CodeBodyTooLarge, Message: fmt.Sprintf("body has more than %d bytes", s.opts.MaxBody)}
}

// readBody reads a body.
func (s *Server) readBody(c *call) ([]byte, error) {
	body := make([]byte, 0, min(max(c.length, 512), s.opts.MaxBody)+1)
	for {
		n, err := c.transport.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > s.opts.MaxBody:
			return nil, s.tooLarge()
		case err == io.EOF:
			return body, nil
		case isTimeout(err):
			return nil, context.DeadlineExceeded
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
	remote() string            // address of the client
	header(name string) string // of the request; "" when there is none
}
