// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// The paths of GraphD, a server of follows whose clients need no change (docs/graphd.md). Its lists
// are whole, its errors bare strings.

// graphdErrors is how GraphD writes its answers.
var graphdErrors = &errorFormat{contentType: "application/json; charset=UTF-8", fail: graphdFail, access: graphdAccess}

// graphdError is an error in GraphD's words.
type graphdError struct {
	status int
	text   string
}

func (e *graphdError) Error() string { return "server: " + e.text }

func graphdFailure(status int, format string, args ...any) error {
	return &graphdError{status, cut(fmt.Sprintf(format, args...), 4<<10)}
}

// What GraphD's framework answers for what is no call: objects, and not strings.
const (
	graphdNotFound         = `{"message":"Not Found"}`
	graphdMethodNotAllowed = `{"message":"Method Not Allowed"}`
)

// graphdFail appends what GraphD's clients are told about an error. GraphD itself answers failures
// of its own with an empty object.
func graphdFail(dst []byte, e *api.Error, err error) (body []byte, status int) {
	if own, ok := errors.AsType[*graphdError](err); ok {
		return appendGraphD(dst, own.text), own.status
	}
	switch e.Code {
	case api.CodeUnknownPath:
		return append(dst, graphdNotFound...), 404
	case api.CodeMethodNotAllowed:
		return append(dst, graphdMethodNotAllowed...), 405
	case api.CodeInternal:
		return appendGraphD(dst, e.Message+": "+e.RequestID), 500
	}
	return appendGraphD(dst, e.Message), e.Code.Status()
}

// graphdEndpoints lists the calls of GraphD.
func (s *Server) graphdEndpoints() []endpoint {
	return []endpoint{
		{"GET", "/followers", "graphd-followers", s.graphdList(s.graph.Followers)},
		{"GET", "/following", "graphd-following", s.graphdList(s.graph.Following)},
		{"GET", "/moots", "graphd-moots", s.graphdList(s.graph.Mutuals)},
		{"GET", "/followers_not_following", "graphd-followers-not-following", s.graphdNotFollowing},
		{"GET", "/does_follow", "graphd-does-follow", s.graphdDoesFollow},
		{"GET", "/are_moots", "graphd-are-moots", s.graphdAreMoots},
		{"GET", "/follows_following", "graphd-follows-following", s.graphdFollowsFollowing},
		{"GET", "/intersect_followers", "graphd-intersect-followers", s.graphdIntersect(s.graph.IntersectFollowers)},
		{"GET", "/intersect_following", "graphd-intersect-following", s.graphdIntersect(s.graph.IntersectFollowing)},
		{"POST", "/follow", "graphd-follow", s.graphdWrite(graphdOne, false)},
		{"POST", "/follows", "graphd-follows", s.graphdWrite(graphdFollows, false)},
		{"POST", "/unfollow", "graphd-unfollow", s.graphdWrite(graphdOne, true)},
		{"POST", "/unfollows", "graphd-unfollows", s.graphdWrite(graphdUnfollows, true)},
		{"GET", "/_health", "graphd-health", s.graphdHealth},
	}
}

// graphdAccess says what the calls of GraphD need: those by POST write.
func graphdAccess(e endpoint) (need access, always bool) {
	switch {
	case e.path == "/_health":
		return accessPublic, true
	case e.method == "POST":
		return accessWrite, false
	}
	return accessRead, false
}

// graphdDIDs is a whole list of accounts, in GraphD's form.
type graphdDIDs struct {
	fromSource
	ctx           context.Context
	of            graph.Accounts
	before, after string            // the array
	unknown       func(error) error // says which account was not found
}

// graphdKeys is how GraphD writes the accounts of a list.
var graphdKeys = uproar.KeyForm{Before: `"`, After: `"`, Between: ",", Escape: api.AppendEscapedHTML}

func (r *graphdDIDs) append(dst []byte) ([]byte, error) {
	dst, _, err := r.of.AppendPage(r.ctx, append(dst, r.before...), uproar.Page{}, graphdKeys)
	if err != nil {
		return dst, r.unknown(err)
	}
	return append(dst, r.after...), nil
}

func (s *Server) graphdList(of func(account string) graph.Accounts) handler {
	return func(ctx context.Context, c call) (reply, error) {
		q := lenient(c.query)
		return &graphdDIDs{ctx: ctx, of: of(q.first("did")), before: "[", after: "]", unknown: notFound}, nil
	}
}

func (s *Server) graphdNotFollowing(ctx context.Context, c call) (reply, error) {
	did := lenient(c.query).first("did")
	of := s.graph.Ask(query.And{Of: []query.Expr{
		query.Related{Field: graph.FollowersField, Key: did}, query.Not{Of: query.Related{Field: graph.FollowsField,
			Key: did}},
	}}, did)
	return &graphdDIDs{ctx: ctx, of: of, before: `{"dids":[`, after: "]}", unknown: notFound}, nil
}

// notFound is what GraphD says about an account that it has not, or that is none.
func notFound(err error) error {
	if _, ok := missingAccount(err); ok {
		return graphdFailure(404, "uid not found")
	}
	return err
}

// missingAccount returns the account that an error is about: there is none, or cannot be.
func missingAccount(err error) (account string, ok bool) {
	if e, ok := errors.AsType[*graph.UnknownAccountError](err); ok {
		return e.Account, true
	}
	if e, ok := errors.AsType[*graph.InvalidAccountError](err); ok {
		return e.Account, true
	}
	return "", false
}

// graphdPair reads the parameters of a question about two accounts.
func graphdPair(c call) (actor, target string, err error) {
	q := lenient(c.query)
	if !q.has("actor_did") || !q.has("target_did") {
		return "", "", graphdFailure(400, "actor_did and target_did query params are required")
	}
	return q.first("actor_did"), q.first("target_did"), nil
}

// pairUnknown says which of two accounts was not found.
func (s *Server) pairUnknown(ctx context.Context, err error, actor string) error {
	if _, ok := missingAccount(err); !ok {
		return err
	}
	snap := s.graph.Index().Snapshot().Under(ctx)
	defer snap.Close()
	if graph.CheckAccount(actor) != nil {
		return graphdFailure(404, "actor uid not found")
	}
	switch _, err := snap.ID(actor); {
	case errors.Is(err, uproar.ErrUnknownRecord):
		return graphdFailure(404, "actor uid not found")
	case err != nil:
		return err
	}
	return graphdFailure(404, "target uid not found")
}

// graphdBool is true or false.
type graphdBool bool

func (r graphdBool) AppendJSON(dst []byte) []byte { return strconv.AppendBool(dst, bool(r)) }

func (s *Server) graphdDoesFollow(ctx context.Context, c call) (reply, error) {
	actor, target, err := graphdPair(c)
	if err != nil {
		return nil, err
	}
	follows, err := s.graph.Follows(ctx, actor, target)
	if err != nil {
		return nil, s.pairUnknown(ctx, err, actor)
	}
	return graphdBool(follows), nil
}

func (s *Server) graphdAreMoots(ctx context.Context, c call) (reply, error) {
	actor, target, err := graphdPair(c)
	if err != nil {
		return nil, err
	}
	both, err := s.graph.AreMutuals(ctx, actor, target)
	if err != nil {
		return nil, s.pairUnknown(ctx, err, actor)
	}
	return graphdBool(both), nil
}

func (s *Server) graphdFollowsFollowing(ctx context.Context, c call) (reply, error) {
	actor, target, err := graphdPair(c)
	if err != nil {
		return nil, err
	}
	return &graphdDIDs{ctx: ctx, of: s.graph.FollowsFollowing(actor, target), before: "[", after: "]",
		unknown: func(err error) error { return s.pairUnknown(ctx, err, actor) }}, nil
}

func (s *Server) graphdIntersect(of func(accounts ...string) graph.Accounts) handler {
	return func(ctx context.Context, c call) (reply, error) {
		q := lenient(c.query)
		if !q.has("did") {
			return nil, graphdFailure(400, "did query param is required")
		}
		return &graphdDIDs{ctx: ctx, of: of(q.all("did")...), before: "[", after: "]", unknown: func(err error) error {
			if did, ok := missingAccount(err); ok {
				return graphdFailure(404, "uid not found for did %s", did)
			}
			return err
		}}, nil
	}
}

// graphdStatus is the answer of /_health: the version is that of GraphD's interface.
type graphdStatus struct{}

func (graphdStatus) AppendJSON(dst []byte) []byte {
	return append(dst, `{"status":"ok","version":"0.0.1"}`...)
}

func (s *Server) graphdHealth(ctx context.Context, _ call) (reply, error) {
	if _, err := s.health(ctx, noParameters{}); err != nil {
		return nil, err
	}
	return graphdStatus{}, nil
}
