// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// Handlers answers the calls about the graph. A database without a graph gets one with the first
// call that writes to it.
type Handlers struct {
	db      *uproar.DB
	uploads *upload.Uploads
	graph   atomic.Pointer[graph.Graph] // as it was last opened
	imports atomic.Int32                // under way
}

// New returns the handlers of a database, whose imports take turns with other uploads.
func New(db *uproar.DB, uploads *upload.Uploads) *Handlers {
	return &Handlers{db: db, uploads: uploads}
}

// Importing reports whether follows are being imported: until all of them are there, none is.
func (h *Handlers) Importing() bool { return h.imports.Load() > 0 }

// Unfinished returns how many follows a load has stored in an index that has not ended, see
// graph.Unfinished.
func Unfinished(ctx context.Context, db *uproar.DB, index string) (follows int64, err error) {
	if index != graph.IndexName {
		return 0, nil
	}
	ix, err := db.Index(index)
	switch {
	case errors.Is(err, uproar.ErrUnknownIndex):
		return 0, nil
	case err != nil:
		return 0, err
	}
	s := ix.Snapshot()
	defer s.Close()
	return graph.Unfinished(ctx, s)
}

// Whole fails while the graph is a part, with what can be done.
func (h *Handlers) Whole(ctx context.Context) error {
	follows, err := Unfinished(ctx, h.db, graph.IndexName)
	if err == nil && follows > 0 {
		err = unfinished(&graph.UnfinishedError{Follows: follows})
	}
	return err
}

// unfinished has callers told how far a load is that has not ended, and how it can go on. Other
// errors stay.
func unfinished(err error) error {
	if e, ok := errors.AsType[*graph.UnfinishedError](err); ok {
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonLoading, Message: fmt.Sprintf("an import of "+
			"follows with keys has not ended, of which %d are stored; if it was cut off, stop the server, and go on by "+
			"uproar import graph --dir DIR --keys --resume with the same files", e.Follows)}
	}
	return err
}

// known returns the graph that is open, nil if it is not, or was made anew.
func (h *Handlers) known() *graph.Graph {
	g := h.graph.Load()
	if g == nil {
		return nil
	}
	if index, err := h.db.Index(graph.IndexName); err != nil || index != g.Index() {
		return nil
	}
	return g
}

// reading returns the graph, or uproar.ErrUnknownIndex if there is none yet.
func (h *Handlers) reading() (*graph.Graph, error) {
	if g := h.known(); g != nil {
		return g, nil
	}
	if _, err := h.db.Index(graph.IndexName); err != nil {
		return nil, fmt.Errorf("%w: this database has no graph yet, the first follow or import makes it", err)
	}
	return h.writing(context.Background())
}

// writing returns the graph, and makes it if there is none.
func (h *Handlers) writing(ctx context.Context) (*graph.Graph, error) {
	if g := h.known(); g != nil {
		return g, nil
	}
	g, err := graph.Open(ctx, h.db)
	if err == nil {
		h.graph.Store(g)
	}
	return g, err
}

// reads binds a question to the graph.
func reads[Q any](h *Handlers, f func(context.Context, *graph.Graph, Q) (call.Reply, error)) func(
	context.Context, Q) (call.Reply, error) {
	return func(ctx context.Context, req Q) (call.Reply, error) {
		g, err := h.reading()
		if err != nil {
			return nil, err
		}
		return f(ctx, g, req)
	}
}

// writes binds a write to the graph.
func writes[Q any](h *Handlers, f func(context.Context, *graph.Graph, Q) (call.Reply, error)) func(
	context.Context, Q) (call.Reply, error) {
	return func(ctx context.Context, req Q) (call.Reply, error) {
		g, err := h.writing(ctx)
		if err != nil {
			return nil, err
		}
		return f(ctx, g, req)
	}
}
