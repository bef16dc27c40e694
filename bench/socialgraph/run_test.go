// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestRun loads a network that it makes, and one from a file, and asks everything. It compares
// answers before and after changes.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "follows.csv")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := tiny.WriteCSV(t.Context(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	o := Options{Network: tiny, Dir: t.TempDir(), Memory: 64 << 20, Time: 4 * time.Millisecond, Queries: 500,
		Connections: 3, Check: 60, Changes: 2500}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.SHA256 != sum || r.Checked != 2*60*int64(kinds) || r.Changed != 2500 || r.Disk < r.Lists+r.Keys ||
		r.Lists < r.Follows || r.Keys < 18*int64(r.Accounts) {
		t.Errorf("got report %+v", r)
	}
	if len(r.HTTP) != 8 || slices.ContainsFunc(r.HTTP, func(c Call) bool {
		return c.PerSecond <= 0 || c.Ceiling <= 0 || c.P99 < c.P50 || c.Bytes < 2
	}) {
		t.Errorf("got %+v over HTTP", r.HTTP)
	}
	if len(r.Process) < 12 || slices.ContainsFunc(r.Process, func(l Line) bool { return l.P50 <= 0 || l.P99 < l.P50 }) {
		t.Errorf("got %+v in process", r.Process)
	}
	o = Options{Network: tiny, Dir: t.TempDir(), Memory: 64 << 20, CSV: file, Live: 120 * time.Millisecond,
		EventRate: 500, QuestionRate: 1000}
	if r, err = Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	events := int64(0)
	for _, p := range r.Live {
		events += p.Events
	}
	if len(r.Live) != 1+livePeriods || r.Live[0].Events != 0 || events == 0 ||
		slices.ContainsFunc(r.Live, func(p Period) bool {
			return p.Questions == 0 || p.P99 < p.P50 || p.P50 <= 0 || p.Disk <= 0
		}) {
		t.Errorf("got %+v beside events", r.Live)
	}
	o = Options{Network: tiny, Dir: t.TempDir(), Memory: 64 << 20, CSV: file, Cluster: true, Check: 20}
	if runtime.GOOS == "linux" {
		o.Cold = 2
	}
	if r, err = Run(t.Context(), o); err != nil || r.Checked != 20*int64(kinds) {
		t.Fatalf("got report %+v, %v", r, err)
	}
	if o.Cold > 0 && (len(r.Cold) != 8 || slices.ContainsFunc(r.Cold, func(c Cold) bool {
		return c.P50 <= 0 || c.P99 < c.P50
	})) {
		t.Errorf("got %+v with nothing in memory", r.Cold)
	}
	o.Cold = 0
	star := tiny
	star.Star = 0.8
	r, err = Run(t.Context(), Options{Network: star, Dir: t.TempDir(), Memory: 64 << 20, Check: 20})
	if err != nil || r.Checked != 20*int64(kinds) {
		t.Errorf("got report %+v, %v of a network with an account that most follow", r, err)
	}
	// Another network is found out.
	o.Loaded, o.Network.Inside, o.Network.Communities = true, 0.9, 7
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("got no error for the answers of another network")
	}
}

// TestQuestions: what is drawn exists.
func TestQuestions(t *testing.T) {
	n := Network{Accounts: 60, Follows: 200, Seed: 3, Star: 0.5}
	follows := make(map[[2]uint32]bool)
	exists := make(map[uint32]bool)
	for a, b := range n.All() {
		follows[[2]uint32{a, b}], exists[a], exists[b] = true, true, true
	}
	c := n.chooser(1)
	for a := range uint32(n.Accounts) {
		if n.Degree(a) > 0 && !follows[[2]uint32{a, c.first(a)}] {
			t.Errorf("account %d does not follow %d", a, c.first(a))
		}
	}
	for k := range kinds {
		for range 200 {
			for _, a := range c.question(k).of {
				if !exists[a] {
					t.Fatalf("kind %d: account %d does not exist", k, a)
				}
			}
		}
	}
}
