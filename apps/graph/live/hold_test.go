// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// held is a follower's rules with a graph, whose events are given by hand.
type held struct {
	t *testing.T
	g *livetest.Graph
	r *rules
}

// newHeld returns one that is connected where the graph is.
func newHeld(t *testing.T, g *livetest.Graph) *held {
	h := &held{t, g, testRules(g, named{})}
	h.r.begin()
	accounts, err := g.Targets(t.Context(), graph.Members, heldList("test"), 0)
	if err != nil {
		t.Fatal(err)
	}
	position, _, _ := g.Position("test")
	h.r.resume(accounts, position)
	return h
}

// add takes an event at a time, and commits.
func (h *held) add(e Event, position, now int) {
	h.t.Helper()
	e.Position = int64(position)
	if err := h.r.add(h.t.Context(), &e, time.Duration(now)); err != nil {
		h.t.Fatal(err)
	}
	h.commit()
}

func (h *held) commit() {
	h.t.Helper()
	c, _ := h.r.take()
	if _, err := h.g.Write(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
	h.r.committed()
}

// wait lets time pass.
func (h *held) wait(now int) {
	h.t.Helper()
	if err := h.r.releaseQuiet(h.t.Context(), time.Duration(now)); err != nil {
		h.t.Fatal(err)
	}
	h.commit()
}

// want compares anna's follows, and whether more of them come.
func (h *held) want(when string, more bool, keys ...string) {
	h.t.Helper()
	var got []string
	marked := false
	for name := range h.g.Records() {
		if key, ok := strings.CutPrefix(name, "follows "+anna+" "); ok {
			got = append(got, key)
		}
		marked = marked || strings.HasPrefix(name, "members resync test ")
	}
	if slices.Sort(got); fmt.Sprint(got) != fmt.Sprint(keys) || marked != more {
		h.t.Errorf("%s: got %v, more come by the graph: %t; want %v, %t", when, got, marked, keys, more)
	}
}

// at returns a follow of anna's at a revision.
func at(rev, key string) Event {
	e := follows(key, bob)
	e.Rev = rev
	return e
}

func void(rev string) Event { return Event{Kind: Sync, Account: anna, Rev: rev} }

// TestLateRecordsOfSync: until the records come that follow a #sync, however late, the account
// keeps those that it had; so it does until all have come. None at all in ten times the wait is an
// empty account.
func TestLateRecordsOfSync(t *testing.T) {
	h := newHeld(t, livetest.NewGraph())
	h.add(at("3a", "k1"), 1, 0)
	h.add(at("3a", "k2"), 2, 0)
	h.add(void("3b"), 3, 0)
	h.wait(49)
	h.want("before the first", true, "k1", "k2")
	h.add(at("3b", "k2"), 4, 49)
	h.wait(53)
	h.want("after the first", true, "k1", "k2")
	h.add(at("3b", "k3"), 5, 53)
	h.wait(57)
	h.want("after the second", true, "k1", "k2")
	h.wait(58)
	h.want("after all", false, "k2", "k3")

	h.add(void("3c"), 6, 100)
	h.add(at("3d", "k4"), 7, 101) // a later revision, and nothing of the #sync's
	h.wait(149)
	h.want("before a long time", true, "k2", "k3", "k4")
	h.wait(150)
	h.want("of what nothing came", false, "k4")

	h.add(void("3e"), 8, 200)
	h.add(at("3e", "k5"), 9, 200)
	h.add(at("3f", "k6"), 10, 200)
	h.want("with a later revision", false, "k5", "k6")
}

// TestPositionPassesHeld: an account that is void again and again does not keep the position. What
// came of it is gathered once more by a process that begins later, which changes nothing that came
// before the position.
func TestPositionPassesHeld(t *testing.T) {
	g := livetest.NewGraph()
	h := newHeld(t, g)
	type sent struct {
		Event
		position int
	}
	var log []sent
	position := 0
	add := func(e Event) {
		position++
		log = append(log, sent{e, position})
		h.add(e, position, position)
	}
	of := func(account, rev, key string) Event {
		e := at(rev, key)
		e.Account = account
		return e
	}
	add(at("3a", "k0"))
	for i := range 100 {
		rev := fmt.Sprintf("3b%02d", i)
		add(void(rev))
		add(at(rev, "k1"))
		add(at(rev, fmt.Sprint("m", i)))
		add(of(bob, rev, "b"))
		add(Event{Kind: Deleted, Account: bob, Collection: Follow, Key: "b", Rev: rev})
		if got, _, _ := g.Position("test"); got != int64(position) {
			t.Fatalf("got position %d after %d events, want all", got, position)
		}
	}
	if floor := h.r.floor(); floor != int64(position-4) {
		t.Errorf("got the first #sync at %d, want %d", floor, position-4)
	}
	h.want("while it is void", true, "k0")
	before := g.Records()

	h = newHeld(t, g) // another process, which begins before the last #sync
	for _, e := range log[position-30:] {
		h.add(e.Event, e.position, e.position)
		h.wait(1000)
		if e.position < position && !maps.Equal(g.Records(), before) {
			t.Fatalf("at %d of %d:\n%s", e.position, position, livetest.Difference(g.Records(), before))
		}
	}
	h.wait(position + 5)
	h.want("in the end", false, "k1", "m99")
	if got, _, _ := g.Position("test"); got != int64(position) || len(g.Records()) != 2 {
		t.Errorf("got position %d, records %v, want %d, and two", got, g.Records(), position)
	}
}

// TestGoneWhileHeld: an account that is deleted after a #sync is not waited for, and neither is one
// whose #sync does not come again.
func TestGoneWhileHeld(t *testing.T) {
	g := livetest.NewGraph()
	h := newHeld(t, g)
	h.add(at("3a", "k1"), 1, 0)
	h.add(void("3b"), 2, 0)
	h.add(state(Gone), 3, 0)
	h.want("deleted", false)
	h.add(at("3c", "k2"), 4, 0)
	h.add(void("3d"), 5, 0)
	h = newHeld(t, g)
	var said strings.Builder
	h.r.opts.Logger = slog.New(slog.NewTextHandler(&said, nil))
	h.add(at("3e", "k3"), 6, 0)
	h.want("from now", false, "k2", "k3")
	if got := h.r.figures.read(); got.Lost != 1 || got.Failed != 0 {
		t.Errorf("got %+v, want one account lost, and no repair that failed", got)
	}
	if text := said.String(); strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, "account="+anna) {
		t.Errorf("got it said: %q, want a warning that names the account", text)
	}
}

// TestFloor: the position of the first #sync is in the graph before its account is held there, and
// goes on with the #syncs, though not with each.
func TestFloor(t *testing.T) {
	g := livetest.NewGraph()
	var writes []string
	g.Committed = func(c graph.Changes, _ map[string]string) {
		writes = append(writes, fmt.Sprintf("%s %d: %d", c.Stream, c.Position, len(c.List)))
	}
	f := New(g, named{}, Options{})
	f.rules.begin()
	sync := func(account string, position int64) {
		t.Helper()
		e := Event{Kind: Sync, Account: account, Position: position, Rev: "3b"}
		if err := f.rules.add(t.Context(), &e, 0); err != nil {
			t.Fatal(err)
		}
		f.wrote = time.Time{}
		if err := f.commit(t.Context(), nil, &receiver{}); err != nil {
			t.Fatal(err)
		}
	}
	sync(anna, 7)
	sync(bob, 8)
	sync(anna, 9)
	f.floorAt = time.Time{}
	sync(anna, 10)
	sync(anna, 11)
	f.floorAt = time.Time{}
	sync(bob, 12)
	want := []string{"resync test 7: 0", "test 7: 2", "test 8: 2", "test 9: 0", "test 10: 0", "resync test 8: 0",
		"test 11: 0", "test 12: 0", "resync test 11: 0"}
	if !slices.Equal(writes, want) {
		t.Errorf("got  %q\nwant %q", writes, want)
	}
}

// TestFromNowWhileHeld: a connection that does not go on where the graph is has no event of it
// already, whatever its numbers.
func TestFromNowWhileHeld(t *testing.T) {
	g := livetest.NewGraph()
	h := newHeld(t, g)
	h.add(at("3a", "before"), 100, 0)
	h.add(void("3b"), 101, 0)
	source := &endless{events: 20}
	if _, err := g.Write(t.Context(), graph.Changes{Stream: source.Name(), Position: 101, List: []graph.Change{
		{Op: graph.Set, Relation: graph.Members, Account: heldList(source.Name()), Target: anna}}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g.Committed = func(c graph.Changes, _ map[string]string) {
		if c.Position == 20 {
			cancel()
		}
	}
	f := New(g, source, Options{FromNow: true})
	if err := f.Run(ctx); !errors.Is(err, context.Canceled) || f.Figures().Lost != 1 {
		t.Errorf("got %v, %+v, want one account that stays as it is", err, f.Figures())
	}
	left, err := g.Targets(t.Context(), graph.Members, heldList(source.Name()), 0)
	if len(left) > 0 || err != nil || len(g.Records()) != 22 {
		t.Errorf("got %v held (%v), %d records, want none, and all", left, err, len(g.Records()))
	}
}
