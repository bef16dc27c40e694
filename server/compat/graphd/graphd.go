// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
)

// The paths of GraphD, a server of follows whose clients need no change (docs/graphd.md). Its lists
// are whole, its errors bare strings.

// Errors is how GraphD writes its answers.
var Errors = &call.ErrorFormat{ContentType: "application/json; charset=UTF-8", Fail: fail, Access: accessOf,
	Whole: true}

func failure(status int, format string, args ...any) error {
	return &call.StatusError{Status: status, Text: call.Cut(fmt.Sprintf(format, args...), 4<<10)}
}

// What GraphD's framework answers for what is no call: objects, and not strings.
const (
	pathNotFound     = `{"message":"Not Found"}`
	methodNotAllowed = `{"message":"Method Not Allowed"}`
)

// fail appends an error as GraphD's clients expect it. GraphD itself answers failures of its own
// with an empty object.
func fail(dst []byte, e *api.Error, err error) (body []byte, status int) {
	if own, ok := errors.AsType[*call.StatusError](err); ok {
		return appendGraphD(dst, own.Text), own.Status
	}
	switch e.Code {
	case api.CodeUnknownPath:
		return append(dst, pathNotFound...), 404
	case api.CodeMethodNotAllowed:
		return append(dst, methodNotAllowed...), 405
	case api.CodeInternal:
		return appendGraphD(dst, e.Message+": "+e.RequestID), 500
	}
	return appendGraphD(dst, e.Message), e.Code.Status()
}

// Endpoints lists the calls of GraphD.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get("/followers", "graphd-followers", h.list((*graph.Graph).Followers)),
		call.Get("/following", "graphd-following", h.list((*graph.Graph).Following)),
		call.Get("/moots", "graphd-moots", h.list((*graph.Graph).Mutuals)),
		call.Get("/followers_not_following", "graphd-followers-not-following", h.notFollowing),
		call.Get("/does_follow", "graphd-does-follow", h.doesFollow),
		call.Get("/are_moots", "graphd-are-moots", h.areMoots),
		call.Get("/follows_following", "graphd-follows-following", h.followsFollowing),
		call.Get("/intersect_followers", "graphd-intersect-followers", h.intersect((*graph.Graph).IntersectFollowers)),
		call.Get("/intersect_following", "graphd-intersect-following", h.intersect((*graph.Graph).IntersectFollowing)),
		call.Post("/follow", "graphd-follow", h.write(decodeOne, false)),
		call.Post("/follows", "graphd-follows", h.write(decodeFollows, false)),
		call.Post("/unfollow", "graphd-unfollow", h.write(decodeOne, true)),
		call.Post("/unfollows", "graphd-unfollows", h.write(decodeUnfollows, true)),
		call.Get("/_health", "graphd-health", h.answerHealth),
	}
}

// accessOf says what the calls of GraphD need: those by POST write.
func accessOf(e call.Endpoint) (need call.Access, always bool) {
	switch {
	case e.Path == "/_health":
		return call.AccessPublic, true
	case e.Method == "POST":
		return call.AccessWrite, false
	}
	return call.AccessRead, false
}

// dids is a whole list of accounts, in GraphD's form.
type dids struct {
	call.FromSource
	ctx           context.Context
	graph         *graph.Graph
	of            graph.Accounts
	before, after string            // the array
	unknown       func(error) error // says which account was not found
}

// keyForm is how GraphD writes the accounts of a list.
var keyForm = uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscapedHTML}

func (r *dids) Append(dst []byte) ([]byte, error) {
	dst, _, err := r.of.AppendPage(r.ctx, append(dst, r.before...), uproar.Page{}, keyForm)
	if part := whole(r.ctx, r.graph.Index()); part != nil { // a load has begun meanwhile
		return dst, part
	}
	if err != nil {
		return dst, r.unknown(err)
	}
	return append(dst, r.after...), nil
}

func (h *Handlers) list(of func(g *graph.Graph, account string) graph.Accounts) call.Handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) {
		g, err := h.reading(ctx)
		if err != nil {
			return nil, err
		}
		q := lenient(c.Query)
		return &dids{ctx: ctx, graph: g, of: of(g, q.first("did")), before: "[", after: "]", unknown: notFound}, nil
	}
}

func (h *Handlers) notFollowing(ctx context.Context, c call.Request) (call.Reply, error) {
	g, err := h.reading(ctx)
	if err != nil {
		return nil, err
	}
	did := lenient(c.Query).first("did")
	of := g.Ask(query.And{Of: []query.Expr{
		query.Related{Field: graph.FollowersField, Key: did}, query.Not{Of: query.Related{Field: graph.FollowsField,
			Key: did}},
	}}, did)
	return &dids{ctx: ctx, graph: g, of: of, before: `{"dids":[`, after: "]}", unknown: notFound}, nil
}

// notFound is GraphD's answer about an account that is not there, or whose name is not one.
func notFound(err error) error {
	if _, ok := missingAccount(err); ok {
		return failure(404, "uid not found")
	}
	return err
}

// missingAccount returns the account that an error is about: one that is not there, or that cannot
// be.
func missingAccount(err error) (account string, ok bool) {
	if e, ok := errors.AsType[*graph.UnknownAccountError](err); ok {
		return e.Account, true
	}
	if e, ok := errors.AsType[*graph.InvalidAccountError](err); ok {
		return e.Account, true
	}
	return "", false
}

// decodePair reads the parameters of a question about two accounts.
func decodePair(c call.Request) (actor, target string, err error) {
	q := lenient(c.Query)
	if !q.has("actor_did") || !q.has("target_did") {
		return "", "", failure(400, "actor_did and target_did query params are required")
	}
	return q.first("actor_did"), q.first("target_did"), nil
}

// pairUnknown says which of two accounts was not found.
func pairUnknown(ctx context.Context, g *graph.Graph, err error, actor string) error {
	if _, ok := missingAccount(err); !ok {
		return err
	}
	snap := g.Index().Snapshot().Under(ctx)
	defer snap.Close()
	if graph.CheckAccount(actor) != nil {
		return failure(404, "actor uid not found")
	}
	switch _, err := snap.ID(actor); {
	case errors.Is(err, uproar.ErrUnknownRecord):
		return failure(404, "actor uid not found")
	case err != nil:
		return err
	}
	return failure(404, "target uid not found")
}

// boolean is true or false.
type boolean bool

func (r boolean) AppendJSON(dst []byte) []byte { return strconv.AppendBool(dst, bool(r)) }

func (h *Handlers) doesFollow(ctx context.Context, c call.Request) (call.Reply, error) {
	actor, target, err := decodePair(c)
	if err != nil {
		return nil, err
	}
	g, err := h.reading(ctx)
	if err != nil {
		return nil, err
	}
	follows, err := g.Follows(ctx, actor, target)
	if part := whole(ctx, g.Index()); part != nil {
		return nil, part
	}
	if err != nil {
		return nil, pairUnknown(ctx, g, err, actor)
	}
	return boolean(follows), nil
}

func (h *Handlers) areMoots(ctx context.Context, c call.Request) (call.Reply, error) {
	actor, target, err := decodePair(c)
	if err != nil {
		return nil, err
	}
	g, err := h.reading(ctx)
	if err != nil {
		return nil, err
	}
	both, err := g.AreMutuals(ctx, actor, target)
	if part := whole(ctx, g.Index()); part != nil {
		return nil, part
	}
	if err != nil {
		return nil, pairUnknown(ctx, g, err, actor)
	}
	return boolean(both), nil
}

func (h *Handlers) followsFollowing(ctx context.Context, c call.Request) (call.Reply, error) {
	actor, target, err := decodePair(c)
	if err != nil {
		return nil, err
	}
	g, err := h.reading(ctx)
	if err != nil {
		return nil, err
	}
	return &dids{ctx: ctx, graph: g, of: g.FollowsFollowing(actor, target), before: "[", after: "]",
		unknown: func(err error) error { return pairUnknown(ctx, g, err, actor) }}, nil
}

func (h *Handlers) intersect(of func(g *graph.Graph, accounts ...string) graph.Accounts) call.Handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) {
		q := lenient(c.Query)
		if !q.has("did") {
			return nil, failure(400, "did query param is required")
		}
		g, err := h.reading(ctx)
		if err != nil {
			return nil, err
		}
		unknown := func(err error) error {
			if did, ok := missingAccount(err); ok {
				return failure(404, "uid not found for did %s", did)
			}
			return err
		}
		return &dids{ctx: ctx, graph: g, of: of(g, q.all("did")...), before: "[", after: "]", unknown: unknown}, nil
	}
}

// statusReply is the answer of /_health: the version is that of GraphD's interface.
type statusReply struct{}

func (statusReply) AppendJSON(dst []byte) []byte {
	return append(dst, `{"status":"ok","version":"0.0.1"}`...)
}

func (h *Handlers) answerHealth(ctx context.Context, _ call.Request) (call.Reply, error) {
	if err := h.health(); err != nil {
		return nil, err
	}
	if index, err := h.db.Index(graph.IndexName); err == nil {
		if err := whole(ctx, index); err != nil && !errors.Is(err, uproar.ErrClosed) { // it was made anew
			return nil, err
		}
	}
	return statusReply{}, nil
}

// Handlers answers the calls of GraphD.
type Handlers struct {
	db     *uproar.DB
	health func() error
	graph  atomic.Pointer[graph.Graph] // as it was last opened
}

// New returns the handlers of a database. health returns why the server cannot answer, nil if it
// can.
func New(db *uproar.DB, health func() error) *Handlers { return &Handlers{db: db, health: health} }

// Open makes the graph, unless it is there. Errors: api.CodeUnavailable if only another server can
// make it.
func (h *Handlers) Open(ctx context.Context) error {
	_, err := h.open(ctx)
	return err
}

// open returns the graph, which another copy of the database may have made anew.
func (h *Handlers) open(ctx context.Context) (*graph.Graph, error) {
	if g := h.graph.Load(); g != nil {
		if index, err := h.db.Index(graph.IndexName); err == nil && index == g.Index() {
			return g, nil
		}
	}
	g, err := graph.Open(ctx, h.db)
	if err != nil {
		return nil, call.NotYet("the graph", err)
	}
	h.graph.Store(g)
	return g, nil
}

// reading returns the graph, unless it is a part: then GETs are answered with 503, as GraphD does
// while it loads.
func (h *Handlers) reading(ctx context.Context) (*graph.Graph, error) {
	g, err := h.open(ctx)
	if err == nil {
		err = whole(ctx, g.Index())
	}
	return g, err
}

// whole fails while a load of the graph has not ended.
func whole(ctx context.Context, index *uproar.Index) error {
	s := index.Snapshot()
	defer s.Close()
	follows, err := graph.Unfinished(ctx, s)
	if err == nil && follows > 0 {
		err = failure(503, "not loaded yet")
	}
	return err
}
