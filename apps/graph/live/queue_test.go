// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// TestBoundOfQueue: accounts that find no space in the queue of repairs have their turn, each once,
// though others fail again and again.
func TestBoundOfQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const accounts, most, fails = 40, 6, 8
		g := livetest.NewGraph()
		r := testRules(g, repeating{})
		r.opts.RepairQueue, r.opts.Repairs, r.opts.PerHost = most, 3, 3
		r.begin()
		commit := func() {
			c, _ := r.take()
			if _, err := g.Write(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		name := func(i int) string { return fmt.Sprintf("did:plc:%02d", i) }
		if err := r.fillQueue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range accounts {
			for j := range 4 {
				e := Event{Kind: Written, Account: name(i), Collection: Follow, Key: fmt.Sprint("k", j), Target: bob,
					ID: 1, Rev: fmt.Sprint("3", j), Backfill: j > 0}
				if err := r.add(t.Context(), &e, 0); err != nil {
					t.Fatal(err)
				}
			}
			commit()
		}
		if all := r.figures.read(); all.Repairs != most || !all.Stored {
			t.Errorf("got %+v, want a full queue, and more in the graph", all)
		}
		failing := make(map[string]bool)
		for i := range fails {
			failing[name(i*2)] = true
		}
		fetched, tries := make(map[string]int), make(map[string]int)
		answers := make(map[string]repaired)
		for round := range 600 {
			if round == 300 {
				if got := len(fetched); got != accounts-fails {
					t.Errorf("got %d accounts fetched while %d fail, want the others, %d", got, fails, accounts-fails)
				}
				for account := range failing { // after 0, 1, 3, 7 … s: the twelfth time after 2047
					if got := tries[account]; got < 4 || got > 12 {
						t.Errorf("%s: got it tried %d times in an hour, want 4 to 12", account, got)
					}
				}
				clear(failing)
			}
			now := time.Duration(round) * 10
			if err := r.fillQueue(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.repair(now, func(p *repair, account string, about question) {
				a := repaired{account: account, of: p, about: about, host: "a", fetched: Fetched{Done: true}}
				switch {
				case about == where:
				case failing[account]:
					tries[account]++
					a.err = &FetchError{Account: account}
				case about == fetch:
					fetched[account]++
				}
				answers[account] = a
			})
			if len(answers) > 3 || len(r.queue.repairs) > most {
				t.Fatalf("got %d asked, %d in the queue, want 3 and %d at most", len(answers), len(r.queue.repairs), most)
			}
			for account, a := range answers {
				if err := r.repaired(t.Context(), a, now+5); err != nil {
					t.Fatal(err)
				}
				delete(answers, account)
			}
			commit()
			time.Sleep(time.Minute / 5)
		}
		for i := range accounts {
			if fetched[name(i)] != 1 {
				t.Errorf("%s: got it fetched %d times, want once", name(i), fetched[name(i)])
			}
		}
		left, err := g.Targets(t.Context(), graph.Members, reconcileList("test"), 0)
		all := r.figures.read()
		if err != nil || len(left) > 0 || all.Repaired != accounts || all.Failed < fails || all.Stored {
			t.Errorf("got %v left (%v), %+v, want none, all repaired", left, err, all)
		}
	})
}
