// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// TestTap: the graph becomes the network's, though events come twice and in any order between
// accounts, IDs begin anew, acknowledged events come again, connections break and the process is
// killed.
func TestTap(t *testing.T) {
	t.Parallel()
	n := newNetwork(11, 12)
	s := livetest.NewTap(n, 12)
	defer s.Close()
	s.Break, s.Password = 300, "secret"
	source := open(t, s.URL())
	if strings.Contains(source.Name(), "secret") {
		t.Errorf("the name %q has the password", source.Name())
	}
	g := livetest.NewGraph()
	random := rand.New(rand.NewPCG(13, 14))
	g.Kill = func(int) (before, after bool) { return random.IntN(40) == 0, random.IntN(40) == 0 }
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := range 900 {
			n.Step()
			time.Sleep(200 * time.Microsecond)
			if i%200 == 199 {
				s.Crash()
			}
		}
	}()
	quiet := 0
	f := follow(t, g, source, quick, func() bool {
		select {
		case <-ended:
		default:
			return false
		}
		if quiet++; !s.Idle() || len(livetest.Difference(g.Records(), n.At(n.Last()))) > 0 {
			quiet = 0
		}
		return quiet > 5
	})
	if difference := livetest.Difference(g.Records(), n.At(n.Last())); difference != "" {
		t.Errorf("idle %t, after %+v:\n%s", s.Idle(), f.Figures(), difference)
	}
}

// TestTapLosesDeletions: after a resync, which sends no deletions and perhaps nothing but what is
// new, the account is fetched anew, and has exactly the records of the network. That it is to be
// survives the process.
func TestTapLosesDeletions(t *testing.T) {
	for name, fails := range map[string]int{"fetched": 0, "failed first": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(15, 6)
			s := livetest.NewTap(n, 16)
			defer s.Close()
			s.Fails = fails
			source := open(t, s.URL())
			g := livetest.NewGraph()
			account := n.Accounts()[0]
			item := livetest.Record{Collection: livetest.ListItem, Key: livetest.TID(1)}
			list := "at://" + account + "/app.bsky.graph.list/" + livetest.TID(2)
			add := func(action string, r livetest.Record, c livetest.Content) {
				n.Add(livetest.Entry{Account: account, Kind: "commit", Action: action, Record: r, Content: c})
			}
			add("create", item, livetest.Content{Subject: n.Accounts()[3], List: list})
			for i := range int64(20) {
				add("create", livetest.Record{Collection: livetest.Follow, Key: livetest.TID(10 + i)},
					livetest.Content{Subject: n.Accounts()[2]})
			}
			same := func() bool { return livetest.Difference(g.Records(), n.At(n.Last())) == "" }
			follow(t, g, source, quick, func() bool { return s.Idle() && same() })

			s.Desynchronize(account)
			add("delete", item, livetest.Content{})
			add("delete", livetest.Record{Collection: livetest.Follow, Key: livetest.TID(10)}, livetest.Content{})
			add("create", livetest.Record{Collection: livetest.Block, Key: livetest.TID(50)},
				livetest.Content{Subject: n.Accounts()[1]})
			s.Resync(account)
			// This process sees that deletions may be lost, and ends before it does anything.
			slow := quick
			slow.Quiet = time.Hour
			follow(t, g, source, slow, func() bool { return s.Idle() && len(marked(g)) == 1 })
			if same() || s.Refetched() != 0 {
				t.Fatalf("got %d repositories fetched, want none yet, and stale records", s.Refetched())
			}
			f := follow(t, g, source, quick, func() bool { return s.Idle() && same() })
			if s.Refetched() != 1+fails || len(marked(g)) != 0 || f.Figures().Repaired != 1 {
				t.Errorf("got %d repositories fetched, want %d; %v is marked; %+v", s.Refetched(), 1+fails, marked(g),
					f.Figures())
			}
		})
	}
}

// marked returns the accounts that are to be fetched anew.
func marked(g *livetest.Graph) (accounts []string) {
	for k, account := range g.Records() {
		if strings.HasPrefix(k, "members reconcile tap://") {
			accounts = append(accounts, account)
		}
	}
	return accounts
}

// TestTapBackfill: records that are fetched with the repository of a new account are no reason to
// fetch it anew.
func TestTapBackfill(t *testing.T) {
	t.Parallel()
	n := newNetwork(17, 6)
	for range 200 {
		n.Step()
	}
	s := livetest.NewTap(n, 18)
	defer s.Close()
	source := open(t, s.URL())
	g := livetest.NewGraph()
	f := follow(t, g, source, quick, func() bool {
		return s.Idle() && livetest.Difference(g.Records(), n.At(n.Last())) == ""
	})
	if got := f.Figures(); got.Repairs != 0 || s.Refetched() != 0 {
		t.Errorf("got %+v, want nothing fetched anew", got)
	}
}

// TestTapPassword: a wrong password is not tried again and again.
func TestTapPassword(t *testing.T) {
	t.Parallel()
	s := livetest.NewTap(newNetwork(1, 3), 1)
	defer s.Close()
	url := s.URL()
	s.Password = "secret"
	err := live.New(livetest.NewGraph(), open(t, url), quick).Run(t.Context())
	if !errors.As(err, new(*live.FatalError)) || !strings.Contains(err.Error(), "401") {
		t.Errorf("got %v, want an error about 401", err)
	}
}
