// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// TestOrderWhileRepairGathers: while an account's repository is fetched, events of it come in any
// order and twice. The records are those of the latest revisions: of the repository that was
// fetched, and of what happened after it.
func TestOrderWhileRepairGathers(t *testing.T) {
	event := func(kind Kind, key, target, rev string, fetched bool) Event {
		return Event{Kind: kind, Account: anna, Collection: Follow, Key: key, Target: target, Rev: rev,
			Backfill: fetched, ID: 1}
	}
	events := []Event{
		event(Written, "k1", bob, "3a", false), // before: deleted since
		event(Written, "k2", bob, "3b", false), // before: updated since
		event(Deleted, "k3", "", "3c", false),  // before: written again since
		event(Written, "k2", carol, "3m", true),
		event(Written, "k3", carol, "3m", true),
		event(Written, "k4", carol, "3m", true),
		event(Written, "k6", bob, "3m", true),
		event(Deleted, "k4", "", "3x", false), // after
		event(Written, "k5", bob, "3y", false),
		event(Written, "k6", carol, "3y", false),
		event(Written, "k6", bob, "3z", false),
	}
	want := fmt.Sprint([]string{"follows " + anna + " k2 " + carol, "follows " + anna + " k3 " + carol,
		"follows " + anna + " k5 " + bob, "follows " + anna + " k6 " + bob})
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		g := livetest.NewGraph()
		r := testRules(g, repeating{})
		r.begin()
		p := r.beginRepair(anna)
		p.repository, p.asked = newRepository(0), true
		order := append(slices.Clone(events), events[rng.IntN(len(events))], events[rng.IntN(len(events))])
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, e := range order {
			if err := r.add(t.Context(), &e, 0); err != nil {
				t.Fatal(err)
			}
		}
		all := repaired{account: anna, of: p, about: howFar, fetched: Fetched{Done: true}}
		if err := r.repaired(t.Context(), all, 5); err != nil {
			t.Fatal(err)
		}
		c, _ := r.take()
		if _, err := g.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		var got []string
		for k, v := range g.Records() {
			if strings.HasPrefix(k, "follows") {
				got = append(got, k+" "+v)
			}
		}
		if slices.Sort(got); fmt.Sprint(got) != want {
			t.Fatalf("seed %d: after %+v\ngot  %v\nwant %s", seed, order, got, want)
		}
		if len(r.queue.repairs) != 0 {
			t.Fatal("the account is still to be fetched")
		}
	}
}

// TestSecondRepository: a repository that was fetched once more while the first is gathered sends
// no deletions, so the account is fetched anew.
func TestSecondRepository(t *testing.T) {
	g := livetest.NewGraph()
	r := testRules(g, repeating{})
	r.begin()
	p := r.beginRepair(anna)
	p.repository, p.asked = newRepository(0), true
	for i, rev := range []string{"3m", "3n"} {
		e := Event{Kind: Written, Account: anna, Collection: Follow, Key: fmt.Sprint("k", i), Target: bob, Rev: rev,
			Backfill: true, ID: 1}
		if err := r.add(t.Context(), &e, 0); err != nil {
			t.Fatal(err)
		}
	}
	all := repaired{account: anna, of: p, about: howFar, fetched: Fetched{Done: true}}
	if err := r.repaired(t.Context(), all, 5); err != nil {
		t.Fatal(err)
	}
	if p := r.queue.repairs[anna]; p == nil || p.asked || p.repository != nil || p.after.IsZero() {
		t.Errorf("got %+v, want the account to be fetched later", p)
	}
	c, _ := r.take()
	if _, err := g.Write(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	targets, err := g.Targets(t.Context(), graph.Members, reconcileList("test"), 0)
	if err != nil || len(targets) != 1 || len(g.Records()) != 3 {
		t.Errorf("got %v, %v of %v, want both records, and the account in the list", targets, err, g.Records())
	}
}

// TestAnswerOfFormerRepair: an answer that comes when the account was deleted and has another
// repair changes nothing of that one, and counts as running before it comes.
func TestAnswerOfFormerRepair(t *testing.T) {
	for _, answer := range []repaired{{about: fetch, err: errors.New("500")},
		{about: howFar, err: &FetchError{Account: anna}}, {about: fetch}, {about: where},
		{about: howFar, fetched: Fetched{Done: true}}} {
		r := testRules(livetest.NewGraph(), repeating{})
		r.begin()
		add := func(e Event) {
			if e.ID = 1; r.add(t.Context(), &e, 0) != nil {
				t.Fatal("got an error, want none")
			}
		}
		live, backfill := follows("k1", bob), follows("k2", bob)
		live.Rev, backfill.Rev, backfill.Backfill = "3a", "3b", true
		var asked []*repair
		ask := func(p *repair, account string, about question) {
			if account != anna || about != where {
				t.Fatalf("got %s, %d, want the account's host asked for", account, about)
			}
			asked = append(asked, p)
		}
		add(live)
		add(backfill)
		r.repair(5, ask)
		add(state(Gone))
		add(state(Active))
		add(backfill)
		r.repair(5, ask) // as many as may are running
		if len(asked) != 1 || len(r.queue.repairs) != 1 {
			t.Fatalf("got %d asked, %d repairs, want one of each", len(asked), len(r.queue.repairs))
		}
		answer.account, answer.of = anna, asked[0]
		if err := r.repaired(t.Context(), answer, 5); err != nil {
			t.Fatal(err)
		}
		if p := r.queue.repairs[anna]; p == nil || p.asked || p.tries != 0 || !p.after.IsZero() {
			t.Fatalf("got %+v, want a repair that is as it was", p)
		}
		if r.repair(5, ask); len(asked) != 2 || asked[1] != r.queue.repairs[anna] {
			t.Fatalf("got %d asked, want the new repair asked, too", len(asked))
		}
		for _, a := range []repaired{{about: where}, {about: fetch}, {about: howFar, fetched: Fetched{Done: true}}} {
			r.repair(5, func(_ *repair, _ string, about question) {
				if about != a.about {
					t.Fatalf("got question %d, want %d", about, a.about)
				}
			})
			a.account, a.of = anna, asked[1]
			if err := r.repaired(t.Context(), a, 10); err != nil {
				t.Fatal(err)
			}
			a.of.last, a.of.grew = 0, 0
		}
		if len(r.queue.repairs) != 0 || r.queue.strays != 0 {
			t.Fatalf("got %d repairs, %d strays, want none", len(r.queue.repairs), r.queue.strays)
		}
	}
}
