// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"sync"

	"github.com/uproar-db/uproar/api"
)

// exclusive lets one call of a kind be under way at a time. Such a call takes as long as it takes,
// so that a server that is to stop ends it, instead of waiting for it.
type exclusive struct {
	what string // for the error: "backup is being made"

	mu      sync.Mutex
	cancel  context.CancelFunc // of the one under way; nil: there is none
	stopped bool
}

// begin makes ctx that of the call under way, until end. Errors: there is one already, or the
// server is being stopped.
func (l *exclusive) begin(ctx context.Context) (call context.Context, end func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil || l.stopped {
		return nil, nil, &api.Error{Code: api.CodeUnavailable, Message: "another " + l.what +
			", or the server is being stopped; try again later"}
	}
	call, cancel := context.WithCancel(ctx)
	l.cancel = cancel
	return call, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		cancel()
		l.cancel = nil
	}, nil
}

// stop ends the call under way, and lets no other begin.
func (l *exclusive) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	if l.cancel != nil {
		l.cancel()
	}
}
