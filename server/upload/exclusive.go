// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"context"
	"sync"

	"github.com/uproar-db/uproar/api"
)

// Exclusive lets one call of a kind be under way at a time. Such a call takes as long as it takes,
// so that a server that is to stop ends it, instead of waiting for it.
type Exclusive struct {
	What string // for the error: "backup is being made"

	mu      sync.Mutex
	cancel  context.CancelFunc // of the one under way; nil: there is none
	stopped bool
}

// Begin makes ctx that of the call under way, until end. Errors: there is one already, or the
// server is being stopped.
func (l *Exclusive) Begin(ctx context.Context) (call context.Context, end func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cancel != nil || l.stopped {
		return nil, nil, &api.Error{Code: api.CodeUnavailable, Message: "another " + l.What +
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

// Stop ends the call under way, and lets no other begin.
func (l *Exclusive) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	if l.cancel != nil {
		l.cancel()
	}
}
