// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// TestLateOutbox: tap has fetched a repository, and sends it much later. Until all of it has come,
// the account has the records that it had.
func TestLateOutbox(t *testing.T) {
	t.Parallel()
	const many = 30
	n := newNetwork(41, 4)
	s := livetest.NewTap(n, 42)
	defer s.Close()
	source := open(t, s.URL())
	g := livetest.NewGraph()
	account := n.Accounts()[0]
	record := func(i int64) livetest.Record {
		return livetest.Record{Collection: livetest.Follow, Key: livetest.TID(i)}
	}
	add := func(action string, r livetest.Record) {
		n.Add(livetest.Entry{Account: account, Kind: "commit", Action: action, Record: r,
			Content: livetest.Content{Subject: n.Accounts()[2]}})
	}
	for i := range int64(many) {
		add("create", record(i))
	}
	add("create", livetest.Record{Collection: livetest.Like, Key: livetest.TID(1)})
	same := func() bool { return livetest.Difference(g.Records(), n.At(n.Last())) == "" }
	follow(t, g, source, quick, func() bool { return s.Idle() && same() })

	s.Desynchronize(account)
	add("delete", record(0))
	add("create", livetest.Record{Collection: livetest.Like, Key: livetest.TID(2)})
	var least atomic.Int64
	least.Store(many)
	g.Committed = func(_ graph.Changes, records map[string]string) {
		have := int64(0)
		for k := range records {
			if strings.HasPrefix(k, "follows "+account) {
				have++
			}
		}
		least.Store(min(least.Load(), have))
	}
	s.Resync(account)
	s.Late.Store(true)
	asked := s.Asked.Load()
	follow(t, g, source, quick, func() bool {
		if s.Asked.Load() < asked+20 {
			return false
		}
		s.Late.Store(false)
		return s.Idle() && same()
	})
	if !same() || least.Load() < many-1 || s.Asked.Load() < asked+20 {
		t.Errorf("got as few as %d records of %d, %d questions meanwhile:\n%s", least.Load(), many, s.Asked.Load()-asked,
			livetest.Difference(g.Records(), n.At(n.Last())))
	}
}

// TestQueueOfRepairs: many accounts are fetched anew at a time, and not more than may be of one
// host, though the queue takes few of them. The others stand in the graph, and none is lost, nor
// when the process ends.
func TestQueueOfRepairs(t *testing.T) {
	t.Parallel()
	const accounts = 60
	n := livetest.NewNetwork(43, accounts)
	s := livetest.NewTap(n, 44)
	defer s.Close()
	s.Hosts = 7
	source := open(t, s.URL())
	g := livetest.NewGraph()
	add := func(account, action string, number int64) {
		n.Add(livetest.Entry{Account: account, Kind: "commit", Action: action,
			Record:  livetest.Record{Collection: livetest.Follow, Key: livetest.TID(number)},
			Content: livetest.Content{Subject: n.Accounts()[1]}})
	}
	for _, account := range n.Accounts() {
		add(account, "create", 1)
		add(account, "create", 2)
	}
	same := func() bool { return livetest.Difference(g.Records(), n.At(n.Last())) == "" }
	follow(t, g, source, quick, func() bool { return s.Idle() && same() })
	for _, account := range n.Accounts() {
		s.Desynchronize(account)
		add(account, "delete", 1)
		add(account, "create", 3)
		s.Resync(account)
	}
	opts := quick
	opts.Repairs, opts.PerHost, opts.RepairQueue = 12, 2, 16
	slow := opts
	slow.Quiet = time.Hour
	follow(t, g, source, slow, func() bool { return s.Idle() && len(marked(g)) == accounts })
	if got := s.Refetched(); got != 0 || len(marked(g)) != accounts {
		t.Fatalf("got %d repositories fetched, %d to be, want none yet, and %d", got, len(marked(g)), accounts)
	}
	g.Kill = func(write int) (before, after bool) { return write%40 == 0, write%40 == 20 }
	f := follow(t, g, source, opts, func() bool { return s.Idle() && same() && len(marked(g)) == 0 })
	if !same() || len(marked(g)) > 0 || s.Refetched() < accounts {
		t.Errorf("got %d of %d repositories fetched, %v is to be, %+v:\n%s", s.Refetched(), accounts, marked(g), f.Figures(),
			livetest.Difference(g.Records(), n.At(n.Last())))
	}
	if got := s.MostOfHost(); got > 2 {
		t.Errorf("got %d repositories of a host at a time, want 2 at most", got)
	}
}

// TestSyncsWithoutEnd: an account all of whose records are void again and again does not keep the
// position of the others. Another process goes on before the last time.
func TestSyncsWithoutEnd(t *testing.T) {
	t.Parallel()
	n := newNetwork(45, 8)
	account := n.Accounts()[0]
	create := func(number, rev int64) {
		n.Add(livetest.Entry{Account: account, Kind: "commit", Action: "create", Rev: livetest.TID(rev), Again: true,
			Record:  livetest.Record{Collection: livetest.Follow, Key: livetest.TID(number)},
			Content: livetest.Content{Subject: n.Accounts()[2]}})
	}
	var syncs []string
	for i := range int64(20) {
		for range 20 {
			n.Follow()
		}
		n.Add(livetest.Entry{Account: account, Kind: "sync", Rev: livetest.TID(10_000 + i)})
		syncs = append(syncs, fmt.Sprint(n.Last()))
		create(i, 10_000+i)
	}
	s := livetest.NewJetstream(n, 46)
	defer s.Close()
	source := open(t, s.URL(2))
	g := begun(t, source, 1)
	never := quick
	never.SyncQuiet = time.Hour
	at := func() int64 { position, _, _ := g.Position(source.Name()); return position }
	follow(t, g, source, never, func() bool { return at() == n.Last() })
	if at() != n.Last() {
		t.Fatalf("got position %d of %d, want all", at(), n.Last())
	}
	create(100, 20_000) // a later revision: all of the last #sync have come
	follow(t, g, source, never, func() bool { return at() == n.Last() })
	if difference := livetest.Difference(g.Records(), n.At(n.Last())); difference != "" {
		t.Error(difference)
	}
	all := s.Requests()
	query, err := url.ParseQuery(all[len(all)-1])
	if err != nil || !slices.Contains(syncs, query.Get("cursor")) {
		t.Errorf("got the second connection with %v (%v), want one of the #syncs %v", query, err, syncs)
	}
}
