// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
	"github.com/uproar-db/uproar/apps/graph/live/wire"
)

// quick are options with short waits.
var quick = live.Options{Window: 2 * time.Millisecond, Group: 40, Queue: 64, Quiet: 150 * time.Millisecond,
	SyncQuiet: 150 * time.Millisecond, Backoff: 20 * time.Millisecond}

// begun returns a graph that is at a position.
func begun(t *testing.T, source live.Source, first int64) *livetest.Graph {
	t.Helper()
	g := livetest.NewGraph()
	if _, err := g.Write(t.Context(), graph.Changes{Stream: source.Name(), Position: first}); err != nil {
		t.Fatal(err)
	}
	return g
}

// newNetwork returns a network in which one thing has happened.
func newNetwork(seed uint64, accounts int) *livetest.Network {
	n := livetest.NewNetwork(seed, accounts)
	n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "commit", Action: "create",
		Record:  livetest.Record{Collection: livetest.Follow, Key: livetest.TID(-5)},
		Content: livetest.Content{Subject: n.Accounts()[1]}})
	return n
}

func open(t *testing.T, url string) live.Source {
	t.Helper()
	source, err := wire.Open(url)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// follow runs followers, one after another as each is killed, until done or for too long.
func follow(t *testing.T, sink live.Sink, source live.Source, opts live.Options,
	done func() bool) (last *live.Follower) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	go func() {
		for !done() && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	for {
		last = live.New(sink, source, opts)
		err := last.Run(ctx)
		switch {
		case errors.Is(err, context.Canceled), ctx.Err() != nil: // the caller sees what is missing
			return last
		case !errors.Is(err, livetest.ErrKilled):
			t.Fatalf("after %+v: got %v, want the network followed", last.Figures(), err)
		}
	}
}

// TestJetstream: at every position that is committed the graph is the network's, though connections
// break, events come twice, and the process is killed before and after commits.
func TestJetstream(t *testing.T) {
	for name, form := range map[string]int{"first": 1, "times": 1, "second": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(1, 12)
			s := livetest.NewJetstream(n, 2)
			defer s.Close()
			s.Break, s.TooSlow, s.Refuse = 150, true, 2
			first := int64(1)
			if s.Times = name == "times"; s.Times {
				first = 1764100801250123 + 1
			}
			source := open(t, s.URL(form))
			g := begun(t, source, first)
			random := rand.New(rand.NewPCG(3, 4))
			g.Kill = func(int) (before, after bool) { return random.IntN(20) == 0, random.IntN(20) == 0 }
			checked := 0
			g.Committed = func(c graph.Changes, records map[string]string) {
				checked++
				if difference := livetest.Difference(records, n.At(c.Position-first+1)); difference != "" {
					t.Errorf("at %d of %d:\n%s", c.Position, n.Last(), difference)
				}
			}
			steps := 1500
			if testing.Short() {
				steps = 700
			}
			for range steps / 2 {
				n.Step()
			}
			go func() {
				for range steps / 2 {
					n.Step()
					time.Sleep(100 * time.Microsecond)
				}
				n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"}) // all forms send it
			}()
			follow(t, g, source, quick, func() bool {
				position, _, _ := g.Position(source.Name())
				return t.Failed() || n.Last() > int64(steps) && position-first+1 == n.Last()
			})
			position, _, _ := g.Position(source.Name())
			if position-first+1 != n.Last() || checked < 5 || len(s.Requests()) < 4 {
				t.Errorf("got position %d of %d, %d commits, %d connections; want all, with many of both", position,
					n.Last(), checked, len(s.Requests()))
			}
		})
	}
}

// TestSync: after #sync an account has the records that come again and no other, changed in one
// commit: it is never seen without those that stay.
func TestSync(t *testing.T) {
	t.Parallel()
	n := newNetwork(5, 8)
	n.Syncs = true
	s := livetest.NewJetstream(n, 6)
	defer s.Close()
	s.Break = 400
	source := open(t, s.URL(2))
	g := begun(t, source, 1)
	random := rand.New(rand.NewPCG(7, 8))
	g.Kill = func(int) (before, after bool) { return random.IntN(30) == 0, random.IntN(30) == 0 }
	for range 1200 {
		n.Step()
	}
	n.Syncs = false
	n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"})
	f := follow(t, g, source, quick, func() bool {
		position, _, _ := g.Position(source.Name())
		return position == n.Last() && livetest.Difference(g.Records(), n.At(n.Last())) == ""
	})
	if difference := livetest.Difference(g.Records(), n.At(n.Last())); difference != "" || f.Figures().Held > 0 {
		t.Errorf("after %+v:\n%s", f.Figures(), difference)
	}

	// One account with many records, of which one goes.
	const many = 300
	n = newNetwork(9, 3)
	account := n.Accounts()[0]
	record := func(i int64) livetest.Entry {
		return livetest.Entry{Account: account, Kind: "commit", Action: "create", Rev: livetest.TID(5000),
			Record:  livetest.Record{Collection: livetest.Block, Key: livetest.TID(i)},
			Content: livetest.Content{Subject: n.Accounts()[2]}}
	}
	for i := range int64(many) {
		n.Add(record(i))
	}
	n.Add(livetest.Entry{Account: account, Kind: "sync", Rev: livetest.TID(5000)})
	for i := range int64(many - 1) {
		e := record(i)
		e.Again = true
		n.Add(e)
	}
	s2 := livetest.NewJetstream(n, 6)
	defer s2.Close()
	source = open(t, s2.URL(2))
	g = begun(t, source, 1)
	least, full := many, false
	g.Committed = func(_ graph.Changes, records map[string]string) {
		have := 0
		for k := range records {
			if strings.HasPrefix(k, "blocks "+account) {
				have++
			}
		}
		if full = full || have == many; full {
			least = min(least, have)
		}
	}
	follow(t, g, source, quick, func() bool {
		position, _, _ := g.Position(source.Name())
		return position == n.Last() && livetest.Difference(g.Records(), n.At(n.Last())) == ""
	})
	if !full || least != many-1 {
		t.Errorf("got as few as %d of %d records (all were there: %t), want never fewer than %d", least, many,
			full, many-1)
	}
}

// TestGaps: a source that cannot go on where the graph is ends the follower: deletions are lost.
func TestGaps(t *testing.T) {
	for name, c := range map[string]struct {
		form       int
		floor, add int64 // of the server
		at         int64 // where the graph is
		got        int64 // in the error
	}{
		"the first form moves an old position up without a word": {1, 50, 0, 10, 50},
		"a position of another server lies in the future":        {1, 0, 0, 5000, 102},
		"the numbers of the first form began anew":               {1, 0, -20, 99, 82},
		"the second form refuses an old position":                {2, 50, 0, 10, 0},
		"the numbers of the second form began anew":              {2, 0, -20, 99, 82},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(1, 3)
			for range 100 {
				n.Add(livetest.Entry{Account: n.Accounts()[0], Kind: "account"})
			}
			s := livetest.NewJetstream(n, 1)
			defer s.Close()
			s.Floor, s.Shift = c.floor, c.add
			source := open(t, s.URL(c.form))
			g := begun(t, source, c.at)
			go func() {
				for len(s.Requests()) == 0 {
					time.Sleep(time.Millisecond)
				}
				time.Sleep(20 * time.Millisecond)
				n.Add(livetest.Entry{Account: n.Accounts()[1], Kind: "account"})
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			err := live.New(g, source, quick).Run(ctx)
			gap, ok := errors.AsType[*live.GapError](err)
			if !ok || gap.Want != c.at || gap.Got != c.got {
				t.Errorf("got %v, want a gap from %d to %d", err, c.at, c.got)
			}
		})
	}
}

// TestRequests: each form is asked with its own names; the other's are an error there.
func TestRequests(t *testing.T) {
	t.Parallel()
	n := newNetwork(1, 3)
	s := livetest.NewJetstream(n, 1)
	defer s.Close()
	for form, want := range map[int]string{
		1: "wantedCollections=app.bsky.graph.block&wantedCollections=app.bsky.graph.follow&" +
			"wantedCollections=app.bsky.graph.listitem",
		2: "collections=app.bsky.graph.block&collections=app.bsky.graph.follow&" +
			"collections=app.bsky.graph.listitem&kinds=commit&kinds=account&kinds=sync",
	} {
		source := open(t, s.URL(form))
		for _, resume := range []bool{false, true} {
			c, err := source.Connect(t.Context(), 7, resume)
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
			all := s.Requests()
			got, err := url.ParseQuery(all[len(all)-1])
			if err != nil {
				t.Fatal(err)
			}
			wanted, _ := url.ParseQuery(want)
			if resume {
				wanted.Set("cursor", "7")
			}
			if got.Encode() != wanted.Encode() {
				t.Errorf("form %d: got parameters %q, want %q", form, got.Encode(), wanted.Encode())
			}
		}
	}
}
