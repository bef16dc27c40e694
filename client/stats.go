// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"

	"github.com/uproar-db/uproar/api"
)

// Stats says what the database consists of, and what it takes. With Kinds of the request the server
// reads every page of lists.
func (c *Client) Stats(ctx context.Context, req api.StatsRequest) (reply api.StatsReply, err error) {
	query := url.Values{}
	if req.Index != "" {
		query.Set("index", req.Index)
	}
	if req.Kinds {
		query.Set("kinds", "true")
	}
	err = c.get(ctx, "/v1/stats", query, &reply)
	return reply, err
}

// Slow lists the last requests that took long, with their questions.
func (c *Client) Slow(ctx context.Context) (reply api.SlowReply, err error) {
	err = c.get(ctx, "/v1/slow", nil, &reply)
	return reply, err
}
