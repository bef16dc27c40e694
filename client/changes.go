// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
)

// Changes returns the commits of an index after the one numbered after, in order, up to the last
// one. After 0 they begin with the first. To miss nothing and get nothing twice, keep the Sequence
// of the last commit that you have applied, and go on from there. The sequence ends with the first
// error: ErrSequenceTrimmed, whose *Error names in Oldest the oldest commit that is kept, or
// another.
func (c *Client) Changes(ctx context.Context, index string, after uint64) iter.Seq2[api.Commit, error] {
	return c.follow(ctx, index, after, 0)
}

// longPoll is how long a request waits for a commit: somewhat less than the time that a server
// gives each request, unless it was told another.
const longPoll = 9 * time.Second

// Follow is Changes that waits for more when there is none, until ctx is done: then it ends, with
// the error of ctx. When the connection is lost later on, or the server is away, it asks again from
// where it was.
func (c *Client) Follow(ctx context.Context, index string, after uint64) iter.Seq2[api.Commit, error] {
	return c.follow(ctx, index, after, longPoll)
}

func (c *Client) follow(ctx context.Context, index string, after uint64, wait time.Duration) iter.Seq2[api.Commit,
	error] {
	return func(yield func(api.Commit, error) bool) {
		for met := false; ; met = true {
			query := url.Values{"index": {index}, "after": {strconv.FormatUint(after, 10)}}
			if wait > 0 {
				query.Set("wait", wait.String())
			}
			var reply api.ChangesReply
			if err := poll(ctx, c, "/v1/changes", query, &reply, met && wait > 0); err != nil {
				yield(api.Commit{}, err)
				return
			}
			for _, commit := range reply.Commits {
				if !yield(commit, nil) {
					return
				}
			}
			if len(reply.Commits) == 0 && wait == 0 {
				return
			}
			after = max(after, reply.Last)
		}
	}
}
