// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/query"
)

// TestExplain compares every step of the plans of random queries with the reference of that part.
func TestExplain(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	ix, u := build(t, rng)
	snap := ix.Snapshot()
	defer snap.Close()
	for range 60 {
		e := randomExpr(rng, 2)
		s, err := Explain(t.Context(), snap, e, bindTags())
		if err != nil {
			t.Fatal(err)
		}
		if want := len(u.answer(e)); s.Records != uint64(want) {
			t.Fatalf("%s: got %d records, want %d:\n%s", e, s.Records, want, s)
		}
		checkStep(t, u, s)
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Step
		if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("got %s back from JSON, %v, want %s", back, err, s)
		}
	}
}

func checkStep(t *testing.T, u *universe, s Step) {
	t.Helper()
	if s.Records > s.Estimated {
		t.Errorf("got %d records, estimated at most %d:\n%s", s.Records, s.Estimated, s)
	}
	if s.Query != "" {
		e, err := query.Parse(s.Query)
		if err != nil {
			t.Fatal(err)
		}
		// a literal may have records that do not exist: the steps above it leave them out
		loose := strings.Contains(s.Query, "bitmap(")
		if want := uint64(len(u.answer(e))); s.Records != want && !(loose && s.Records > want) {
			t.Errorf("got %d records of %s, want %d", s.Records, s.Query, want)
		}
	}
	for _, below := range s.Steps {
		checkStep(t, u, below)
	}
}

func TestExplainText(t *testing.T) {
	ix, _ := build(t, rand.New(rand.NewPCG(4, 4)))
	snap := ix.Snapshot()
	defer snap.Close()
	e, err := query.Parse(`tag = r0 and not (tag = r1 or tag = r2) and number between -5 and 5`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Explain(t.Context(), snap, e, bindTags())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(s.String(), "\n")
	for i, want := range []string{"and [tag = r0 and not tag = r1 and not tag = r2 and number between -5 and 5]: ",
		"  list [tag = r0]: ", "  integers [number between -5 and 5]: ",
		"  not list [tag = r1]: ", "  not list [tag = r2]: ", ""} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("got\n%s\nwant line %d to begin with %q", s, i, want)
		}
	}
	nothing, err := Explain(t.Context(), snap, query.Nothing{}, bindTags())
	if err != nil || nothing.String() != "nothing [nothing]: 0 records of at most 0 in 0s\n" {
		t.Errorf("got %s, %v", nothing, err)
	}
}
