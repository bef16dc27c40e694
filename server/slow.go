// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// slowKept is how many slow requests a server remembers.
const slowKept = 64

// slowAtLeast is how long a request takes that a server remembers as slow, unless
// RequestLog.Slow says so.
const slowAtLeast = 100 * time.Millisecond

// slowRequests remembers the last requests that took long. It is safe for concurrent use.
type slowRequests struct {
	least time.Duration
	mu    sync.Mutex
	last  []api.SlowRequest // the oldest first
}

// note remembers a request.
func (l *slowRequests) note(r api.SlowRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.last) == slowKept {
		l.last = slices.Delete(l.last, 0, 1)
	}
	l.last = append(l.last, r)
}

// answer answers the requests that are remembered.
func (l *slowRequests) answer(context.Context, call.NoParameters) (call.Reply, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	reply := api.SlowReply{LeastMicros: l.least.Microseconds(), Requests: append([]api.SlowRequest{}, l.last...)}
	slices.Reverse(reply.Requests)
	return reply, nil
}
