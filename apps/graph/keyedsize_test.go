// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// TestKeyedSizes bounds the bytes of a follow on pages: activity and popularity follow power laws,
// follows come in bursts of six. Keys, with their targets, take most.
func TestKeyedSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 300 000 follows")
	}
	const accounts, all = 20_000, 300_000
	_, g := keyedGraph(t)
	r := rand.New(rand.NewPCG(1, 2))
	total := 0.0
	for a := range accounts {
		total += math.Pow(float64(a)+36, -0.75)
	}
	for a := range accounts {
		n := int(math.Ceil(all * math.Pow(float64(a)+36, -0.75) / total))
		micros, c := int64(1_700_000_000_000_000), graph.Changes{}
		for i := range n {
			if i%6 == 0 {
				micros += int64(r.ExpFloat64() * 700 * 86400e6 * 6 / float64(n))
			}
			micros += 1 + int64(r.ExpFloat64()*12e6)
			target := int(math.Pow(r.Float64(), 4)*accounts) % accounts
			c.List = append(c.List, put(fmt.Sprintf("did:plc:%024d", a), tidOf(micros, a%32),
				fmt.Sprintf("did:plc:%024d", target)))
		}
		if _, err := g.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats, err := g.Index().Stats()
	if err != nil {
		t.Fatal(err)
	}
	follows := 0.0
	for _, f := range stats.Fields {
		if f.Name == graph.FollowsField && f.Type == "relation" {
			follows = float64(f.Values)
		}
	}
	each := 0.0
	for _, f := range stats.Fields {
		if f.Bytes > 0 {
			t.Logf("%s %s: %d values, %d pages, %.2f bytes a follow", f.Name, f.Type, f.Values, f.Pages,
				float64(f.Bytes)/follows)
		}
		switch f.Type {
		case "relation", "inverse", "forward":
			each += float64(f.Bytes) / follows
		}
	}
	if each > 13.5 || each < 6 {
		t.Errorf("got %.2f bytes a follow with both directions and keys, want at most 13.5", each)
	}
}
