// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rsky

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// Options says what the handlers are told by the server. All functions must be set.
type Options struct {
	Health    func() error             // why the server cannot answer, nil if it can
	Importing func() bool              // whether follows are being imported
	Stream    string                   // has a position once all is loaded; "": there is none
	Answered  func(took time.Duration) // is told of each answer about known followers
}

// Handlers answers the calls of rsky-graph. Safe for concurrent use.
type Handlers struct {
	db    *uproar.DB
	opts  Options
	graph atomic.Pointer[graph.Graph] // as it was when it was found to be loaded
}

// New returns the handlers of a database.
func New(db *uproar.DB, opts Options) *Handlers { return &Handlers{db: db, opts: opts} }

// StreamError says that a stream never has a position, so that all would be 503 for ever.
type StreamError struct{ Stream string }

// Error says why, and what can be named instead.
func (e *StreamError) Error() string {
	return fmt.Sprintf("rsky: stream %q: tap has no positions, and does not say that it has sent all; want another name, "+
		"such as \"backfill\", to which you write a position when tap's outbox is empty", e.Stream)
}

// Open opens the graph, if there is one. It makes none. Errors: api.CodeUnavailable if only another
// server can make it ready; an index of its name that is no graph; *StreamError.
func (h *Handlers) Open(ctx context.Context) error {
	if strings.HasPrefix(h.opts.Stream, "tap://") {
		return &StreamError{h.opts.Stream}
	}
	_, err := h.Loaded(ctx)
	return err
}

// Loaded returns the graph if all of it is there, and nil if it is not. It is not while nobody
// follows anybody, while follows are being imported, or while Options.Stream has no position. A
// graph that was all there stays so until the next import, whatever is undone.
func (h *Handlers) Loaded(ctx context.Context) (*graph.Graph, error) {
	if h.opts.Importing() {
		return nil, nil
	}
	index, err := h.db.Index(graph.IndexName)
	switch {
	case errors.Is(err, uproar.ErrUnknownIndex):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if g := h.graph.Load(); g != nil && g.Index() == index {
		return g, nil
	}
	g, err := graph.Open(ctx, h.db)
	if err != nil {
		return nil, call.NotYet("the graph", err)
	}
	if there, err := g.Followed(ctx); err != nil || !there {
		return nil, err
	}
	if h.opts.Stream != "" {
		if _, there, err := g.Position(h.opts.Stream); err != nil || !there {
			return nil, err
		}
	}
	h.graph.Store(g)
	return g, nil
}
