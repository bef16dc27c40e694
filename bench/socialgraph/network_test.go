// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tiny is a network that takes some milliseconds.
var tiny = Network{Accounts: 3000, Follows: 40_000, Seed: 7}

// TestNetwork checks that every follow comes once, nobody follows itself, and degrees are as told.
// The same numbers give the same network, a different seed another.
func TestNetwork(t *testing.T) {
	for _, n := range []Network{tiny, {Accounts: 3000, Follows: 40_000, Seed: 7, Communities: 7, Inside: 0.8},
		{Accounts: 3000, Follows: 40_000, Seed: 7, Star: 0.8}, {Accounts: 1000}, {Accounts: 2}} {
		if err := n.Check(); err != nil {
			t.Fatal(err)
		}
		seen := make(map[[2]uint32]bool)
		out, in := make([]int, n.Accounts), make([]int, n.Accounts)
		inside := 0
		for a, b := range n.All() {
			if a == b || seen[[2]uint32{a, b}] {
				t.Fatalf("%+v: %d follows %d twice, or itself", n, a, b)
			}
			seen[[2]uint32{a, b}] = true
			out[a]++
			in[b]++
			if n.Communities > 0 && a%uint32(n.Communities) == b%uint32(n.Communities) {
				inside++
			}
		}
		if int64(len(seen)) != n.Follows {
			t.Errorf("%+v: got %d follows", n, len(seen))
		}
		for a := range out {
			if out[a] != n.Degree(uint32(a)) {
				t.Fatalf("%+v: account %d: got %d follows, want %d", n, a, out[a], n.Degree(uint32(a)))
			}
		}
		if n.Follows > 0 && (out[n.Active(0)] != slices.Max(out) || in[0] < slices.Max(in)*9/10 ||
			in[0] < 20*int(n.Follows)/n.Accounts/10) {
			t.Errorf("%+v: got %d follows of the most active, at most %d; %d followers of the most popular, at most %d",
				n, out[n.Active(0)], slices.Max(out), in[0], slices.Max(in))
		}
		if share := float64(in[0]) / float64(n.Accounts); n.Star > 0 && (share < n.Star-0.03 || share > n.Star+0.05) {
			t.Errorf("%+v: got a share of %g that follows account 0", n, share)
		}
		if share := float64(inside) / float64(max(1, n.Follows)); n.Communities > 0 && (share < 0.7 || share > 0.95) {
			t.Errorf("%+v: got a share of %g inside", n, share)
		}
	}
}

// What cannot be is refused.
func TestNetworkCheck(t *testing.T) {
	for _, n := range []Network{{Accounts: 1}, {Accounts: 10, Follows: -1}, {Accounts: 10, Follows: 80},
		{Accounts: 100, Inside: 0.5}, {Accounts: 100, Communities: 70},
		{Accounts: 100, Communities: 2, Inside: 1.5}, {Accounts: 100, Star: 1.5}} {
		if n.Check() == nil {
			t.Errorf("%+v: got no error", n)
		}
	}
}

// A key tells its account, and nothing else is a key.
func TestKeys(t *testing.T) {
	n := tiny
	seen := make(map[string]bool)
	for a := range uint32(n.Accounts) {
		key := n.Key(a)
		got, ok := n.Account(key)
		if len(key) != keyLen || seen[key] || !ok || got != a {
			t.Fatalf("account %d: got key %q, which is that of %d, %v", a, key, got, ok)
		}
		seen[key] = true
	}
	for _, key := range []string{"", "did:plc:", strings.ToUpper(n.Key(1)), n.Key(1)[:31], n.Key(1) + "a",
		"did:plc:aaaaaaaaaaaaaaaaaaaaaaaa", n.Key(uint32(n.Accounts))} {
		if a, ok := n.Account(key); ok {
			t.Errorf("%q: got account %d", key, a)
		}
	}
}

// The permutation and mix are one-to-one, and their inverses theirs.
func TestOneToOne(t *testing.T) {
	for n := 2; n < 300; n += 7 {
		p, seen := newPermutation(n, 3), make([]bool, n)
		for x := range n {
			y := p.at(x)
			if seen[y] || p.inverse(y) != x {
				t.Fatalf("%d numbers: got %d for %d, whose inverse is %d", n, y, x, p.inverse(y))
			}
			seen[y] = true
		}
	}
	for x := range uint64(1000) {
		if x *= 0x1234567890abcdef; unmix(mix(x)) != x {
			t.Fatalf("%x: got %x", x, unmix(mix(x)))
		}
	}
}

// The text has a line for each follow, and its checksum is that of its bytes: it never changes.
func TestWriteCSV(t *testing.T) {
	var text bytes.Buffer
	sum, err := tiny.WriteCSV(t.Context(), &text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if hash := sha256.Sum256(text.Bytes()); sum != hex.EncodeToString(hash[:]) {
		t.Errorf("got checksum %s, want %x", sum, hash)
	}
	if want := "55821c0bcee52ee23f7f10de922edd908e13414dea8b48541eb3edf4e929b489"; sum != want {
		t.Errorf(
			"got checksum %s, want %s: the network has changed, and with it what its name stands for in "+
				"docs/benchmarks/graph.md", sum, want)
	}
	var want strings.Builder
	for a, b := range tiny.All() {
		fmt.Fprintf(&want, "%s,%s\n", tiny.Key(a), tiny.Key(b))
	}
	if text.String() != want.String() {
		t.Error("got another text than the follows make")
	}
}

// BenchmarkFollows measures the generator, a follow.
func BenchmarkFollows(b *testing.B) {
	n := Network{Accounts: 550_000, Follows: 16_400_000, Seed: 1}
	for b.Loop() {
		count := int64(0)
		for range n.All() {
			count++
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(count)/float64(max(1, b.N)), "ns/follow")
	}
}
