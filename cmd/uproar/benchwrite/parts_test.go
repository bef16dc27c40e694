// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestHistogram compares quantiles with those of a sorted list, up to the width of a bucket. The
// first bucket has all durations up to 1<<fineness ns.
func TestHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var h, other histogram
	var all []time.Duration
	for i := range 10_000 {
		d := time.Duration(1) << r.IntN(40)
		d += time.Duration(r.Int64N(int64(d)))
		all = append(all, d)
		if i%3 == 0 {
			other.note(d)
		} else {
			h.note(d)
		}
	}
	h.add(&other)
	slices.Sort(all)
	for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.99, 0.9999} {
		want := all[int(q*float64(len(all)))]
		if got := h.quantile(q); got < want || float64(got) > 1.032*float64(want)+1<<fineness {
			t.Errorf("quantile %v: got %v, want %v", q, got, want)
		}
	}
	if h.count != int64(len(all)) || h.most != all[len(all)-1] {
		t.Errorf("got %d durations, at most %v; want %d, %v", h.count, h.most, len(all), all[len(all)-1])
	}
	if got := new(histogram).latency(); got != (Latency{}) {
		t.Errorf("got %+v of nothing", got)
	}
}

// Batches that overlap are one stall, the longest of them; the others are kept in order.
func TestStalls(t *testing.T) {
	m := &meter{start: time.Now()}
	for range 3 {
		m.note(1, 1, 59*time.Minute) // all of them end now
	}
	m.note(1, 1, time.Hour)
	if len(m.stalls) != 1 || m.stalls[0].Took != 3600 {
		t.Errorf("got %v, want one of an hour", m.stalls)
	}
	r := rand.New(rand.NewPCG(3, 4))
	m = &meter{start: time.Now().Add(-time.Hour)}
	for range 50 {
		m.start = m.start.Add(-time.Hour) // each ends an hour after the one before
		m.note(1, 1, time.Duration(1+r.Int64N(int64(time.Second))))
	}
	if len(m.stalls) != stallsKept || !slices.IsSortedFunc(m.stalls, func(a, b Stall) int {
		return cmp.Compare(b.Took, a.Took)
	}) {
		t.Errorf("got %v, want %d, the longest first", m.stalls, stallsKept)
	}
}

// TestGraph checks that the graph depends on the seed only and is skewed as social networks are.
// Its accounts have names of their own.
func TestGraph(t *testing.T) {
	g := graph{seed: 7, accounts: 1000}
	const follows = 50_000
	out, in := make([]int, g.accounts), make([]int, g.accounts)
	for i := range int64(follows) {
		a, b := g.follow(i)
		if a2, b2 := (&graph{seed: 7, accounts: 1000}).follow(i); a2 != a || b2 != b {
			t.Fatalf("follow %d: got %d → %d and %d → %d", i, a, b, a2, b2)
		}
		out[a]++
		in[b]++
	}
	slices.Sort(out)
	slices.Sort(in)
	// Of 1000 accounts the first one has a share of 1000^-1/2 and 1000^-1/3.
	if top := out[999]; top < follows*28/1000 || top > follows*36/1000 {
		t.Errorf("the busiest account follows %d times, want about 3.2 %% of %d", top, follows)
	}
	if top := in[999]; top < follows*9/100 || top > follows*11/100 {
		t.Errorf("the most popular account is followed %d times, want about 10 %% of %d", top, follows)
	}
	if out[0] == 0 {
		t.Error("some account follows nobody, want all to be used")
	}
	names := map[string]bool{}
	for i := range g.accounts {
		names[g.name(i)] = true
		if len(g.name(i)) != 32 {
			t.Fatalf("got name %q, want 32 bytes", g.name(i))
		}
	}
	if len(names) != g.accounts {
		t.Errorf("got %d names of %d accounts", len(names), g.accounts)
	}
}

// A pace gives out no more than its rate.
func TestPace(t *testing.T) {
	p := newPace(1000)
	start := time.Now()
	for range 6 {
		if !p.take(t.Context(), 20) {
			t.Fatal("the pace ended by itself")
		}
	}
	if took := time.Since(start); took < 95*time.Millisecond {
		t.Errorf("100 and a batch at 1000 a second took %v, want at least 100 ms", took)
	}
	if !newPace(0).take(t.Context(), 1<<40) {
		t.Error("no rate: want no end")
	}
}
