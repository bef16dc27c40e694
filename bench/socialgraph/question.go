// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"math/rand/v2"
	"net/url"
	"sort"
	"strings"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// kind is what is asked.
type kind int

const (
	doesFollow kind = iota
	followers
	following
	mutuals
	followsFollowing
	intersectFollowers
	intersectFollowing
	kinds
)

// paths are those of GraphD, which the server answers as well.
var paths = [kinds]string{"/does_follow", "/followers", "/following", "/moots", "/follows_following",
	"/intersect_followers", "/intersect_following"}

// question is about some accounts.
type question struct {
	kind kind
	of   []uint32
}

// expr returns the query of a question; doesFollow has none.
func (q question) expr(n *Network) query.Expr {
	related := func(field string, account uint32) query.Expr { return query.Related{Field: field, Key: n.Key(account)} }
	var of []query.Expr
	switch q.kind {
	case mutuals:
		of = []query.Expr{related(graph.FollowsField, q.of[0]), related(graph.FollowersField, q.of[0])}
	case followsFollowing:
		of = []query.Expr{related(graph.FollowsField, q.of[0]), related(graph.FollowersField, q.of[1])}
	default:
		field := graph.FollowsField
		if q.kind == followers || q.kind == intersectFollowers {
			field = graph.FollowersField
		}
		for _, account := range q.of {
			of = append(of, related(field, account))
		}
	}
	if len(of) == 1 {
		return of[0]
	}
	return query.And{Of: of}
}

// address returns the path and parameters of a question, as GraphD has them.
func (q question) address(n *Network) string {
	values := url.Values{}
	switch q.kind {
	case doesFollow, followsFollowing:
		values.Set("actor_did", n.Key(q.of[0]))
		values.Set("target_did", n.Key(q.of[1]))
	default:
		for _, account := range q.of {
			values.Add("did", n.Key(account))
		}
	}
	return paths[q.kind] + "?" + strings.ReplaceAll(values.Encode(), "%3A", ":")
}

// chooser draws questions about accounts that exist.
type chooser struct {
	*Network
	rng     *rand.Rand
	popular spread
}

func (n *Network) chooser(seed uint64) *chooser {
	return &chooser{n, rand.New(rand.NewPCG(n.Seed, seed)), newSpread(n.Accounts, flatPopularity)}
}

// any returns an account that follows somebody, all alike.
func (c *chooser) any() uint32 {
	for range tries {
		if a := uint32(c.rng.IntN(c.Accounts)); c.Degree(a) > 0 {
			return a
		}
	}
	return c.Active(0)
}

// followed returns an account, those with many followers more often, which somebody follows.
func (c *chooser) followed() uint32 { return c.first(c.any()) }

// first returns whom an account followed first.
func (c *chooser) first(account uint32) uint32 {
	if c.admires(account) {
		return 0
	}
	rng := random(mix(c.Seed ^ uint64(account)<<20))
	target := c.target(account, &c.popular, &rng)
	for try := 1; target == account; try++ {
		if try < tries {
			target = c.target(account, &c.popular, &rng)
		} else {
			target = (target + 1) % uint32(c.Accounts)
		}
	}
	return target
}

// popularFrom returns an account that has about least to most followers. If there is none, it
// returns one of the most popular accounts.
func (c *chooser) popularFrom(least, most float64) uint32 {
	count := func(rank int) float64 { return (c.popular.share(rank+1) - c.popular.share(rank)) * float64(c.Follows) }
	rank := func(followers float64) int {
		return sort.Search(c.Accounts-1, func(rank int) bool { return count(rank) <= followers })
	}
	from, to := rank(most), rank(least)
	return uint32(min(from+c.rng.IntN(max(1, to-from)), c.Accounts-1))
}

// two returns two different numbers below n.
func (c *chooser) two(n int) (a, b int) {
	n = min(n, c.Accounts)
	a = c.rng.IntN(n)
	return a, (a + 1 + c.rng.IntN(n-1)) % n
}

// question draws a question of a kind.
func (c *chooser) question(k kind) question {
	q := question{kind: k, of: []uint32{c.any()}}
	switch k {
	case doesFollow:
		if q.of = append(q.of, c.followed()); c.rng.IntN(2) == 0 {
			q.of[1] = c.first(q.of[0])
		}
	case followers:
		q.of[0] = c.followed()
	case followsFollowing:
		if c.rng.IntN(4) == 0 {
			q.of[0] = c.Active(c.rng.IntN(min(100, c.Accounts)))
		}
		q.of = append(q.of, c.followed())
	case intersectFollowers:
		q.of[0] = c.followed()
		for range 1 + c.rng.IntN(3) {
			q.of = append(q.of, c.followed())
		}
	case intersectFollowing:
		if c.rng.IntN(2) == 0 {
			q.of[0] = c.Active(c.rng.IntN(min(100, c.Accounts)))
		}
		for range 1 + c.rng.IntN(3) {
			q.of = append(q.of, c.any())
		}
	}
	return q
}
