// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// watch answers the commits of an index as they come, as server-sent events, if that is asked for.
// An event has the number of its commit as its ID, so a client that comes again goes on behind the
// last one that it has seen.
func (h *Handlers) watch(ctx context.Context, c call.Request) (call.Reply, error) {
	req, err := decodeChanges(c)
	if err != nil {
		return nil, err
	}
	after, seen, events, err := call.AsksForEvents(&c)
	if err != nil {
		return nil, err
	}
	if !events {
		return h.changes(ctx, req)
	}
	if seen {
		req.After = after
	}
	index, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	first, err := commits(ctx, index, req)
	if err != nil {
		return nil, err
	}
	begun := appendEvents(nil, first)
	req.After = first.Last
	return h.events.Send(ctx, begun, func(ctx context.Context) ([]byte, error) {
		if err := call.Gone(h.db, req.Index, index); err != nil {
			return nil, err
		}
		if err := index.Wait(ctx, req.After); err != nil {
			return nil, h.gone(req.Index, index, err)
		}
		r, err := commits(ctx, index, req)
		if err != nil {
			return nil, h.gone(req.Index, index, err)
		}
		req.After = r.Last
		return appendEvents(nil, r), nil
	})
}

// appendEvents appends an event for each commit.
func appendEvents(dst []byte, r api.ChangesReply) []byte {
	for i := range r.Commits {
		dst = fmt.Appendf(dst, "id: %d\nevent: commit\ndata: ", r.Commits[i].Sequence)
		dst = append(r.Commits[i].AppendJSON(dst), "\n\n"...)
	}
	return dst
}
