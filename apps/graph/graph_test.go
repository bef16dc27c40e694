// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/memstore"
)

// open returns an empty graph in memory.
func open(t testing.TB) (*graph.Graph, *uproar.DB) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, uproar.ErrClosed) {
			t.Error(err)
		}
	})
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return g, db
}

// pairs makes follows of "alice>bob bob>carol".
func pairs(text string) (follows []graph.Follow) {
	for word := range strings.FieldsSeq(text) {
		account, target, _ := strings.Cut(word, ">")
		follows = append(follows, graph.Follow{Account: account, Target: target})
	}
	return follows
}

func follow(t testing.TB, g *graph.Graph, text string) {
	t.Helper()
	if _, err := g.Follow(t.Context(), pairs(text)...); err != nil {
		t.Fatal(err)
	}
}

// names lists a set, sorted.
func names(t testing.TB, a graph.Accounts) []string {
	t.Helper()
	keys, err := a.Page(t.Context(), uproar.Page{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys.Keys)
	return keys.Keys
}

func check(t testing.TB, what string, a graph.Accounts, want string) {
	t.Helper()
	if got := strings.Join(names(t, a), " "); got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
	n, err := a.Count(t.Context())
	if want := uint64(len(strings.Fields(want))); err != nil || n != want {
		t.Errorf("%s: count is %d (%v), want %d", what, n, err, want)
	}
	var paged []string
	for p := (uproar.Page{Limit: 2}); ; {
		text, next, err := a.AppendPage(t.Context(), nil, p, uproar.KeyForm{After: " "})
		paged = append(paged, strings.Fields(string(text))...)
		if err != nil {
			t.Errorf("%s: page from %d: %v", what, p.From, err)
		}
		if next == 0 || err != nil {
			break
		}
		p.From = next
	}
	if slices.Sort(paged); strings.Join(paged, " ") != want {
		t.Errorf("%s: got pages of %q, want %q", what, paged, want)
	}
}

// records returns how many accounts there are.
func records(t testing.TB, g *graph.Graph) uint64 {
	t.Helper()
	stats, err := g.Index().Stats()
	if err != nil {
		t.Fatal(err)
	}
	return stats.Records
}

func TestVerbs(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob alice>carol alice>dan bob>alice carol>bob dan>bob dan>dan erin>alice erin>bob")
	for range 2 {
		check(t, "followers of bob", g.Followers("bob"), "alice carol dan erin")
		check(t, "following of alice", g.Following("alice"), "bob carol dan")
		check(t, "mutuals of alice", g.Mutuals("alice"), "bob")
		check(t, "mutuals of dan, who follows himself", g.Mutuals("dan"), "dan")
		check(t, "whom alice follows who follow bob", g.FollowsFollowing("alice", "bob"), "carol dan")
		check(t, "who follows alice and bob", g.IntersectFollowers("alice", "bob"), "erin")
		check(t, "who follows bob", g.IntersectFollowers("bob"), "alice carol dan erin")
		check(t, "who follows bob, bob and bob", g.IntersectFollowers("bob", "bob", "bob"), "alice carol dan erin")
		check(t, "whom carol, dan and erin follow", g.IntersectFollowing("carol", "dan", "erin"), "bob")
		check(t, "followers of erin", g.Followers("erin"), "")
		for pair, want := range map[string]bool{"alice>bob": true, "bob>carol": false, "dan>dan": true,
			"alice>alice": false} {
			f := pairs(pair)[0]
			if got, err := g.Follows(t.Context(), f.Account, f.Target); err != nil || got != want {
				t.Errorf("%s: got %t (%v), want %t", pair, got, err, want)
			}
		}
		if got, err := g.Followers("bob").Contains(t.Context(), "erin"); err != nil || !got {
			t.Errorf("erin among the followers of bob: got %t (%v), want true", got, err)
		}
		if got, err := g.Mutuals("alice").Contains(t.Context(), "dan"); err != nil || got {
			t.Errorf("dan among the mutuals of alice: got %t (%v), want false", got, err)
		}
		// The answers are the same from pages as from the delta.
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPages(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "a>x b>x c>x d>x e>x")
	var got []string
	for p := (uproar.Page{Limit: 2}); ; {
		keys, err := g.Followers("x").Page(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if len(keys.Keys) > 2 || len(keys.Keys) == 0 {
			t.Fatalf("page of %q, want 1 or 2", keys.Keys)
		}
		got = append(got, keys.Keys...)
		// An earlier account that goes and one that comes move nothing.
		if _, err := g.Unfollow(t.Context(), graph.Follow{Account: keys.Keys[0], Target: "x"}); err != nil {
			t.Fatal(err)
		}
		if !keys.More {
			break
		}
		p.From = keys.Next
	}
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(got, want) {
		t.Errorf("got %q over all pages, want %q: order of first appearance", got, want)
	}
}

func TestAll(t *testing.T) {
	g, _ := open(t)
	var want []string
	var all []graph.Follow
	for i := range 2500 { // several fetches
		name := "account" + strings.Repeat("i", i%7) + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		all = append(all, graph.Follow{Account: name, Target: "x"})
		want = append(want, name)
	}
	if _, err := g.Follow(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, err := range g.Followers("x").All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, slices.Compact(want)) {
		t.Errorf("got %d accounts, want %d", len(got), len(want))
	}
	for name := range g.Followers("x").All(t.Context()) { // a consumer may stop
		if name == "" {
			t.Error("empty account")
		}
		break
	}
	for name, err := range g.Followers("nobody").All(t.Context()) {
		if name != "" || err == nil {
			t.Errorf("unknown account: got %q, %v, want an error", name, err)
		}
	}
}

func TestUnknownAccounts(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob")
	counts := map[string]func() graph.Accounts{
		"followers":         func() graph.Accounts { return g.Followers("zoe") },
		"following":         func() graph.Accounts { return g.Following("zoe") },
		"mutuals":           func() graph.Accounts { return g.Mutuals("zoe") },
		"follows-following": func() graph.Accounts { return g.FollowsFollowing("alice", "zoe") },
		"both unknown":      func() graph.Accounts { return g.FollowsFollowing("zoe", "yan") },
		"intersection":      func() graph.Accounts { return g.IntersectFollowers("alice", "zoe", "yan") },
		"empty by itself":   func() graph.Accounts { return g.IntersectFollowing("bob", "zoe") },
	}
	for name, ask := range counts {
		_, countErr := ask().Count(t.Context())
		_, pageErr := ask().Page(t.Context(), uproar.Page{Limit: 1})
		_, containsErr := ask().Contains(t.Context(), "alice")
		for _, err := range []error{countErr, pageErr, containsErr} {
			var unknown *graph.UnknownAccountError
			if !errors.As(err, &unknown) || unknown.Account != "zoe" || !errors.Is(err, uproar.ErrUnknownRecord) {
				t.Errorf("%s: got error %v, want one that names zoe", name, err)
			}
		}
	}
	for _, pair := range []string{"zoe>alice", "alice>zoe"} {
		f := pairs(pair)[0]
		var unknown *graph.UnknownAccountError
		if _, err := g.Follows(t.Context(), f.Account, f.Target); !errors.As(err, &unknown) ||
			unknown.Account != "zoe" {
			t.Errorf("%s: got error %v, want one that names zoe", pair, err)
		}
	}
	if _, err := g.Followers("bob").Contains(t.Context(), "zoe"); !errors.Is(err, uproar.ErrUnknownRecord) {
		t.Errorf("zoe among the followers of bob: got error %v, want ErrUnknownRecord", err)
	}
	if _, err := g.IntersectFollowers().Count(t.Context()); !errors.Is(err, graph.ErrNoAccounts) {
		t.Errorf("intersection of nothing: got error %v, want ErrNoAccounts", err)
	}
}

func TestInvalidAccounts(t *testing.T) {
	g, _ := open(t)
	for _, c := range []struct{ account, reason string }{
		{"", "is empty"},
		{strings.Repeat("x", 513), "has 513 bytes, want at most 512"},
		{"a\xffb", "is not valid UTF-8 at byte 1"},
		{"ab\x00", "has the control character U+0000 at byte 2"},
		{"a\nb", "has the control character U+000A at byte 1"},
		{"a\u0085", "has the control character U+0085 at byte 1"},
		{"\x7f", "has the control character U+007F at byte 0"},
	} {
		_, followErr := g.Follow(t.Context(), graph.Follow{Account: "alice", Target: "bob"},
			graph.Follow{Account: "bob", Target: c.account})
		_, unfollowErr := g.Unfollow(t.Context(), graph.Follow{Account: c.account, Target: "bob"})
		_, countErr := g.Followers(c.account).Count(t.Context())
		_, probeErr := g.Follows(t.Context(), "alice", c.account)
		for _, err := range []error{followErr, unfollowErr, countErr, probeErr, graph.CheckAccount(c.account)} {
			var invalid *graph.InvalidAccountError
			if !errors.As(err, &invalid) || invalid.Account != c.account || invalid.Reason != c.reason {
				t.Errorf("%q: got error %v, want an InvalidAccountError: %s", c.account, err, c.reason)
			}
		}
		var place *graph.InBatchError
		if !errors.As(followErr, &place) || place.Position != 1 || place.Role != "target" {
			t.Errorf("%q: got error %v, want one about the target of follow 1", c.account, followErr)
		}
	}
	// A batch with one bad follow has written none.
	if n := records(t, g); n != 0 {
		t.Errorf("got %d accounts after refused batches, want 0", n)
	}
	for _, account := range []string{"x", strings.Repeat("x", 512), "日本 語", "\ufffd", "#a,\"b\""} {
		if err := graph.CheckAccount(account); err != nil {
			t.Errorf("%q: got error %v, want none", account, err)
		}
		follow(t, g, "a>b")
		if _, err := g.Follow(t.Context(), graph.Follow{Account: account, Target: "b"}); err != nil {
			t.Errorf("%q: got error %v, want none", account, err)
		}
	}
}

// What GraphD does wrong, each a test: repeated follows count once, a follow of
// any two accounts survives a flush, and unfollowing creates nobody.
func TestRepeatedFollowsCountOnce(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob alice>bob")
	follow(t, g, "alice>bob")
	check(t, "followers of bob", g.Followers("bob"), "alice")
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	follow(t, g, "alice>bob")
	check(t, "followers of bob, flushed and followed again", g.Followers("bob"), "alice")
}

func TestFollowsOfAnyTwoAccountsSurviveAFlush(t *testing.T) {
	g, _ := open(t)
	accounts := strings.Fields("a b c d e f g h i j k l m n o p")
	for _, a := range accounts {
		for _, b := range accounts {
			follow(t, g, a+">"+b)
		}
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range accounts {
		check(t, "followers of "+a, g.Followers(a), strings.Join(accounts, " "))
		check(t, "following of "+a, g.Following(a), strings.Join(accounts, " "))
	}
}

func TestUnfollow(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob carol>bob")
	for _, text := range []string{"zoe>alice", "alice>zoe", "alice>bob zoe>bob"} {
		_, err := g.Unfollow(t.Context(), pairs(text)...)
		var unknown *graph.UnknownAccountError
		if !errors.As(err, &unknown) || unknown.Account != "zoe" {
			t.Errorf("unfollow %s: got error %v, want one that names zoe", text, err)
		}
	}
	check(t, "followers of bob after refused batches", g.Followers("bob"), "alice carol")
	if n := records(t, g); n != 3 {
		t.Errorf("got %d accounts, want 3: unfollowing creates none", n)
	}
	if _, err := g.Unfollow(t.Context(), pairs("alice>bob bob>alice alice>bob")...); err != nil {
		t.Errorf("unfollow, of a follow that is not there too: %v", err)
	}
	check(t, "followers of bob", g.Followers("bob"), "carol")
	check(t, "following of alice", g.Following("alice"), "")
}

// The sequence number of a write is that of a snapshot taken right after it.
func TestSequence(t *testing.T) {
	g, _ := open(t)
	first, err := g.Follow(t.Context(), pairs("alice>bob")...)
	if err != nil {
		t.Fatal(err)
	}
	second, err := g.Unfollow(t.Context(), pairs("alice>bob")...)
	if err != nil || second <= first {
		t.Errorf("got sequence %d after %d (%v), want a larger one", second, first, err)
	}
	for _, write := range []func(context.Context, ...graph.Follow) (uint64, error){g.Follow, g.Unfollow} {
		if n, err := write(t.Context()); err != nil || n != second {
			t.Errorf("an empty batch: got sequence %d (%v), want %d", n, err, second)
		}
	}
}

func TestOpen(t *testing.T) {
	g, db := open(t)
	follow(t, g, "alice>bob")
	again, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "followers in a graph opened again", again.Followers("bob"), "alice")

	other, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.CreateIndex(t.Context(), graph.IndexName, uproar.Field{Name: "tags",
		Type: uproar.Set}); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Open(t.Context(), other); err == nil || !strings.Contains(err.Error(),
		"has fields [tags:set], want follows:relation:inverse=followers") {
		t.Errorf("index of other fields: got error %v", err)
	}
}

func TestCancelled(t *testing.T) {
	g, _ := open(t)
	follow(t, g, "alice>bob")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Follow(ctx, pairs("carol>bob")...); !errors.Is(err, context.Canceled) {
		t.Errorf("follow: got error %v, want context.Canceled", err)
	}
	if _, err := g.Follows(ctx, "alice", "bob"); !errors.Is(err, context.Canceled) {
		t.Errorf("follows: got error %v, want context.Canceled", err)
	}
	check(t, "followers of bob", g.Followers("bob"), "alice")
}
