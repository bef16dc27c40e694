// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"
	"strconv"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// sorting is a question for records in an order that is read, and answered from one state.
type sorting struct {
	call.FromSource
	ctx   context.Context
	of    *catalog.Catalog
	req   api.SortedRequest
	where []catalog.Condition
}

func (h *Handlers) sorted(ctx context.Context, req api.SortedRequest) (call.Reply, error) {
	where, err := wanted(nil, req.Where)
	if err != nil {
		return nil, err
	}
	of, err := h.catalog(req.Catalog)
	return &sorting{ctx: ctx, of: of, req: req, where: where}, err
}

// Append appends the answer, as api.SortedReply has it.
func (r *sorting) Append(dst []byte) ([]byte, error) {
	start := len(dst)
	err := r.of.Ask(r.ctx, func(s catalog.Snapshot) error {
		show, err := showing(s, r.req.Show)
		if err != nil {
			return err
		}
		order := catalog.Order{Attribute: r.req.By, Descending: r.req.Descending}
		ids, count, err := s.Sorted(r.ctx, order, r.req.From, r.req.Limit, r.where...)
		if err != nil {
			return err
		}
		dst = strconv.AppendInt(append(dst[:start], `{"count":`...), int64(count), 10)
		dst, err = show.appendRecords(r.ctx, append(dst, `,"records":`...), s, ids)
		return err
	})
	return append(dst, '}'), err
}

func (h *Handlers) write(ctx context.Context, req api.CatalogWriteRequest) (call.Reply, error) {
	of, err := h.catalog(req.Catalog)
	if err != nil {
		return nil, err
	}
	change := catalog.Change{Put: make([]catalog.Record, len(req.Put)), Delete: req.Delete}
	for i, r := range req.Put {
		has := appendConditions(nil, r.Has)
		if err := checkGiven(has); err != nil {
			return nil, call.Invalid("record %s: %s", call.Quote(r.Key), call.Failure(err).Message)
		}
		change.Put[i] = catalog.Record{Key: r.Key, Conditions: has, Priority: r.Priority, Default: r.Default}
	}
	sequence, err := of.Write(ctx, change)
	return api.WriteReply{Sequence: sequence}, err
}
