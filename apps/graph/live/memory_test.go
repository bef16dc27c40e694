// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// like is a record of another collection.
func like(rev string, number int, fetched bool) Event {
	return Event{Kind: Written, Account: anna, Key: fmt.Sprint("app.bsky.feed.like/", number), Rev: rev,
		Skip: OtherRecord, Backfill: fetched}
}

// TestOtherCollections: records of other collections count, each once, and are not kept.
func TestOtherCollections(t *testing.T) {
	h := newFetching(t)
	const likes = 1000
	h.done("3m", likes+2, 1)
	for i := range likes {
		h.add(like("3m", i/2*2, true), 2) // half of them, twice
	}
	h.fetched("3m", "k1", 2)
	h.done("3m", likes+2, 50)
	h.want(0, 0, 0)
	for i := range likes {
		h.add(like("3m", i, true), 50)
	}
	h.done("3m", likes+2, 50)
	h.want(0, 0, 0)
	if got := len(h.p.records); got != 1 || h.p.bytes > likes*hashBytes+500 || h.p.bytes != h.r.queue.bytes {
		t.Errorf("got %d records kept, %d bytes of %d, want one, and few", got, h.p.bytes, h.r.queue.bytes)
	}
	h.add(like("3n", likes, false), 51)
	h.done("3n", likes+3, 60)
	h.want(1, 0, 1)
	if h.r.queue.bytes != 0 {
		t.Errorf("got %d bytes in the end, want none", h.r.queue.bytes)
	}
}

// TestMemoryOfRepairs: if what is gathered takes more memory than it may, the largest repair fails,
// which is said, and is tried once more; what came of it is in the graph. Others go on.
func TestMemoryOfRepairs(t *testing.T) {
	h := newFetching(t)
	var said strings.Builder
	h.r.opts.Logger = slog.New(slog.NewTextHandler(&said, nil))
	h.r.opts.RepairBytes = 100 * (recordBytes + 100)
	other := h.r.beginRepair(bob)
	other.repository, other.asked = newRepository(0), true
	of := at("3m", "b")
	of.Account, of.Backfill = bob, true
	h.add(of, 1)
	h.p.asking = true // the source is asked whether it is done
	most := int64(0)
	for i := range 300 {
		h.fetched("3m", fmt.Sprint("k", i), 1)
		most = max(most, h.r.queue.bytes)
	}
	h.done("3m", 0, 20)
	h.want(0, 1, 300)
	if most > h.r.opts.RepairBytes || h.r.queue.bytes != other.bytes || other.bytes == 0 {
		t.Errorf("got %d bytes at most, %d and %d now, want %d at most", most, h.r.queue.bytes, other.bytes,
			h.r.opts.RepairBytes)
	}
	if text := said.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, anna) ||
		!strings.Contains(text, "TAP_COLLECTION_FILTERS") {
		t.Errorf("got it said:\n%s\nwant one line that names the account, and what to do", text)
	}
	if h.p.tries != 1 || !h.p.isOff() || other.tries != 0 {
		t.Errorf("got %+v and %+v, want the first put off", h.p, other)
	}
	left, err := h.g.Targets(t.Context(), graph.Members, reconcileList("test"), 0)
	if err != nil || len(left) != 2 {
		t.Errorf("got %v (%v) to be fetched, want both", left, err)
	}
}
