// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// Graph asks about the graph of accounts. Its lists are values that nothing was asked about yet.
type Graph struct{ c *Client }

// Graph returns the graph of the server.
func (c *Client) Graph() Graph { return Graph{c} }

// Relation is one of the relations of the graph.
type Relation string

// The relations, and their inverses.
const (
	Follows   Relation = "following"
	Followers Relation = "followers"
	Blocks    Relation = "blocks"
	Blockers  Relation = "blockers"
	Mutes     Relation = "mutes"
	Muters    Relation = "muters"
	Members   Relation = "members"
	Lists     Relation = "lists"
)

// Related returns the accounts that an account has in a relation.
func (g Graph) Related(r Relation, account string) Accounts { return g.list(string(r), account) }

// Followers returns who follows an account.
func (g Graph) Followers(account string) Accounts { return g.list("followers", account) }

// Following returns whom an account follows.
func (g Graph) Following(account string) Accounts { return g.list("following", account) }

// Mutuals returns who does both.
func (g Graph) Mutuals(account string) Accounts { return g.list("mutuals", account) }

// FollowsFollowing returns whom an account follows who follow target.
func (g Graph) FollowsFollowing(account, target string) Accounts {
	return g.list("follows-following", account).with("target", target)
}

// MutualsFollowing returns which mutuals of an account follow target.
func (g Graph) MutualsFollowing(account, target string) Accounts {
	return g.list("mutuals-following", account).with("target", target)
}

// IntersectFollowers returns who follows every one of some accounts.
func (g Graph) IntersectFollowers(accounts ...string) Accounts {
	return g.list("intersect-followers", accounts...)
}

// IntersectFollowing returns who is followed by every one of some accounts.
func (g Graph) IntersectFollowing(accounts ...string) Accounts {
	return g.list("intersect-following", accounts...)
}

// Reach returns whom an account reaches over one or two follows.
func (g Graph) Reach(account string) Accounts { return g.list("reach", account) }

func (g Graph) list(call string, accounts ...string) Accounts {
	return Accounts{g.c, "/v1/graph/" + call, url.Values{"account": accounts}}
}

// Accounts is a list of accounts that can be asked for: how many, page by page, or all. Safe for
// concurrent use.
type Accounts struct {
	c     *Client
	path  string
	query url.Values // never changed
}

// with returns the list with another parameter.
func (a Accounts) with(name, value string) Accounts {
	query := url.Values{name: {value}}
	for n, v := range a.query {
		if n != name {
			query[n] = v
		}
	}
	a.query = query
	return a
}

// For returns the list without accounts that viewer blocks or mutes, and without accounts that
// block viewer.
func (a Accounts) For(viewer string) Accounts { return a.with("viewer", viewer) }

// Newest returns the list by the time of records with keys, which its pages have too: of Following,
// and of Blocks and Members.
func (a Accounts) Newest() Accounts { return a.with("order", "newest").with("keys", "true") }

// Oldest is Newest the other way round.
func (a Accounts) Oldest() Accounts { return a.with("order", "oldest").with("keys", "true") }

// Count returns how many they are.
func (a Accounts) Count(ctx context.Context) (uint64, error) {
	var reply api.CountReply
	err := a.c.get(ctx, a.path, a.with("count", "true").query, &reply)
	return reply.Count, err
}

// Page returns a page of the list, in order of first appearance unless another one was asked for.
func (a Accounts) Page(ctx context.Context, p Page) (reply api.AccountsReply, err error) {
	if p.Limit != 0 {
		a = a.with("limit", strconv.Itoa(p.Limit))
	}
	if p.Cursor != "" {
		a = a.with("cursor", p.Cursor)
	}
	err = a.c.get(ctx, a.path, a.query, &reply)
	return reply, err
}

// All returns the whole list, which it asks for page by page. The sequence ends with the first
// error.
func (a Accounts) All(ctx context.Context) iter.Seq2[string, error] {
	return pages(func(cursor string) ([]string, string, error) {
		reply, err := a.Page(ctx, Page{Limit: api.MaxLimit, Cursor: cursor})
		return reply.Accounts, reply.Cursor, err
	})
}
