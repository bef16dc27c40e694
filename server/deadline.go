// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"sync"
	"time"
)

// requestContext is the context of a request, which ends at a time or with its parent. Unlike that
// of context.WithDeadline it starts no timer: most requests only look whether their time is over.
// The timer is started for the first who waits.
type requestContext struct {
	context.Context
	until  time.Time // zero: no deadline
	charge charge    // memory of the answer
	id     string    // of the request

	mu     sync.Mutex
	timed  context.Context // from the first call of Done on
	cancel context.CancelFunc
}

// newRequestContext returns the context of a request that came at start and may take so long; 0 or
// less: without end. end must be called when the request has been answered.
func newRequestContext(parent context.Context, start time.Time, timeout time.Duration) *requestContext {
	c := &requestContext{Context: parent}
	if timeout > 0 {
		c.until = start.Add(timeout)
	}
	return c
}

// requestKey is the key under which the context of a request finds itself.
type requestKey struct{}

// Value returns the value of the parent's, or the context itself.
func (c *requestContext) Value(key any) any {
	if key == (requestKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Deadline returns when the context ends.
func (c *requestContext) Deadline() (time.Time, bool) {
	until, ok := c.Context.Deadline()
	if c.until.IsZero() || ok && until.Before(c.until) {
		return until, ok
	}
	return c.until, true
}

// Done returns a channel that is closed when the context ends.
func (c *requestContext) Done() <-chan struct{} {
	if c.until.IsZero() {
		return c.Context.Done()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timed == nil {
		c.timed, c.cancel = context.WithDeadline(c.Context, c.until)
	}
	return c.timed.Done()
}

// Err returns why the context has ended, nil if it has not.
func (c *requestContext) Err() error {
	c.mu.Lock()
	timed := c.timed
	c.mu.Unlock()
	if timed != nil {
		return timed.Err()
	}
	if err := c.Context.Err(); err != nil {
		return err
	}
	if !c.until.IsZero() && !time.Now().Before(c.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// end lets go of the timer.
func (c *requestContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}
