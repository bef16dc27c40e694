// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/reader"
)

// env is what all parts of an index know. It never changes after Open, but for following.
type env struct {
	source    *reader.Source
	config    Config
	log       *slog.Logger
	stopping  context.Context // ends when the index is closed
	flushDue  chan struct{}   // the flusher has something to do
	following atomic.Bool     // another process writes the store
}

// readOnly reports whether the index takes no writes.
func (e *env) readOnly() bool { return e.config.ReadOnly || e.following.Load() }

// withClosing returns a context that ends with ctx, or when the index is closed.
func (e *env) withClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(e.stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

// wake tells a worker that there is something to do; telling it twice is telling it once.
func wake(worker chan struct{}) {
	select {
	case worker <- struct{}{}:
	default:
	}
}
