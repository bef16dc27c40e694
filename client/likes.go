// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// Likes asks who likes what, and writes it.
type Likes struct{ c *Client }

// Likes returns the calls about likes.
func (g Graph) Likes() Likes { return Likes(g) }

// Write makes changes, all or none. With them it stores how far their stream has come.
func (l Likes) Write(ctx context.Context, req api.LikesRequest) (sequence uint64, err error) {
	var reply api.WriteReply
	err = l.c.post(ctx, "/v1/likes/write", req, &reply, true)
	return reply.Sequence, err
}

// Lookup returns what is known about subjects, in their order, of one state.
func (l Likes) Lookup(ctx context.Context, req api.SubjectsRequest) ([]api.SubjectLikes, error) {
	var reply api.SubjectsReply
	err := l.c.post(ctx, "/v1/likes/lookup", req, &reply, false)
	return reply.Subjects, err
}

// Likers returns a page of the records that like a subject, the newest first.
func (l Likes) Likers(ctx context.Context, req api.LikersRequest) (reply api.LikersReply, err error) {
	query := pageOf(url.Values{"subject": {req.Subject}}, Page{req.Limit, req.Cursor})
	if req.Hidden {
		query.Set("hidden", "true")
	}
	err = l.c.get(ctx, "/v1/likes/likers", query, &reply)
	return reply, err
}

// Liked returns a page of the subjects that an account likes, in order of their first appearance.
func (l Likes) Liked(ctx context.Context, account string, p Page) (reply api.LikedReply, err error) {
	err = l.c.get(ctx, "/v1/likes/liked", pageOf(url.Values{"account": {account}}, p), &reply)
	return reply, err
}

// pageOf adds a page to the parameters of a call.
func pageOf(query url.Values, p Page) url.Values {
	if p.Limit > 0 {
		query.Set("limit", strconv.Itoa(p.Limit))
	}
	if p.Cursor != "" {
		query.Set("cursor", p.Cursor)
	}
	return query
}
