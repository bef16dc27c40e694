// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rsky

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
)

// Errors is how rsky-graph writes its answers. Callers give up after 80 ms, with the body read:
// compressing and unpacking some megabytes would take a good part of that.
var Errors = &call.ErrorFormat{ContentType: call.ContentJSON, Fail: fail, Access: accessOf, Plain: true}

// fail appends an error as an object with its text.
func fail(dst []byte, e *api.Error, err error) (body []byte, status int) {
	text, status := e.Message, e.Code.Status()
	if own, ok := errors.AsType[*call.StatusError](err); ok {
		text, status = own.Text, own.Status
	}
	switch e.Code {
	case api.CodeUnknownPath:
		text = "not found"
	case api.CodeInternal:
		text += ": " + e.RequestID
	}
	return append(api.AppendString(append(dst, `{"error":`...), text), '}'), status
}

func failure(status int, text string) error { return &call.StatusError{Status: status, Text: text} }

// accessOf says what the calls need: they only read, also by POST.
func accessOf(e call.Endpoint) (need call.Access, always bool) {
	if e.Path == "/_health" {
		return call.AccessPublic, true
	}
	return call.AccessRead, false
}

// Endpoints lists the calls. rsky-graph looks at no method: those that a caller may have are taken.
func (h *Handlers) Endpoints() []call.Endpoint {
	var all []call.Endpoint
	for _, e := range [...]call.Endpoint{
		call.Get("/v1/follows-following", "rsky-follows-following", h.followsFollowing),
		call.Get("/v1/is-following", "rsky-is-following", h.isFollowing),
		call.Get("/_health", "rsky-health", h.answerHealth),
	} {
		all = append(all, e, call.Post(e.Path, e.Name, e.Handle))
	}
	return all
}

// results is the answer to a question about many targets.
type results struct {
	call.FromSource
	ctx     context.Context
	of      *graph.Graph
	viewer  string
	targets []string
	limit   int  // of each list; -1: none is listed, 0: all
	count   bool // with the length of each list

	told func(took time.Duration)
	took time.Duration
}

// keyForm is how the accounts of a list are written.
var keyForm = uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscaped}

// Append reads all lists from one state.
func (r *results) Append(dst []byte) ([]byte, error) {
	start := time.Now()
	known := r.of.KnownFollowers(r.ctx, r.viewer)
	defer known.Close()
	if err := whole(r.ctx, known, notLoaded); err != nil {
		return dst, err
	}
	dst = append(dst, `{"results":[`...)
	var err error
	for i, target := range r.targets {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = r.appendOne(dst, known, target); err != nil {
			return dst, err
		}
	}
	r.took = time.Since(start)
	r.told(r.took)
	return append(dst, "]}"...), nil
}

// appendOne appends what is answered about one target.
func (r *results) appendOne(dst []byte, known graph.KnownFollowers, target string) ([]byte, error) {
	err := uproar.Grow(r.ctx, len(dst))
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	if r.count {
		n, err := known.Count(r.ctx, target)
		if err != nil {
			return dst, err
		}
		dst = append(strconv.AppendUint(append(dst, `"count":`...), n, 10), ',')
	}
	dst = append(dst, `"dids":[`...)
	if r.limit >= 0 {
		if dst, err = known.Append(r.ctx, dst, target, r.limit, keyForm); err != nil {
			return dst, err
		}
	}
	return append(api.AppendString(append(dst, `],"targetDid":`...), target), '}'), nil
}

// Fields returns how long the answer took, in whole milliseconds.
func (r *results) Fields() [][2]string {
	return [][2]string{{"X-Query-Time-Ms", strconv.FormatInt(r.took.Milliseconds(), 10)}}
}

func (h *Handlers) followsFollowing(ctx context.Context, c call.Request) (call.Reply, error) {
	viewer, _ := first(c.Query, "viewer")
	targets, ok := first(c.Query, "targets")
	if viewer == "" || !ok {
		return nil, failure(400, "viewer and targets required")
	}
	limit, count, err := decodePart(c.Query)
	if err != nil {
		return nil, err
	}
	g, err := h.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, notLoaded
	}
	return &results{ctx: ctx, of: g, viewer: viewer, targets: strings.Split(targets, ","), limit: limit, count: count,
		told: h.opts.Answered}, nil
}

var notLoaded = failure(503, "viewer not yet loaded")

// whole fails in a state in which a load of the graph has not ended.
func whole(ctx context.Context, known graph.KnownFollowers, notLoaded error) error {
	follows, err := known.Unfinished(ctx)
	if err == nil && follows > 0 {
		return notLoaded
	}
	return err
}

// decodePart reads the parameters that rsky-graph has not: how many of each list are wanted, and
// whether its length is. Without them the answer is rsky-graph's.
func decodePart(query string) (limit int, count bool, err error) {
	if text, ok := first(query, "limit"); ok {
		limit, err = strconv.Atoi(text)
		if err != nil || limit < 0 {
			return 0, false, failure(400, "limit is "+call.Quote(text)+", want a number from 0 on")
		}
		if limit == 0 {
			limit = -1
		}
	}
	text, ok := first(query, "count")
	if ok && text != "true" && text != "false" {
		return 0, false, failure(400, "count is "+call.Quote(text)+", want true or false")
	}
	return limit, text == "true", nil
}

// following is the answer to whether one account follows another.
type following bool

func (r following) AppendJSON(dst []byte) []byte {
	return append(strconv.AppendBool(append(dst, `{"following":`...), bool(r)), '}')
}

func (h *Handlers) isFollowing(ctx context.Context, c call.Request) (call.Reply, error) {
	actor, _ := first(c.Query, "actor")
	target, _ := first(c.Query, "target")
	if actor == "" {
		return following(false), nil
	}
	g, err := h.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	notLoaded := failure(503, "actor not yet loaded")
	if g == nil {
		return nil, notLoaded
	}
	known := g.KnownFollowers(ctx, actor)
	defer known.Close()
	if err := whole(ctx, known, notLoaded); err != nil {
		return nil, err
	}
	follows, err := known.Follows(target)
	return following(follows), err
}

// wellReply is the answer of /_health.
type wellReply struct{}

func (wellReply) AppendJSON(dst []byte) []byte { return append(dst, `{"status":"ok"}`...) }

func (h *Handlers) answerHealth(context.Context, call.Request) (call.Reply, error) {
	if err := h.opts.Health(); err != nil {
		return nil, err
	}
	return wellReply{}, nil
}
