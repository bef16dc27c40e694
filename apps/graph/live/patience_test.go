// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// fetching is a repair of anna's, whose events and answers are given by hand.
type fetching struct {
	t *testing.T
	g *livetest.Graph
	r *rules
	p *repair
}

// newFetching returns one that the source is at.
func newFetching(t *testing.T) *fetching {
	h := &fetching{t: t, g: livetest.NewGraph()}
	h.r = testRules(h.g, repeating{})
	h.r.begin()
	h.p = h.r.beginRepair(anna)
	h.p.repository = newRepository(0)
	h.answer(repaired{about: fetch}, 0)
	return h
}

// fetched takes a record of the repository.
func (h *fetching) fetched(rev, key string, now int) {
	h.t.Helper()
	e := at(rev, key)
	e.Backfill = true
	h.add(e, now)
}

func (h *fetching) add(e Event, now int) {
	h.t.Helper()
	e.ID = 1
	if err := h.r.add(h.t.Context(), &e, time.Duration(now)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *fetching) answer(a repaired, now int) {
	h.t.Helper()
	a.account, a.of = anna, h.p
	if err := h.r.repaired(h.t.Context(), a, time.Duration(now)); err != nil {
		h.t.Fatal(err)
	}
	c, _ := h.r.take()
	if _, err := h.g.Write(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
}

// done answers that the source has so many records, at a revision.
func (h *fetching) done(rev string, records, now int) {
	h.t.Helper()
	h.answer(repaired{about: howFar, fetched: Fetched{Done: true, Rev: rev, Records: records}}, now)
}

// want compares how many repairs were done and failed, and the follows in the graph.
func (h *fetching) want(done, failed int64, follows int) {
	h.t.Helper()
	got, err := h.g.Targets(h.t.Context(), graph.Follows, anna, 0)
	records := 0
	for k := range h.g.Records() {
		if len(k) > 7 && k[:7] == "follows" {
			records++
		}
	}
	f := h.r.figures.read()
	if f.Repaired != done || f.Failed != failed || records != follows || err != nil {
		h.t.Errorf("got %d done, %d failed, %d follows to %v (%v), want %d, %d, %d", f.Repaired, f.Failed, records, got,
			err, done, failed, follows)
	}
}

// TestDeletedSinceFetched: a record that is deleted after the source said how many it fetched does
// not keep the repair from its end, though the account does something again and again.
func TestDeletedSinceFetched(t *testing.T) {
	h := newFetching(t)
	h.done("3m", 3, 1)
	for i := range 3 {
		h.fetched("3m", fmt.Sprint("k", i), 2)
	}
	gone := at("3n", "k2")
	gone.Kind = Deleted
	h.add(gone, 3)
	h.add(at("3o", "k1"), 6)
	h.done("3o", 2, 6)
	h.want(0, 0, 0) // more may come that the source no longer counted
	h.add(at("3p", "k1"), 7)
	h.done("3p", 2, 7)
	h.want(1, 0, 2)
}

// TestBeforeFetched: what an account wrote before it is fetched is not what is waited for.
func TestBeforeFetched(t *testing.T) {
	h := newFetching(t)
	for i := range 3 {
		h.add(at("3b", fmt.Sprint("k", i)), 1)
	}
	h.done("3m", 2, 20)
	h.want(0, 0, 0)
	h.fetched("3m", "k0", 21)
	h.fetched("3m", "k1", 21)
	h.done("3m", 2, 22)
	h.want(1, 0, 2)
}

// TestPatience: a repair for which nothing is fetched has failed, whatever else the account does,
// and whether the source says that it is at it, cannot be asked, or says that it has fetched.
func TestPatience(t *testing.T) {
	for name, a := range map[string]repaired{"not all": {fetched: Fetched{Done: true, Rev: "3m", Records: 9}},
		"at it": {}, "no answer": {err: errors.New("500")}} {
		t.Run(name, func(t *testing.T) {
			h := newFetching(t)
			a.about = howFar
			h.fetched("3m", "k1", 10)
			for now := 11; now < 60; now++ {
				e := at(fmt.Sprint("3n", now), "k2")
				h.add(e, now)
				h.answer(a, now)
			}
			h.want(0, 0, 0)
			h.answer(a, 60)
			h.want(0, 1, 2)
			if h.p.repository != nil || h.p.asked || h.p.tries != 1 {
				t.Errorf("got %+v, want it put off", h.p)
			}
			h.add(at("3o", "k3"), 61)
			h.answer(repaired{about: where}, 61)
			h.want(0, 1, 3)
		})
	}
}
