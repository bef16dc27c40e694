// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likesapi

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/server/call"
)

// Handlers answers the calls about likes. A database without any gets them with the first write.
type Handlers struct {
	db    *uproar.DB
	index atomic.Pointer[opened]
}

// opened is the likes that are open, of an index.
type opened struct {
	of    *uproar.Index
	likes *likes.Likes
}

// New returns the handlers of a database.
func New(db *uproar.DB) *Handlers { return &Handlers{db: db} }

// Endpoints lists the calls.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Post(writePath, "likes-write", call.Bind(decodeWrite, h.write)),
		call.Post(lookupPath, "likes-lookup", call.Bind(decodeLookup, h.lookup)),
		call.Get(likersPath, "likes-likers", call.Bind(decodeLikers, h.likers)),
		call.Get(likedPath, "likes-liked", call.Bind(decodeLiked, h.liked)),
	}
}

// keyed are the relations that keep keys in a graph that is made by a first like.
var keyed = graph.Options{Keyed: []graph.Relation{graph.Follows, graph.Blocks, graph.Members}}

// open returns the likes. create: they are made if there are none.
func (h *Handlers) open(ctx context.Context, create bool) (*likes.Likes, error) {
	index, err := h.db.Index(graph.IndexName)
	if o := h.index.Load(); err == nil && o != nil && o.of == index {
		return o.likes, nil
	}
	if !create && (err != nil || !likes.Kept(index)) {
		return nil, fmt.Errorf("%w: this database has no likes yet, the first write makes them", uproar.ErrUnknownIndex)
	}
	opts := graph.Options{}
	if errors.Is(err, uproar.ErrUnknownIndex) {
		opts = keyed
	}
	g, err := graph.OpenWith(ctx, h.db, opts)
	if err != nil {
		return nil, err
	}
	l, err := likes.Open(ctx, h.db, g)
	if err == nil {
		h.index.Store(&opened{g.Index(), l})
	}
	return l, err
}

func decodeWrite(c call.Request) (api.LikesRequest, error) {
	req, err := call.DecodeBody[api.LikesRequest](c)
	switch {
	case err != nil:
		return req, err
	case req.Changes == nil && req.Stream == "":
		return req, call.Invalid("body has neither \"changes\" nor \"stream\"")
	case (req.Stream != "") != (req.Position != nil):
		return req, call.Invalid("body has one of \"stream\" and \"position\", want both or neither")
	}
	return req, nil
}

// write writes changes, with the position of the stream that they come from.
func (h *Handlers) write(ctx context.Context, req api.LikesRequest) (call.Reply, error) {
	l, err := h.open(ctx, true)
	if err != nil {
		return nil, err
	}
	c := likes.Changes{List: make([]likes.Change, len(req.Changes)), Stream: req.Stream}
	for i, x := range req.Changes {
		c.List[i] = likes.Change(x)
	}
	if req.Position != nil {
		c.Position = *req.Position
	}
	sequence, err := l.Write(ctx, c)
	return api.WriteReply{Sequence: sequence}, err
}

func decodeLookup(c call.Request) (api.SubjectsRequest, error) {
	req, err := call.DecodeBody[api.SubjectsRequest](c)
	switch {
	case err != nil:
		return req, err
	case len(req.Subjects) == 0 || len(req.Subjects) > api.MaxSubjects:
		return req, call.Invalid("member \"subjects\" has %d, want 1 to %d", len(req.Subjects), api.MaxSubjects)
	case req.Limit < 0 || req.Limit > api.MaxLimit:
		return req, call.Invalid("member \"limit\" is %d, want 0 to %d", req.Limit, api.MaxLimit)
	}
	return req, nil
}

// lookup answers what is known about subjects, of one state.
func (h *Handlers) lookup(ctx context.Context, req api.SubjectsRequest) (call.Reply, error) {
	l, err := h.open(ctx, false)
	if err != nil {
		return nil, err
	}
	answers, err := l.Ask(ctx, likes.Question{Liker: req.Account, Viewer: req.Viewer, Limit: req.Limit,
		Records: req.Records}, req.Subjects...)
	r := api.SubjectsReply{Subjects: make([]api.SubjectLikes, len(answers))}
	for i, a := range answers {
		x := &r.Subjects[i]
		x.Accounts = a.Accounts
		if req.Records {
			x.Records = &answers[i].Records
		}
		if req.Account != "" {
			x.Key = &answers[i].Key
		}
		if req.Viewer != "" {
			x.Known = &api.KnownLikers{Count: a.Known, Accounts: append([]string{}, a.Likers...)}
		}
	}
	return r, err
}

func decodeLikers(c call.Request) (api.LikersRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.LikersRequest{Subject: p.Required("subject"), Cursor: p.Cursor(), Hidden: p.Flag("hidden")}
	req.Limit, _ = p.Limit()
	return req, p.Finish()
}

// likers answers the records that like a subject.
func (h *Handlers) likers(ctx context.Context, req api.LikersRequest) (call.Reply, error) {
	l, err := h.open(ctx, false)
	if err != nil {
		return nil, err
	}
	if err := uproar.Grow(ctx, call.EntriesBytes(2*req.Limit)); err != nil {
		return nil, err
	}
	list, cursor, err := l.Likers(ctx, req.Subject, likes.Page{Cursor: req.Cursor, Limit: req.Limit,
		Hidden: req.Hidden})
	if errors.As(err, new(*likes.CursorError)) {
		return nil, call.BadCursor(req.Cursor)
	}
	r := api.LikersReply{Likes: make([]api.Like, len(list)), Cursor: cursor}
	for i, like := range list {
		r.Likes[i] = api.Like(like)
	}
	return r, err
}

func decodeLiked(c call.Request) (api.AccountRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.AccountRequest{Account: p.Required("account"), Part: api.Part{Cursor: p.Cursor()}}
	req.Limit, _ = p.Limit()
	return req, p.Finish()
}

// liked answers what an account likes.
func (h *Handlers) liked(ctx context.Context, req api.AccountRequest) (call.Reply, error) {
	l, err := h.open(ctx, false)
	if err != nil {
		return nil, err
	}
	question := call.Question("likes " + req.Account)
	p, err := call.Page(req.Limit, req.Cursor, question)
	if err != nil {
		return nil, err
	}
	subjects, next, err := l.Subjects(ctx, req.Account, p)
	return api.LikedReply{Subjects: append([]string{}, subjects...),
		Cursor: call.NextCursor(next, next > 0, question)}, err
}
