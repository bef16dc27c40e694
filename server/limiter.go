// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
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

// crowdedAnswer is what connections beyond the limit are told.
func crowdedAnswer() []byte {
	body := api.ErrorReply{Error: api.Error{Code: api.CodeOverloaded,
		Message: "this server has as many connections as it may have; try again later"}}.AppendJSON(nil)
	return fmt.Appendf(nil,
		"HTTP/1.1 503 Service Unavailable\r\nContent-Type: %s\r\nContent-Length: %d\r\nRetry-After: "+
			"1\r\nConnection: close\r\n\r\n%s\n",
		call.ContentJSON, len(body)+1, body)
}
