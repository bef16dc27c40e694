// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// model is a graph as plain maps.
type model map[graph.Follow]bool

func (m model) followers(account string) map[string]bool {
	set := make(map[string]bool)
	for f := range m {
		if f.Target == account {
			set[f.Account] = true
		}
	}
	return set
}

func (m model) following(account string) map[string]bool {
	set := make(map[string]bool)
	for f := range m {
		if f.Account == account {
			set[f.Target] = true
		}
	}
	return set
}

// common lists what is in every set, sorted.
func common(sets ...map[string]bool) string {
	first := maps.Clone(sets[0])
	for _, set := range sets[1:] {
		maps.DeleteFunc(first, func(name string, _ bool) bool { return !set[name] })
	}
	return strings.Join(slices.Sorted(maps.Keys(first)), " ")
}

// A random history of follows, unfollows and flushes leaves the graph equal to
// plain maps.
func TestAgainstModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	g, _ := open(t)
	m := make(model)
	const accounts = 25
	name := func() string { return fmt.Sprintf("a%02d", rng.IntN(accounts)) }
	var ring []graph.Follow // so that every account exists
	for i := range accounts {
		f := graph.Follow{Account: fmt.Sprintf("a%02d", i), Target: fmt.Sprintf("a%02d", (i+1)%accounts)}
		ring = append(ring, f)
		m[f] = true
	}
	if _, err := g.Follow(t.Context(), ring...); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		for range 10 {
			batch := make([]graph.Follow, 1+rng.IntN(8))
			for i := range batch {
				batch[i] = graph.Follow{Account: name(), Target: name()}
			}
			write, follows := g.Follow, true
			if rng.IntN(3) == 0 {
				write, follows = g.Unfollow, false
			}
			if _, err := write(t.Context(), batch...); err != nil {
				t.Fatal(err)
			}
			for _, f := range batch {
				if follows {
					m[f] = true
				} else {
					delete(m, f)
				}
			}
		}
		if rng.IntN(3) == 0 {
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		a, b, c := name(), name(), name()
		check(t, "followers", g.Followers(a), common(m.followers(a)))
		check(t, "following", g.Following(a), common(m.following(a)))
		check(t, "mutuals", g.Mutuals(a), common(m.followers(a), m.following(a)))
		check(t, "follows following", g.FollowsFollowing(a, b), common(m.following(a), m.followers(b)))
		check(t, "intersect followers", g.IntersectFollowers(a, b, c),
			common(m.followers(a), m.followers(b), m.followers(c)))
		check(t, "intersect following", g.IntersectFollowing(a, b, c),
			common(m.following(a), m.following(b), m.following(c)))
		if got, err := g.Follows(t.Context(), a, b); err != nil || got != m[graph.Follow{Account: a, Target: b}] {
			t.Errorf("%s follows %s: got %t (%v)", a, b, got, err)
		}
		if t.Failed() {
			return
		}
	}
}
