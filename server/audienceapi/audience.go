// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"context"
	"encoding/json"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// Endpoints lists the calls about audiences.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get("/v1/audience/size", "audience-size", call.Bind(decodeAudience, h.size)),
		call.Get("/v1/audience/words", "audience-words", call.Bind(decodeWords, h.part)),
		call.Get("/v1/audience/values", "audience-values", call.Bind(decodeValues, h.part)),
		call.Get("/v1/audience/demographics", "audience-demographics", call.Bind(decodeDemographics, h.part)),
		call.Get("/v1/audience/compare", "audience-compare", call.Bind(decodeCompare, h.part)),
		call.Get("/v1/audience/overlap", "audience-overlap", call.Bind(decodeOverlap, h.overlap)),
		call.Post("/v1/audience/report", "audience-report", call.Bind(decodeReport, h.report)),
		call.Post("/v1/audience/save", "audience-save", call.Bind(decodeSaveAudience, h.save)),
		call.Post("/v1/audience/forget", "audience-forget", call.Bind(decodeForgetAudience, h.forget)),
		call.Get("/v1/audience/saved", "audience-saved", call.Bind(call.DecodeIndex, h.saved)),
		call.Post(importPath, "table-import", h.importTables),
	}
}

// question is a question about an audience: it has a view, an audience, and what that is
// called in cursors.
type question struct {
	ctx   context.Context
	view  *audience.View
	of    *audience.Audience
	asked string // index and query
	bytes int    // of the answers until now, about
}

// grow is called before up to that many more entries of lists are answered.
func (a *question) grow(entries int) error {
	return uproar.Grow(a.ctx, a.bytes+call.EntriesBytes(entries))
}

// audiences returns a view of an index, to be closed.
func (h *Handlers) audiences(ctx context.Context, index string) (*audience.View, error) {
	of, err := audience.Of(h.db, index)
	if err != nil {
		return nil, err
	}
	return of.View(ctx)
}

// about finds an audience, and asks about it.
func (h *Handlers) about(ctx context.Context, index string, expr query.Expr,
	ask func(*question) (call.Reply, error)) (call.Reply,
	error) {
	view, err := h.audiences(ctx, index)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	of, err := view.Find(ctx, expr)
	if err != nil {
		return nil, err
	}
	return ask(&question{ctx: ctx, view: view, of: of, asked: index + " " + expr.String() + " "})
}

// find finds another audience in the same view.
func (a *question) find(raw json.RawMessage) (*audience.Audience, error) {
	expr, err := call.ParseQuery(raw)
	if err != nil {
		return nil, err
	}
	return a.view.Find(a.ctx, expr)
}

// overlap answers what the audience and others have in common.
func (a *question) overlap(with []json.RawMessage) ([][]uint64, error) {
	of := []*audience.Audience{a.of}
	for _, raw := range with {
		other, err := a.find(raw)
		if err != nil {
			return nil, err
		}
		of = append(of, other)
	}
	return audience.Overlap(a.ctx, of...)
}

func (h *Handlers) size(ctx context.Context, req api.AudienceRequest) (call.Reply, error) {
	expr, err := query.Parse(req.Query)
	if err != nil {
		return nil, err
	}
	return h.about(ctx, req.Index, expr, func(a *question) (call.Reply, error) {
		return api.SizeReply(a.of.Size()), nil
	})
}

// part answers one of the calls that a report has as a part.
func (h *Handlers) part(ctx context.Context, req partRequest) (call.Reply, error) {
	expr, err := query.Parse(req.Query)
	if err != nil {
		return nil, err
	}
	return h.about(ctx, req.Index, expr, req.part)
}

func (h *Handlers) overlap(ctx context.Context, req api.OverlapRequest) (call.Reply, error) {
	expr, err := query.Parse(req.Queries[0])
	if err != nil {
		return nil, err
	}
	return h.about(ctx, req.Index, expr, func(a *question) (call.Reply, error) {
		var with []json.RawMessage
		for _, q := range req.Queries[1:] {
			with = append(with, api.AppendString(nil, q))
		}
		matrix, err := a.overlap(with)
		return api.OverlapReply{Matrix: matrix}, err
	})
}

// report finds an audience once, and answers all parts of the request about it, in one
// state.
func (h *Handlers) report(ctx context.Context, req api.ReportRequest) (call.Reply, error) {
	expr, err := call.ParseQuery(req.Query)
	if err != nil {
		return nil, err
	}
	return h.about(ctx, req.Index, expr, func(a *question) (call.Reply, error) {
		r := api.ReportReply{Size: api.SizeReply(a.of.Size())}
		for _, part := range req.Words {
			x, err := a.words(part)
			if err != nil {
				return nil, err
			}
			r.Words = append(r.Words, x)
		}
		for _, part := range req.Values {
			x, err := a.values(part)
			if err != nil {
				return nil, err
			}
			r.Values = append(r.Values, x)
		}
		if req.Demographics != nil {
			x, err := a.demographics(*req.Demographics)
			if err != nil {
				return nil, err
			}
			r.Demographics = &x
		}
		if req.Overlap != nil {
			if r.Overlap, err = a.overlap(req.Overlap); err != nil {
				return nil, err
			}
		}
		if req.Compare != nil {
			x, err := a.compare(*req.Compare)
			if err != nil {
				return nil, err
			}
			r.Compare = &x
		}
		return r, nil
	})
}

func (h *Handlers) save(ctx context.Context, req api.SaveAudienceRequest) (call.Reply, error) {
	audiences, err := audience.Of(h.db, req.Index)
	if err != nil {
		return nil, err
	}
	expr, err := call.ParseQuery(req.Query)
	if err != nil {
		return nil, err
	}
	save := audiences.Freeze
	if req.Follows {
		save = audiences.Follow
	}
	n, err := save(ctx, req.Name, expr)
	return api.CountReply{Count: n}, err
}

func (h *Handlers) forget(ctx context.Context, req api.ForgetAudienceRequest) (call.Reply, error) {
	audiences, err := audience.Of(h.db, req.Index)
	if err == nil {
		err = audiences.Forget(ctx, req.Name)
	}
	return api.ForgetReply{Forgotten: req.Name}, err
}

func (h *Handlers) saved(ctx context.Context, index string) (call.Reply, error) {
	view, err := h.audiences(ctx, index)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	list, err := view.Saved(ctx)
	r := api.SavedReply{Audiences: []api.SavedAudience{}}
	for _, x := range list {
		saved := api.SavedAudience{Name: x.Name, Follows: x.Follows, Query: x.Query, Records: x.Records}
		if x.Broken != nil {
			saved.Error = call.Failure(x.Broken).Message
		}
		r.Audiences = append(r.Audiences, saved)
	}
	return r, err
}

// Handlers answers the calls about audiences.
type Handlers struct {
	db      *uproar.DB
	uploads *upload.Uploads
}

// New returns the handlers of a database. Their imports take turns with other uploads.
func New(db *uproar.DB, uploads *upload.Uploads) *Handlers { return &Handlers{db, uploads} }
