// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"context"
	"sync"
	"time"

	"github.com/uproar-db/uproar/api"
)

// Exclusive lets one call of a kind be under way at a time. Such a call takes as long as it takes,
// so that a server that is to stop ends it, instead of waiting for it.
type Exclusive struct {
	What string // for the error: "backup is being made"

	// Patience is how long a call waits for the end of the one under way. A client that broke one
	// off may ask for the next before the server has noticed.
	Patience time.Duration

	mu      sync.Mutex
	cancel  context.CancelFunc // of the one under way; nil: there is none
	ended   chan struct{}      // closed when the one under way ends
	stopped bool
}

// Begin makes ctx that of the call under way, until end. Errors: there is one already, or the
// server is being stopped.
func (l *Exclusive) Begin(ctx context.Context) (call context.Context, end func(), err error) {
	patience := time.NewTimer(l.Patience)
	defer patience.Stop()
	for waiting := true; ; {
		l.mu.Lock()
		if l.cancel == nil && !l.stopped {
			break
		}
		ended, stopped := l.ended, l.stopped
		l.mu.Unlock()
		if !waiting || stopped {
			return nil, nil, &api.Error{Code: api.CodeUnavailable, Message: "another " + l.What +
				", or the server is being stopped; try again later"}
		}
		select {
		case <-ended:
		case <-patience.C:
			waiting = false // the last look
		}
	}
	defer l.mu.Unlock()
	call, cancel := context.WithCancel(ctx)
	l.cancel, l.ended = cancel, make(chan struct{})
	return call, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		cancel()
		l.cancel = nil
		close(l.ended)
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
