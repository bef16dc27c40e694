// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// BenchmarkBacklinks asks for the first page of an account that some thousands follow, who follow a
// hundred accounts each.
func BenchmarkBacklinks(b *testing.B) {
	const followers, each = 10_000, 100
	n := newNetwork(b, 1, graph.Follows)
	for from := 0; from < followers; from += 100 {
		var list []graph.Change
		for i := from; i < from+100; i++ {
			for j := range each {
				list = append(list, graph.Change{Op: graph.Set, Relation: graph.Follows, Account: account(i),
					Target: account(i * j * 31 % followers), Key: tid(uint64(i*each + j*7))})
			}
		}
		if _, err := n.graph.Write(b.Context(), graph.Changes{List: list}); err != nil {
			b.Fatal(err)
		}
	}
	if err := n.graph.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	q := url.Values{"subject": {account(0)}, "source": {"app.bsky.graph.follow:subject"}}
	for b.Loop() {
		if status, body := n.ask("/xrpc/blue.microcosm.links.getBacklinks", q); status != 200 {
			b.Fatal(body)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/followers, "ns/linker")
}

func account(i int) string { return fmt.Sprintf("did:plc:%024d", i) }

// tid returns a key that is some microseconds after a moment.
func tid(n uint64) string {
	const digits = "234567abcdefghijklmnopqrstuvwxyz"
	n = 1_764_000_000_000_000<<10 + n<<10
	key := make([]byte, 13)
	for i := range key {
		key[i] = digits[n>>(60-5*i)&31]
	}
	return string(key)
}
