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

// Standing asks about the standing queries of an index, and sets and drops them.
type Standing struct {
	client *Client
	index  string
}

// Standing returns the calls about the standing queries of an index.
func (c *Client) Standing(index string) Standing { return Standing{c, index} }

// List returns the standing queries, by name. Errors: ErrUnknownIndex.
func (s Standing) List(ctx context.Context) ([]api.StandingQuery, error) {
	var reply api.StandingReply
	err := s.client.get(ctx, "/v1/standing", url.Values{"index": {s.index}}, &reply)
	return reply.Queries, err
}

// Set makes a query stand under a name, in the place of the one of that name. Errors: as of Count.
func (s Standing) Set(ctx context.Context, name, q string) error {
	req := api.StandingRequest{Index: s.index, Name: name, Query: q}
	return s.client.post(ctx, "/v1/standing/set", req, new(api.StandingReply), true)
}

// Drop ends a standing query: its records leave it. Errors: ErrUnknownSet.
func (s Standing) Drop(ctx context.Context, name string) error {
	req := api.StandingDropRequest{Index: s.index, Name: name}
	return s.client.post(ctx, "/v1/standing/drop", req, new(api.StandingReply), true)
}

// Events returns what entered and left a standing query behind a position, up to now. After 0 it
// begins with the first record that entered. The sequence ends with the first error.
func (s Standing) Events(ctx context.Context, name string, after uint64) iter.Seq2[api.StandingEvent, error] {
	return s.events(ctx, name, after, 0)
}

// Follow is Events that waits for more when there is none, until ctx is done: then it ends, with
// the error of ctx. When the connection is lost later on, or the server is away, it asks again from
// where it was. To miss nothing and get nothing twice, keep the Position of the last event that you
// have applied, and go on from there.
func (s Standing) Follow(ctx context.Context, name string, after uint64) iter.Seq2[api.StandingEvent, error] {
	return s.events(ctx, name, after, longPoll)
}

func (s Standing) events(ctx context.Context, name string, after uint64, wait time.Duration) iter.Seq2[
	api.StandingEvent, error] {
	return func(yield func(api.StandingEvent, error) bool) {
		for met := false; ; met = true {
			query := url.Values{"index": {s.index}, "name": {name}, "after": {strconv.FormatUint(after, 10)}}
			if wait > 0 {
				query.Set("wait", wait.String())
			}
			var reply api.StandingEventsReply
			if err := poll(ctx, s.client, "/v1/standing/events", query, &reply, met && wait > 0); err != nil {
				yield(api.StandingEvent{}, err)
				return
			}
			for _, e := range reply.Events {
				if !yield(e, nil) {
					return
				}
			}
			if after = max(after, reply.Last); len(reply.Events) == 0 && wait == 0 && !reply.More {
				return
			}
		}
	}
}
